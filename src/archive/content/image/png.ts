/** PNG (W3C Portable Network Graphics, third edition). */
import { inflateSync } from 'node:zlib';
import type { NamedValue } from '../metadata/extracted.ts';
import { readExif } from './exif.ts';
import { fromPerMetre, type ImageDraft, MAX_IMAGE_TEXTS } from './image-properties.ts';
import { parseXmp } from './xmp.ts';

const COLOUR_TYPES: Readonly<Record<number, readonly [space: string, samples: number]>> = {
  0: ['greyscale', 1],
  2: ['RGB', 3],
  3: ['palette', 1],
  4: ['greyscale with alpha', 2],
  6: ['RGB with alpha', 4],
};
const XMP_KEYWORD = 'XML:com.adobe.xmp';
const MAX_TEXT = 1 << 20;

export function readPng(file: Buffer, draft: ImageDraft): void {
  const texts: NamedValue[] = [];
  draft.compression = 'deflate';
  draft.byteOrder = 'big-endian';
  for (let at = 8; at + 8 <= file.length; ) {
    const length = file.readUInt32BE(at);
    const type = file.toString('latin1', at + 4, at + 8);
    const chunk = file.subarray(at + 8, at + 8 + length);
    if (type === 'IHDR') readHeader(chunk, draft);
    else if (type === 'pHYs' && chunk.readUInt8(8) === 1)
      draft.resolution = { x: fromPerMetre(chunk.readUInt32BE(0)), y: fromPerMetre(chunk.readUInt32BE(4)) };
    else if (type === 'iCCP') draft.colourProfile = keywordOf(chunk).keyword;
    else if (type === 'sRGB') draft.colourProfile ??= 'sRGB';
    else if (type === 'acTL') draft.frames = chunk.readUInt32BE(0);
    else if (type === 'eXIf') {
      const exif = readExif(chunk);
      if (exif) draft.exif = exif;
    } else if (type === 'tEXt' || type === 'zTXt' || type === 'iTXt') {
      const text = readText(chunk, type);
      if (text?.name === XMP_KEYWORD) draft.xmp = parseXmp(text.value);
      else if (text && texts.length < MAX_IMAGE_TEXTS) texts.push(text);
      if (texts.length > 0) draft.texts = texts;
    } else if (type === 'IEND') return;
    at += 12 + length;
  }
}

function readHeader(chunk: Buffer, draft: ImageDraft): void {
  draft.width = chunk.readUInt32BE(0);
  draft.height = chunk.readUInt32BE(4);
  draft.bitDepth = chunk.readUInt8(8);
  const colour = COLOUR_TYPES[chunk.readUInt8(9)];
  if (colour) [draft.colourSpace, draft.samplesPerPixel] = colour;
}

function keywordOf(chunk: Buffer): { readonly keyword: string; readonly rest: Buffer } {
  const end = chunk.subarray(0, 80).indexOf(0);
  return end < 0
    ? { keyword: '', rest: Buffer.alloc(0) }
    : { keyword: chunk.toString('latin1', 0, end), rest: chunk.subarray(end + 1) };
}

function readText(chunk: Buffer, type: 'tEXt' | 'zTXt' | 'iTXt'): NamedValue | undefined {
  const { keyword, rest } = keywordOf(chunk);
  if (keyword === '') return undefined;
  if (type === 'tEXt') return { name: keyword, value: rest.toString('latin1', 0, MAX_TEXT) };
  if (type === 'zTXt') return named(keyword, inflate(rest.subarray(1))?.toString('latin1'));
  // Compression flag and method, then language and translated keyword, each ended by zero.
  const packed = rest[0] === 1;
  const language = rest.indexOf(0, 2);
  const translated = language < 0 ? -1 : rest.indexOf(0, language + 1);
  if (translated < 0) return undefined;
  const body = rest.subarray(translated + 1);
  return named(keyword, (packed ? inflate(body) : body.subarray(0, MAX_TEXT))?.toString('utf8'));
}

const named = (name: string, value: string | undefined): NamedValue | undefined =>
  value === undefined ? undefined : { name, value };

function inflate(packed: Buffer): Buffer | undefined {
  try {
    return inflateSync(packed, { maxOutputLength: MAX_TEXT });
  } catch {
    // Damaged, or a bomb: a comment that cannot be read is no comment.
    return undefined;
  }
}
