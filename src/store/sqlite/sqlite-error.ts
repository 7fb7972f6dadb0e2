/** SQLite's result codes (sqlite.org/rescode.html) as errors of ours. */
import { GarnerError } from '../../core/errors.ts';

const BUSY = 5;
const LOCKED = 6;
const READONLY = 8;
const IOERR = 10;
const CORRUPT = 11;
const FULL = 13;
const CANTOPEN = 14;
const NOTADB = 26;

/** The primary code: extended codes carry it in their low byte. */
function findResultCode(error: unknown): number | undefined {
  if (!(error instanceof Error) || !('errcode' in error) || typeof error.errcode !== 'number')
    return undefined;
  return error.errcode & 0xff;
}

/** A GarnerError when SQLite's reason is one that a person can act on; else the error as it was. */
export function translateSqliteError(error: unknown): unknown {
  const code = findResultCode(error);
  if (code === undefined) return error;
  const reason = error instanceof Error ? error.message : String(error);
  const because = { cause: error, details: { sqlite: code } };
  switch (code) {
    case BUSY:
    case LOCKED:
      return new GarnerError(
        'store.busy',
        'another process is writing to the store and did not finish',
        because,
      );
    case FULL:
      return new GarnerError(
        'store.disk-full',
        'no space left for the store; nothing of this batch was kept',
        because,
      );
    case CORRUPT:
    case NOTADB:
    case IOERR:
      return new GarnerError('store.corrupt', `the store cannot be read: ${reason}`, because);
    case CANTOPEN:
    case READONLY:
      return new GarnerError('store.missing', `the store cannot be opened: ${reason}`, because);
    default:
      return error;
  }
}

/** Runs `work` and translates what SQLite throws. */
export function translatingErrors<T>(work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw translateSqliteError(error);
  }
}
