/** JPEG (ITU-T T.81), its JFIF and Exif wrappings, and the segments of Photoshop. */
import type { NamedValue } from '../metadata/extracted.ts';
import { readExif } from './exif.ts';
import { fromPerCentimetre, type ImageDraft, MAX_IMAGE_TEXTS } from './image-properties.ts';
import { readPhotoshopIptc } from './iptc.ts';
import { parseXmp } from './xmp.ts';

const COMPRESSIONS: Readonly<Record<number, string>> = {
  192: 'JPEG baseline',
  193: 'JPEG extended sequential',
  194: 'JPEG progressive',
  195: 'JPEG lossless',
  201: 'JPEG extended sequential, arithmetic',
  202: 'JPEG progressive, arithmetic',
  203: 'JPEG lossless, arithmetic',
};
const START_OF_SCAN = 0xda;
const END = 0xd9;
const XMP_HEADER = 'http://ns.adobe.com/xap/1.0/\0';

export function readJpeg(file: Buffer, draft: ImageDraft): void {
  const comments: NamedValue[] = [];
  /** Of Adobe's segment: 0 for RGB or CMYK, 1 for YCbCr, 2 for YCCK. */
  let transform: number | undefined;
  draft.byteOrder = 'big-endian';
  for (let at = 2; at + 4 <= file.length; ) {
    if (file[at] !== 0xff) {
      // Junk between segments is skipped up to the next marker.
      at = file.indexOf(0xff, at);
      if (at < 0) break;
      continue;
    }
    const marker = file.readUInt8(at + 1);
    if (marker === 0xff) {
      at++;
      continue;
    }
    if (marker === END || marker === START_OF_SCAN) break;
    if (marker === 0x01 || (marker >= 0xd0 && marker <= 0xd8)) {
      at += 2;
      continue;
    }
    const length = file.readUInt16BE(at + 2);
    const segment = file.subarray(at + 4, at + 2 + Math.max(2, length));
    const compression = COMPRESSIONS[marker];
    if (compression !== undefined) {
      draft.compression = compression;
      draft.bitDepth = segment.readUInt8(0);
      draft.height = segment.readUInt16BE(1);
      draft.width = segment.readUInt16BE(3);
      draft.samplesPerPixel = segment.readUInt8(5);
    } else if (marker === 0xe0) readJfif(segment, draft);
    else if (marker === 0xe1) readApplicationOne(segment, draft);
    else if (marker === 0xe2 && segment.toString('latin1', 0, 11) === 'ICC_PROFILE')
      draft.colourProfile ??= 'ICC';
    else if (marker === 0xed) readApplicationThirteen(segment, draft);
    else if (marker === 0xee && segment.toString('latin1', 0, 5) === 'Adobe') transform = segment[11];
    else if (marker === 0xfe && comments.length < MAX_IMAGE_TEXTS) {
      comments.push({ name: 'Comment', value: segment.toString('utf8') });
      draft.texts = comments;
    }
    at += 2 + Math.max(2, length);
  }
  const colourSpace = colourSpaceOf(draft.samplesPerPixel, transform);
  if (colourSpace !== undefined) draft.colourSpace = colourSpace;
}

function readJfif(segment: Buffer, draft: ImageDraft): void {
  if (segment.toString('latin1', 0, 5) !== 'JFIF\0') return;
  const unit = segment.readUInt8(7);
  const x = segment.readUInt16BE(8);
  const y = segment.readUInt16BE(10);
  if (unit === 1) draft.resolution = { x, y };
  if (unit === 2) draft.resolution = { x: fromPerCentimetre(x), y: fromPerCentimetre(y) };
}

function readApplicationOne(segment: Buffer, draft: ImageDraft): void {
  if (segment.toString('latin1', 0, 6) === 'Exif\0\0') {
    const exif = readExif(segment.subarray(6));
    if (exif) draft.exif ??= exif;
  } else if (segment.toString('latin1', 0, XMP_HEADER.length) === XMP_HEADER)
    draft.xmp ??= parseXmp(segment.toString('utf8', XMP_HEADER.length));
}

function readApplicationThirteen(segment: Buffer, draft: ImageDraft): void {
  const iptc = readPhotoshopIptc(segment);
  if (iptc) draft.iptc ??= iptc;
}

function colourSpaceOf(samples: number | undefined, transform: number | undefined): string | undefined {
  if (samples === 1) return 'greyscale';
  if (samples === 3) return transform === 0 ? 'RGB' : 'YCbCr';
  if (samples === 4) return transform === 2 ? 'YCCK' : 'CMYK';
  return undefined;
}
