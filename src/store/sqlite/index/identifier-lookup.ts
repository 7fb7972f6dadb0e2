/** Items by their identifiers, which are compared as they are. */
import type { DatabaseSync, SQLInputValue } from 'node:sqlite';
import type { Bound } from '../../../query/ast.ts';
import { compilePattern, parsePattern, patternPrefix } from '../../../query/wildcard.ts';
import { AFTER_PREFIX, readArray } from './term-table.ts';

export function keysOfIdentifier(db: DatabaseSync, identifier: string): number[] {
  return listKeys(db, 'identifier = ?', identifier);
}

export function keysOfIdentifierPattern(db: DatabaseSync, pattern: string): number[] {
  const parts = parsePattern(pattern, (text) => text);
  const prefix = patternPrefix(parts);
  if (parts.length === 2 && parts[1] === 'run' && prefix) {
    return listKeys(db, 'identifier >= ? AND identifier < ?', prefix, prefix + AFTER_PREFIX);
  }
  const row = db
    .prepare(
      `SELECT json_group_array(key) AS keys, json_group_array(identifier) AS identifiers FROM (
         SELECT key, identifier FROM item WHERE identifier >= ? AND identifier < ?)`,
    )
    .get(prefix, prefix + AFTER_PREFIX);
  const identifiers = readArray<string>(row?.identifiers);
  const matches = compilePattern(parts);
  return readArray<number>(row?.keys).filter((_, i) => matches(identifiers[i]!));
}

export function keysOfIdentifierRange(
  db: DatabaseSync,
  from: Bound | undefined,
  to: Bound | undefined,
): number[] {
  const conditions = ['1'];
  const values: string[] = [];
  if (from) {
    conditions.push(`identifier ${from.inclusive ? '>=' : '>'} ?`);
    values.push(from.value);
  }
  if (to) {
    conditions.push(`identifier ${to.inclusive ? '<=' : '<'} ?`);
    values.push(to.value);
  }
  return listKeys(db, conditions.join(' AND '), ...values);
}

function listKeys(db: DatabaseSync, condition: string, ...values: SQLInputValue[]): number[] {
  return readArray<number>(
    db.prepare(`SELECT json_group_array(key) AS keys FROM item WHERE ${condition}`).get(...values)?.keys,
  );
}
