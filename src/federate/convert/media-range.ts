/** Media types that are wanted, in order of preference: `image/png`, `image/*`, `text/xml; format=oai_dc`. */
import { parseMediaType } from '../../archive/content/media-type.ts';
import { GarnerError } from '../../core/errors.ts';

export interface MediaRange {
  /** `type/subtype`, where `*` stands for any. */
  readonly type: string;
  /** Of records: the metadata format that is wanted. */
  readonly format?: string;
}

const ANYTHING: MediaRange = { type: '*/*' };
/** The same thing by two names (RFC 7303 §4.2). */
const SYNONYMS: Readonly<Record<string, string>> = { 'text/xml': 'application/xml' };

/** Without any, everything is wanted. Throws `request.invalid`. */
export function parseMediaRanges(list: readonly string[]): readonly MediaRange[] {
  const ranges = list
    .filter((text) => text.trim() !== '')
    .map((text): MediaRange => {
      const parsed = parseMediaType(text.trim() === '*' ? '*/*' : text);
      if (!parsed) throw new GarnerError('request.invalid', `mime: "${text}" is no media type`);
      const format = parsed.parameters.get('format');
      return { type: parsed.essence, ...(format !== undefined && { format }) };
    });
  return ranges.length > 0 ? ranges : [ANYTHING];
}

export function fitsRange(range: MediaRange, mediaType: string, format?: string): boolean {
  if (range.format !== undefined && range.format !== format) return false;
  const [wanted, type] = [canonical(range.type), canonical(mediaType)];
  if (wanted === '*/*' || wanted === type) return true;
  return (
    wanted.endsWith('/*') && [type, essence(mediaType)].some((name) => name.startsWith(wanted.slice(0, -1)))
  );
}

const essence = (mediaType: string): string => mediaType.split(';', 1)[0]!.trim().toLowerCase();

function canonical(mediaType: string): string {
  const plain = essence(mediaType);
  return SYNONYMS[plain] ?? plain;
}
