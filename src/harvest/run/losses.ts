/** What a batch lacks of what its origin has, as the store remembers it. */
import type { RecordProblem } from '../../core/model.ts';
import type { LossCount, RecordLoss } from '../../store/index.ts';
import type { Verdict } from './vanished.ts';

/**
 * A problem of a record that arrived, or that may be missing (deleted, filtered), is a doubtful value; any other
 * kept a record out. Without identifier it is known again by its place, as long as that stays.
 */
export function findLosses(problems: readonly RecordProblem[], arrived: ReadonlySet<string>): RecordLoss[] {
  const losses = new Map<string, RecordLoss>();
  for (const { code, message, where, line, identifier } of problems) {
    if (identifier !== undefined && arrived.has(identifier)) continue;
    const name = identifier ?? placeOf(where, line) ?? message;
    if (losses.has(name)) continue;
    losses.set(name, {
      name,
      code,
      message,
      ...(where !== undefined && { where }),
      ...(line !== undefined && { line }),
      ...(identifier !== undefined && { identifier }),
    });
  }
  return [...losses.values()];
}

function placeOf(where: string | undefined, line: number | undefined): string | undefined {
  return where === undefined || line === undefined ? where : `${where}:${line}`;
}

/**
 * A source with fewer records than its origin is not complete, whatever the reason and however old. `unread`: how many
 * of them are whole files.
 */
export function judgeMissing(
  source: string,
  { open, accepted, names }: LossCount,
  unread = 0,
): Pick<Verdict, 'complete' | 'code' | 'message'> {
  if (open === 0) {
    if (accepted === 0) return { complete: true };
    return {
      complete: true,
      message: `Accepted as missing: ${accepted}; garner missing ${source} lists them.`,
    };
  }
  const files = unread === 1 ? '1 file' : `${unread} files`;
  const kept = unread > 0 ? `${files} could not be read; what is stored from there was left as it is. ` : '';
  const more = open > names.length ? ` and ${open - names.length} more` : '';
  return {
    complete: false,
    code: unread > 0 ? 'source.unreadable' : 'source.losses',
    message: `${kept}Missing: ${names.join(', ')}${more}; garner missing ${source} tells why.`,
  };
}
