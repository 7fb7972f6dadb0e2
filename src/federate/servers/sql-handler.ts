/** Products out of an SQLite database, by one prepared statement whose parameters are attributes. */
import type { AccessRule } from '../../core/access.ts';
import { mayRead } from '../../core/access-match.ts';
import { namesExactly, readEqualities } from './equalities.ts';
import type { Product, ProductHandler } from './product.ts';
import { bytesForm, madeForm } from './product-bytes.ts';
import { createSqlProcess, type SqlRow } from './sql-process.ts';

export interface SqlHandlerOptions {
  readonly name: string;
  readonly file: string;
  readonly query: string;
  readonly timeoutMs: number;
  readonly maxRows: number;
  readonly access: AccessRule;
}

/** Of all rows of one answer. */
const MAX_BYTES = 256 * 1024 * 1024;
/** Texts and comments hold no parameters. */
const LITERAL = /'(?:[^']|'')*'|"(?:[^"]|"")*"|--[^\n]*|\/\*[\s\S]*?\*\//g;
const PARAMETER = /[:@$](\w+)/g;
const MEDIA_TYPE = /^[\w.+-]+\/[\w.+-]+$/;

export function createSqlHandler({
  name,
  file,
  query,
  timeoutMs,
  maxRows,
  access,
}: SqlHandlerOptions): ProductHandler {
  const parameters = new Map(
    Array.from(
      query.replace(LITERAL, ' ').matchAll(PARAMETER),
      ([, word = '']) => [word.toLowerCase(), word] as const,
    ),
  );
  const names = new Set(parameters.keys());
  const database = createSqlProcess({ file, query, maxRows, maxBytes: MAX_BYTES }, timeoutMs);
  return {
    name,
    async *find(question, viewer) {
      const values = readEqualities(question.query);
      if (!values || !namesExactly(values, names) || !mayRead(access, viewer)) return;
      const bound = Object.fromEntries([...parameters].map(([key, word]) => [word, values.get(key) ?? '']));
      const rows = await database.select(bound);
      const [first] = rows;
      if (!first) return;
      if (!Object.hasOwn(first, 'content')) yield tableOf(name, rows);
      else
        for (const [i, row] of rows.entries())
          if (row.content !== null) yield productOf(row, `${name}-${i + 1}`);
    },
    close: () => database.close(),
  };
}

function productOf({ content, name, type }: SqlRow, otherwise: string): Product {
  const fileName = typeof name === 'string' && name !== '' ? name.replace(/[/\\]/g, '_') : otherwise;
  const isBytes = content instanceof Uint8Array;
  const mediaType =
    typeof type === 'string' && MEDIA_TYPE.test(type)
      ? type
      : isBytes
        ? 'application/octet-stream'
        : 'text/plain';
  return {
    name: fileName,
    forms: [{ ...bytesForm(isBytes ? content : Buffer.from(String(content))), fileName, mediaType }],
  };
}

/** JSON, and by conversion CSV. Bytes in a table are base64. */
function tableOf(name: string, rows: readonly SqlRow[]): Product {
  const plain = (value: SqlRow[string]) =>
    value instanceof Uint8Array ? Buffer.from(value).toString('base64') : value;
  const write = () => {
    const values = rows.map((row) =>
      Object.fromEntries(Object.entries(row).map(([key, value]) => [key, plain(value)])),
    );
    return Buffer.from(`${JSON.stringify(values)}\n`);
  };
  return { name, forms: [{ ...madeForm(write), fileName: `${name}.json`, mediaType: 'application/json' }] };
}
