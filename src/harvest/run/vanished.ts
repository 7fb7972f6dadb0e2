/** Whether records that a run no longer met may be deleted: the guard against origins that broke. */
import type { ErrorCode } from '../../core/errors.ts';

/** So few may always go: a small source would else never lose anything. */
const FREE_DELETIONS = 10;

export interface VanishedFacts {
  /** Live records that the run did not meet, and live records in all (with them). */
  readonly vanished: number;
  readonly live: number;
  readonly maxDeleteShare: number;
  readonly force: boolean;
  /** Origins that gave nothing although they did before, or all of them. */
  readonly emptyOrigins: readonly string[];
  /** What they should have given. */
  readonly noun?: string;
  /** Places of which nobody knows what they hold: folders, archives. */
  readonly unlisted: readonly string[];
  /** Records that came but could not be taken in, where nobody knows which stored ones they are. */
  readonly keptOut: number;
}

export interface Verdict {
  readonly mayDelete: boolean;
  readonly complete: boolean;
  readonly code?: ErrorCode;
  readonly message?: string;
}

/**
 * Nothing is deleted when an origin is missing or empty, or when a part of it could not be listed: not even
 * by force. Else more than `maxDeleteShare` of the live records go only by force, except that up to
 * ten may go as long as others stay.
 */
export function judgeVanished(facts: VanishedFacts): Verdict {
  const { vanished, live, maxDeleteShare, force, emptyOrigins, unlisted } = facts;
  const { noun = 'XML or JSON file' } = facts;
  const kept = vanished > 0 ? ` ${countRecords(vanished)} not found again stay as they are.` : '';
  if (emptyOrigins.length > 0)
    return refuse('source.empty', `No ${noun} was found in ${emptyOrigins.join(', ')}.${kept}`);
  if (unlisted.length > 0)
    return refuse('source.unreadable', `Could not be read: ${unlisted.slice(0, 3).join(', ')}.${kept}`);
  if (vanished > 0 && facts.keptOut > 0)
    return refuse(
      'source.unreadable',
      `${countRecords(facts.keptOut)} could not be taken in and may be among those that seem to be gone.${kept}`,
    );
  const tooMany = vanished > live * maxDeleteShare && (vanished > FREE_DELETIONS || vanished === live);
  if (vanished > 0 && tooMany && !force)
    return refuse(
      'source.shrink',
      `${countRecords(vanished)} of ${live} (${Math.round((100 * vanished) / live)} %) are no longer in the origin, ` +
        `and the guard allows ${Math.round(100 * maxDeleteShare)} %: nothing was deleted. ` +
        'If they shall go, run again with --force or raise maxDeleteShare.',
    );
  return { mayDelete: vanished > 0, complete: true };
}

const refuse = (code: ErrorCode, message: string): Verdict => ({
  mayDelete: false,
  complete: false,
  code,
  message,
});

const countRecords = (count: number) => (count === 1 ? '1 record' : `${count} records`);
