/** What libxml2's messages mean to us. */
import type { ErrorCode } from '../core/errors.ts';

const MEANINGS: readonly (readonly [pattern: RegExp, code: ErrorCode])[] = [
  [/Excessive depth|maximum depth|nesting depth/i, 'xml.too-deep'],
  [/huge text node|too (?:big|long|large)|size limit|length limit/i, 'xml.too-large'],
  [
    /not proper UTF-8|Invalid bytes in character encoding|encoding error|Unsupported encoding|switching encoding/i,
    'xml.encoding',
  ],
  [/amplification|entity reference loop/i, 'xml.forbidden'],
];

export function failureCode(reason: string): ErrorCode {
  return MEANINGS.find(([pattern]) => pattern.test(reason))?.[1] ?? 'xml.malformed';
}
