/** One database and one statement in a process of their own: a statement that runs on and on ends only with its process. */
import { DatabaseSync, type StatementSync } from 'node:sqlite';
import { asGarnerError, GarnerError } from '../../core/errors.ts';
import type { SqlCall, SqlReply, SqlRow } from './sql-process.ts';

let prepared: StatementSync | undefined;

function prepare({ file, query }: SqlCall): StatementSync {
  try {
    const database = new DatabaseSync(file, { readOnly: true, allowExtension: false, timeout: 5000 });
    const statement = database.prepare(query);
    statement.setReadBigInts(true);
    return statement;
  } catch (cause) {
    throw unreadable(cause);
  }
}

function select(call: SqlCall): SqlRow[] {
  const { maxRows, maxBytes } = call;
  prepared ??= prepare(call);
  const rows: SqlRow[] = [];
  let bytes = 0;
  for (const row of iterate(prepared, call.parameters)) {
    const entries = Object.entries(row).map(([name, value]) => [name, plain(value)] as const);
    for (const [, value] of entries) bytes += typeof value === 'number' || value === null ? 8 : value.length;
    if (rows.length >= maxRows || bytes > maxBytes)
      throw new GarnerError(
        'query.too-broad',
        `there are more than ${maxRows} rows or ${maxBytes} bytes; ask for less`,
      );
    rows.push(Object.fromEntries(entries));
  }
  return rows;
}

function* iterate(statement: StatementSync, parameters: Readonly<Record<string, string>>) {
  try {
    yield* statement.iterate({ ...parameters });
  } catch (cause) {
    throw cause instanceof GarnerError ? cause : unreadable(cause);
  }
}

function unreadable(cause: unknown): GarnerError {
  const reason = cause instanceof Error ? cause.message : String(cause);
  return new GarnerError('source.unreadable', `the database cannot be asked: ${reason}`, { cause });
}

/** Numbers beyond what a number holds become texts rather than other numbers. */
function plain(value: unknown): SqlRow[string] {
  if (typeof value === 'bigint') return Number.isSafeInteger(Number(value)) ? Number(value) : String(value);
  if (typeof value === 'number' || typeof value === 'string' || value instanceof Uint8Array) return value;
  return null;
}

function answer(call: SqlCall): SqlReply {
  try {
    return { rows: select(call) };
  } catch (thrown) {
    const { code, message } = asGarnerError(thrown);
    return { code, message };
  }
}

process.on('message', (call: SqlCall) => {
  process.send?.(answer(call));
});
