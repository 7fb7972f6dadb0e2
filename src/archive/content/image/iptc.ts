/** IPTC-IIM 4.2, as Photoshop puts it into JPEG files: what picture desks wrote. */
import type { NamedValue } from '../metadata/extracted.ts';
import { MAX_IMAGE_TEXTS } from './image-properties.ts';

/** Of the application record (2). */
const NAMES: Readonly<Record<number, string>> = {
  5: 'ObjectName',
  7: 'EditStatus',
  10: 'Urgency',
  15: 'Category',
  20: 'SupplementalCategory',
  25: 'Keywords',
  40: 'SpecialInstructions',
  55: 'DateCreated',
  60: 'TimeCreated',
  80: 'Byline',
  85: 'BylineTitle',
  90: 'City',
  92: 'SubLocation',
  95: 'Province',
  100: 'CountryCode',
  101: 'Country',
  103: 'OriginalTransmissionReference',
  105: 'Headline',
  110: 'Credit',
  115: 'Source',
  116: 'CopyrightNotice',
  118: 'Contact',
  120: 'Caption',
  122: 'CaptionWriter',
};
const MARKER = 0x1c;
const IPTC_RESOURCE = 0x0404;

/** The image resource block of an APP13 segment. */
export function readPhotoshopIptc(segment: Buffer): NamedValue[] | undefined {
  const header = 'Photoshop 3.0\0';
  if (segment.toString('latin1', 0, header.length) !== header) return undefined;
  for (let at = header.length; at + 12 <= segment.length; ) {
    if (segment.toString('latin1', at, at + 4) !== '8BIM') return undefined;
    const id = segment.readUInt16BE(at + 4);
    // A Pascal string, padded to an even length with its length byte.
    const name = segment.readUInt8(at + 6) + 1;
    const sizeAt = at + 6 + name + (name & 1);
    if (sizeAt + 4 > segment.length) return undefined;
    const size = segment.readUInt32BE(sizeAt);
    const data = segment.subarray(sizeAt + 4, sizeAt + 4 + size);
    if (id === IPTC_RESOURCE) return readIptc(data);
    at = sizeAt + 4 + size + (size & 1);
  }
  return undefined;
}

export function readIptc(data: Buffer): NamedValue[] {
  const values: NamedValue[] = [];
  /** ESC % G in record 1, dataset 90, says UTF-8; without it, it is anyone's guess. */
  let utf8 = false;
  for (let at = 0; at + 5 <= data.length && data[at] === MARKER && values.length < MAX_IMAGE_TEXTS; ) {
    const record = data.readUInt8(at + 1);
    const dataset = data.readUInt8(at + 2);
    const length = data.readUInt16BE(at + 3);
    // Extended lengths are for pictures inside pictures.
    if (length > 0x7fff) break;
    const value = data.subarray(at + 5, at + 5 + length);
    if (record === 1 && dataset === 90) utf8 = value.includes('\x1b%G');
    const name = record === 2 ? NAMES[dataset] : undefined;
    if (name !== undefined) values.push({ name, value: decode(value, utf8).trim() });
    at += 5 + length;
  }
  return values;
}

function decode(bytes: Buffer, utf8: boolean): string {
  const text = bytes.toString('utf8');
  return utf8 || !text.includes('\ufffd') ? text : bytes.toString('latin1');
}
