import assert from 'node:assert/strict';
import { DatabaseSync } from 'node:sqlite';
import { test } from 'node:test';
import { driversOf, extentSql, listSql, type Shape } from './harvest-sql.ts';
import { SCHEMA } from './schema.ts';

const BOTH = [false, true] as const;

const SHAPES: readonly Shape[] = (['record', 'item'] as const).flatMap((basis) =>
  BOTH.flatMap((source) => BOTH.flatMap((view) => BOTH.map((set) => ({ basis, source, view, set })))),
);

test('a page is entered by second and item, so that a second with a whole import in it is read once', () => {
  using db = new DatabaseSync(':memory:');
  db.exec(SCHEMA);
  const enters = (sql: string): string => String(db.prepare(`EXPLAIN QUERY PLAN ${sql}`).get()?.detail);
  for (const shape of SHAPES)
    for (const driver of driversOf(shape)) {
      const where = `${driver} of ${JSON.stringify(shape)}`;
      for (const content of BOTH) {
        const wanted = { content, facts: content };
        assert.match(
          enters(listSql(driver, shape, 'rest', wanted)),
          /(?:datestamp|<expr>)=\? AND \w*key>\?/,
          where,
        );
        assert.match(enters(listSql(driver, shape, 'later', wanted)), /(?:datestamp|<expr>)>\? AND/, where);
      }
      assert.match(enters(extentSql(driver, shape, 'rest')), /=\? AND \w*key>\?/, where);
    }
});
