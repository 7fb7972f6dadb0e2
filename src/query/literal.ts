/** What a comparison compares with, and all that it may be taken for. */
import { readNumber } from '../core/decimal.ts';
import { dateSpan, normaliseDate } from '../core/time.ts';
import type { TimeSpan } from './range.ts';
import { foldValue } from './words.ts';

export interface Literal {
  readonly text: string;
  readonly folded: string;
  /** Absent when it reads as none. */
  readonly number?: number;
  /** Normalised. `2004` is a number and a year. */
  readonly date?: string;
  readonly span?: TimeSpan;
}

const LIKE_A_DATE = /^\d{4}(?:-\d|$)/;

export function readLiteral(written: string): Literal {
  const text = written.replace(/\s+/g, ' ').trim();
  const number = readNumber(text);
  const date = LIKE_A_DATE.test(text) ? normaliseDate(text) : undefined;
  const span = date === undefined ? undefined : dateSpan(date);
  return {
    text,
    folded: foldValue(text),
    ...(number !== undefined && { number }),
    ...(date !== undefined && span && { date, span }),
  };
}

/** The pattern of LIKE as one of `wildcard.ts`. */
export function likePattern(pattern: string): string {
  let written = '';
  for (let i = 0; i < pattern.length; i++) {
    const char = pattern[i]!;
    if (char === '\\' && i + 1 < pattern.length) written += `\\${pattern[++i]}`;
    else if (char === '%') written += '*';
    else if (char === '_') written += '?';
    else written += char === '*' || char === '?' || char === '\\' ? `\\${char}` : char;
  }
  return written;
}
