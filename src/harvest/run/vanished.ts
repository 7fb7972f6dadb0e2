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
  /** Files that could not be read; their records are kept anyway. */
  readonly unread: number;
  /** Records that came but could not be taken in, where nobody knows which stored ones they are. */
  readonly keptOut?: number;
  /** Records that came but could not be taken in, known or not. */
  readonly lost: number;
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
  const { vanished, live, maxDeleteShare, force, emptyOrigins, unlisted, unread } = facts;
  const { noun = 'XML or JSON file' } = facts;
  const kept = vanished > 0 ? ` ${countRecords(vanished)} not found again stay as they are.` : '';
  if (emptyOrigins.length > 0)
    return refuse('source.empty', `No ${noun} was found in ${emptyOrigins.join(', ')}.${kept}`);
  if (unlisted.length > 0)
    return refuse('source.unreadable', `Could not be read: ${unlisted.slice(0, 3).join(', ')}.${kept}`);
  if (vanished > 0 && facts.keptOut !== undefined && facts.keptOut > 0)
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
  // The problem of a file that could not be read counts among those that kept records out.
  const losses = judgeLosses(Math.max(0, facts.lost - unread));
  if (unread === 0) return { mayDelete: vanished > 0, ...losses };
  const unreadable = `${unread === 1 ? '1 file' : `${unread} files`} could not be read; what is stored from there was left as it is.`;
  const message = [unreadable, losses.message].filter(Boolean).join(' ');
  return { mayDelete: vanished > 0, complete: false, code: 'source.unreadable', message };
}

/** A source with fewer records than its origin is not complete, whatever the reason. */
export function judgeLosses(lost: number): Pick<Verdict, 'complete' | 'code' | 'message'> {
  if (lost === 0) return { complete: true };
  const message = `${countRecords(lost)} could not be taken in; the problems of the run name each.`;
  return { complete: false, code: 'source.losses', message };
}

const refuse = (code: ErrorCode, message: string): Verdict => ({
  mayDelete: false,
  complete: false,
  code,
  message,
});

const countRecords = (count: number) => (count === 1 ? '1 record' : `${count} records`);
