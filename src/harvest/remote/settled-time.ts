/** Lists tell days or minutes, in a zone that nobody names. */
import type { Instant } from '../../core/model.ts';

const UNSETTLED_MS = 48 * 60 * 60 * 1000;

/**
 * The time by which a file is known to be as it was; 0 when it cannot serve: a file changed so lately may
 * be changed again within the same day or minute, and the list would look the same.
 */
export function settledTime(modifiedAt: Instant | undefined, now: Instant): Instant {
  return modifiedAt === undefined || modifiedAt > now - UNSETTLED_MS ? 0 : modifiedAt;
}
