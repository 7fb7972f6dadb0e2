/** Problems of a source, counted: those of its records as they are now, and those of its last run. */
import type { DatabaseSync } from 'node:sqlite';
import { type ProblemCount, type ProblemCounts, REINDEX_RUN } from '../runs.ts';

/** Different messages; a rule that quotes values has one for each of them. */
const MOST_ROWS = 1000;

export function createProblemCounts(db: DatabaseSync): (source: string) => ProblemCounts {
  const sourceId = db.prepare('SELECT id FROM source WHERE name = ?');
  const lastReindex = db.prepare(
    `SELECT coalesce(max(id), 0) AS id FROM run WHERE source_id = ? AND kind = '${REINDEX_RUN}' AND status = 'complete'`,
  );
  // A run tells of a record what is wrong with the version that it made; an extraction of everything, of all.
  const current = db.prepare(
    `SELECT p.code, p.message, count(DISTINCT i.key) AS items, min(p.identifier) AS identifier
     FROM run AS r
       JOIN run_problem AS p ON p.run_id = r.id
       JOIN item AS i ON i.source_id = r.source_id AND i.identifier = p.identifier AND i.live = 1
     WHERE r.source_id = ?1 AND r.id >= ?2
       AND r.id >= (SELECT max(v.run_id) FROM record AS d JOIN version AS v ON v.record_key = d.key AND v.number = d.version
                    WHERE d.item_key = i.key AND d.live = 1)
     GROUP BY p.code, p.message ORDER BY items DESC, p.code, p.message LIMIT ${MOST_ROWS}`,
  );
  const lastRun = db.prepare(
    `SELECT max(id) AS id FROM run WHERE source_id = ? AND kind IN ('import', 'harvest', 'push') AND status <> 'running'`,
  );
  const keptOut = db.prepare(
    `SELECT p.code, p.message, count(*) AS items, min(coalesce(p.identifier, p.place)) AS identifier
     FROM run_problem AS p
     WHERE p.run_id = ?1 AND NOT EXISTS (
       SELECT 1 FROM item AS i WHERE i.source_id = ?2 AND i.identifier = p.identifier AND i.live = 1)
     GROUP BY p.code, p.message ORDER BY items DESC, p.code, p.message LIMIT ${MOST_ROWS}`,
  );

  return (source) => {
    const id = sourceId.get(source)?.id;
    if (id === undefined) return { current: [], keptOut: [] };
    const run = lastRun.get(Number(id))?.id ?? null;
    return {
      current: current.all(Number(id), Number(lastReindex.get(Number(id))?.id)).map(countOf),
      keptOut: run === null ? [] : keptOut.all(run, Number(id)).map(countOf),
    };
  };
}

function countOf({ code, message, items, identifier }: Record<string, unknown>): ProblemCount {
  return {
    code: String(code),
    message: String(message),
    items: Number(items),
    ...(typeof identifier === 'string' && { identifier }),
  };
}
