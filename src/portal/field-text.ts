/** Field values as people read them. */
import type { BoxValue, FieldValue, IntervalValue } from '../core/model.ts';

export function isBox(value: FieldValue): value is BoxValue {
  return typeof value === 'object' && 'west' in value;
}

function isInterval(value: FieldValue): value is IntervalValue {
  return typeof value === 'object' && !('west' in value);
}

const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

/** `2006-06-03T10:00:00Z` → `3 Jun 2006, 10:00 UTC`; years and months keep their precision. */
export function dateText(date: string): string {
  const match = /^(-?\d{4,})(?:-(\d\d)(?:-(\d\d)(?:T(\d\d:\d\d)(?::(\d\d)(?:\.\d+)?)?)?)?)?/.exec(date);
  if (!match) return date;
  const [, year, month, day, time, second] = match;
  const parts = [day && String(Number(day)), month && MONTHS[Number(month) - 1], year].filter(Boolean);
  if (!time || (time === '00:00' && Number(second ?? 0) === 0)) return parts.join(' ');
  return `${parts.join(' ')}, ${time}${second && second !== '00' ? `:${second}` : ''} UTC`;
}

export function valueText(value: FieldValue, isDate: boolean): string {
  if (typeof value === 'number') return String(value);
  if (typeof value === 'string') return isDate ? dateText(value) : value;
  if (isInterval(value)) {
    if (value.start === value.end && value.start !== undefined) return dateText(value.start);
    const start = value.start === undefined ? 'open' : dateText(value.start);
    const end = value.end === undefined ? 'open' : dateText(value.end);
    return `${start} – ${end}`;
  }
  return boxText(value);
}

/** `5° W – 20° E, 47° N – 55° N` */
export function boxText(box: BoxValue): string {
  if (box.west === -180 && box.east === 180 && box.south === -90 && box.north === 90)
    return 'the whole world';
  const longitudes = [box.west, box.east].map((x) => degrees(x, 'E', 'W'));
  const latitudes = [box.south, box.north].map((y) => degrees(y, 'N', 'S'));
  const span = (sides: string[]) => (sides[0] === sides[1] ? sides[0] : sides.join(' – '));
  const around = box.west === -180 && box.east === 180;
  return `${around ? 'all longitudes' : span(longitudes)}, ${span(latitudes)}`;
}

function degrees(value: number, positive: string, negative: string): string {
  const rounded = Math.round(Math.abs(value) * 1e4) / 1e4;
  if (rounded === 0 || (rounded === 180 && positive === 'E')) return `${rounded}°`;
  return `${rounded}° ${value > 0 ? positive : negative}`;
}

/** 12345 → `12,345` */
export function countText(count: number): string {
  return count.toLocaleString('en-GB');
}

export function sizeText(bytes: number): string {
  if (bytes < 1000) return `${bytes} B`;
  if (bytes < 1_000_000) return `${(bytes / 1000).toFixed(1)} kB`;
  return `${(bytes / 1_000_000).toFixed(1)} MB`;
}

export function instantText(at: number): string {
  return dateText(new Date(at).toISOString().slice(0, 19));
}

/** Only these are made into links: `javascript:` and its kin stay text. */
export function isWebAddress(text: string): boolean {
  return /^https?:\/\/[^\s<>"]+$/i.test(text) && URL.canParse(text);
}
