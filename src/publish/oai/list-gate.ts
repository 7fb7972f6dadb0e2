/**
 * How many lists may be under way at once; whoever comes later is told to come again. A harvester that
 * stops reading in the middle of a page gives its place up when another one needs it.
 */
import type { Clock } from '../../core/time.ts';

export interface ListPlace {
  /** The harvester took what it was given. */
  touch(): void;
  leave(): void;
}

interface Taken {
  touchedAt: number;
  readonly giveUp: () => void;
}

export interface ListGate {
  /** Undefined when all places are taken. `giveUp` is called when the place is needed for another. */
  enter(giveUp: () => void): ListPlace | undefined;
}

export function createListGate(
  options: { readonly places?: number; readonly stalledAfterMs?: number; readonly clock?: Clock } = {},
): ListGate {
  const { places = 16, stalledAfterMs = 30_000, clock = Date.now } = options;
  const taken = new Set<Taken>();
  const freeStalled = (): void => {
    const limit = clock() - stalledAfterMs;
    for (const place of taken) {
      if (place.touchedAt > limit) continue;
      taken.delete(place);
      place.giveUp();
      return;
    }
  };
  return {
    enter: (giveUp) => {
      if (taken.size >= places) freeStalled();
      if (taken.size >= places) return undefined;
      const place: Taken = { touchedAt: clock(), giveUp };
      taken.add(place);
      return {
        touch: () => {
          place.touchedAt = clock();
        },
        leave: () => {
          taken.delete(place);
        },
      };
    },
  };
}
