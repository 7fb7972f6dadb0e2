/**
 * A stretch of a harvest list, as documents are named by. It ends between two seconds where it can, since
 * keys are ours and tell strangers how many items there are; only a second that holds more than one document
 * may is cut inside. What a window names never changes its place: an item that changes leaves it and
 * stands in a later one, so windows only ever get thinner.
 */
import type { Instant } from '../../core/model.ts';
import { formatOai, parseOai } from '../../core/time.ts';
import type { HarvestPosition } from '../../store/index.ts';

export interface ListWindow {
  /** The first second. */
  readonly fromAt: Instant;
  /** Of the first second only what stands behind this key. */
  readonly afterKey?: number;
  /** The second that it ends before; with `lastKey`, the one that it ends in. Absent: it is open. */
  readonly untilAt?: Instant;
  readonly lastKey?: number;
}

/** Before any datestamp. */
export const BEGINNING: Instant = 0;
export const EVERYTHING: ListWindow = { fromAt: BEGINNING };

const SECOND_MS = 1000;

/** `20260105T000000Z-20260106T000000Z`; keys follow a second after a dot; an open end is left out. */
export function writeWindow({ fromAt, afterKey, untilAt, lastKey }: ListWindow): string {
  const start = writeEnd(fromAt, afterKey);
  return `${start}-${untilAt === undefined ? '' : writeEnd(untilAt, lastKey)}`;
}

const writeEnd = (at: Instant, key: number | undefined): string =>
  formatOai(at).replace(/[-:]/g, '') + (key === undefined ? '' : `.${key}`);

const END = /^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z(?:\.(\d{1,15}))?$/;

export function parseWindow(text: string): ListWindow | undefined {
  const [start = '', end = '', ...more] = text.split('-');
  const from = parseEnd(start);
  const until = end === '' ? undefined : parseEnd(end);
  if (!from || more.length > 0 || (end !== '' && !until)) return undefined;
  const window: ListWindow = {
    fromAt: from.at,
    ...(from.key !== undefined && { afterKey: from.key }),
    ...(until && { untilAt: until.at }),
    ...(until?.key !== undefined && { lastKey: until.key }),
  };
  // One name per window.
  return writeWindow(window) === text ? window : undefined;
}

function parseEnd(text: string): { at: Instant; key?: number } | undefined {
  const [, year, month, day, hour, minute, second, key] = END.exec(text) ?? [];
  const date = parseOai(`${year}-${month}-${day}T${hour}:${minute}:${second}Z`);
  return date && { at: date.startAt, ...(key !== undefined && { key: Number(key) }) };
}

/** What the store is asked for; an open window ends with the last second that is closed by now. */
export interface WindowBounds {
  readonly fromAt: Instant;
  readonly after?: HarvestPosition;
  readonly upTo?: HarvestPosition;
}

export function boundsOf({ fromAt, afterKey, untilAt, lastKey }: ListWindow): WindowBounds {
  const upTo: HarvestPosition | undefined =
    untilAt === undefined
      ? undefined
      : lastKey === undefined
        ? { datestampAt: untilAt - SECOND_MS, key: Number.MAX_SAFE_INTEGER }
        : { datestampAt: untilAt, key: lastKey };
  return {
    fromAt,
    ...(afterKey !== undefined && { after: { datestampAt: fromAt, key: afterKey } }),
    ...(upTo && { upTo }),
  };
}

/** Ends with that second, whatever comes later. */
export function closedAfter(window: ListWindow, lastAt: Instant): ListWindow {
  return window.untilAt === undefined ? { ...window, untilAt: lastAt + SECOND_MS } : window;
}
