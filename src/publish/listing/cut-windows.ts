/** A list cut into windows that hold at most so much each. */
import type { Viewer } from '../../core/access.ts';
import type { Instant } from '../../core/model.ts';
import type { HarvestExtent, HarvestScope, HarvestStore } from '../../store/index.ts';
import { boundsOf, EVERYTHING, type ListWindow } from './window.ts';

/** What is listed, and for whom. */
export interface WantedList {
  readonly harvest: HarvestStore;
  readonly scope: HarvestScope;
  /** Records of these formats; absent: items. */
  readonly formats?: readonly string[];
  readonly viewer: Viewer;
}

export interface WindowLimits {
  readonly records: number;
  readonly bytes?: number;
}

export interface MeasuredWindow {
  readonly window: ListWindow;
  readonly extent: HarvestExtent;
}

export function measureWindow(
  { harvest, scope, formats, viewer }: WantedList,
  window: ListWindow,
  { records, bytes }: WindowLimits,
): Promise<HarvestExtent> {
  return harvest.measure(
    {
      ...scope,
      ...(formats && { formats }),
      ...boundsOf(window),
      limit: records,
      ...(bytes !== undefined && { maxBytes: bytes }),
    },
    viewer,
  );
}

/** None is empty, but the only one may be. */
export async function* cutWindows(
  list: WantedList,
  whole: ListWindow,
  limits: WindowLimits,
): AsyncGenerator<MeasuredWindow> {
  let rest = whole;
  for (;;) {
    const extent = await measureWindow(list, rest, limits);
    const { first, last, more } = extent;
    if (!more || !first || !last) {
      if (extent.records > 0 || rest === whole) yield { window: rest, extent };
      return;
    }
    const end: Pick<ListWindow, 'untilAt' | 'lastKey'> =
      first.datestampAt < last.datestampAt
        ? { untilAt: last.datestampAt }
        : { untilAt: last.datestampAt, lastKey: last.key };
    const { untilAt: _, lastKey: __, ...start } = rest;
    const window = { ...start, ...end };
    // The last second is cut off whole, so fewer may fit than were measured.
    yield { window, extent: end.lastKey === undefined ? await measureWindow(list, window, limits) : extent };
    rest = {
      fromAt: last.datestampAt,
      ...(end.lastKey !== undefined && { afterKey: end.lastKey }),
      ...(whole.untilAt !== undefined && { untilAt: whole.untilAt }),
      ...(whole.lastKey !== undefined && { lastKey: whole.lastKey }),
    };
  }
}

/** For so long the windows are days; what is older is listed by months. */
const DAYS_MS = 32 * 86_400_000;

/**
 * By the calendar, so that whoever comes again reads little: days of the last month, months before it. The
 * windows touch each other, and the last one is open.
 */
export async function* cutByCalendar(list: WantedList, limits: WindowLimits): AsyncGenerator<MeasuredWindow> {
  let from = EVERYTHING;
  for (;;) {
    const { first, completeUntilAt } = await measureWindow(list, from, { records: 1 });
    if (!first) return;
    const untilAt = endOfPeriod(first.datestampAt, completeUntilAt - DAYS_MS);
    const rest: ListWindow = { fromAt: untilAt };
    const isLast =
      untilAt > completeUntilAt || (await measureWindow(list, rest, { records: 1 })).records === 0;
    yield* cutWindows(list, isLast ? from : { ...from, untilAt }, limits);
    if (isLast) return;
    from = rest;
  }
}

function endOfPeriod(at: Instant, daysSince: Instant): Instant {
  const date = new Date(at);
  return at < daysSince
    ? Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1)
    : Date.UTC(date.getUTCFullYear(), date.getUTCMonth(), date.getUTCDate() + 1);
}
