/** The stored record of a capture. */
import { GarnerError } from '../../core/errors.ts';
import { parseJson } from '../../formats/extract-json.ts';
import type { WebCapture } from '../../formats/web-capture.ts';

export function parseCapture(bytes: Uint8Array): WebCapture {
  const value = parseJson(bytes);
  if (isCapture(value)) return value;
  throw new GarnerError('store.corrupt', 'a stored description of a capture is none');
}

const isCapture = (value: unknown): value is WebCapture =>
  typeof value === 'object' && value !== null && 'webCapture' in value && 'added' in value;
