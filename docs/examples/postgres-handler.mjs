// Products out of PostgreSQL: rows of a query whose parameters are attributes, as one table.
//
//   federate:
//     servers:
//       spectra:
//         kind: module
//         path: postgres-handler.mjs       # beside it: npm install pg
//         options:
//           connection: postgresql://reader@db.example.org/spectra
//           parameters: [target_name]
//           query: SELECT wavelength, flux FROM spectra WHERE target = $1 ORDER BY wavelength
import pg from 'pg';

export function createHandler({ name, options, equalities }) {
  const { connection: connectionString, parameters, query } = options;
  const pool = new pg.Pool({ connectionString, statement_timeout: 10_000 });
  return {
    async *find(question) {
      // Undefined when more is asked than a few values: then this handler is not meant.
      const values = equalities(question);
      if (values?.size !== parameters.length || !parameters.every((one) => values.has(one))) return;
      const { rows } = await pool.query(
        query,
        parameters.map((one) => values.get(one)),
      );
      if (rows.length > 0) yield { name, forms: [jsonForm(`${name}.json`, rows)] };
    },
    close: () => pool.end(),
  };
}

// The form that the product is kept in; Garner makes CSV of it, cuts ranges and compares tags.
function jsonForm(fileName, rows) {
  const bytes = Buffer.from(`${JSON.stringify(rows)}\n`);
  return {
    fileName,
    mediaType: 'application/json',
    size: bytes.length,
    async *open(range) {
      yield range ? bytes.subarray(range.start, range.end) : bytes;
    },
  };
}
