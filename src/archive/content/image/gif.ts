/** GIF (CompuServe, versions 87a and 89a). */
import type { NamedValue } from '../metadata/extracted.ts';
import { type ImageDraft, MAX_IMAGE_TEXTS } from './image-properties.ts';
import { parseXmp } from './xmp.ts';

const EXTENSION = 0x21;
const IMAGE = 0x2c;

export function readGif(file: Buffer, draft: ImageDraft): void {
  const texts: NamedValue[] = [];
  draft.compression = 'LZW';
  draft.colourSpace = 'palette';
  draft.byteOrder = 'little-endian';
  draft.samplesPerPixel = 1;
  draft.width = file.readUInt16LE(6);
  draft.height = file.readUInt16LE(8);
  const flags = file.readUInt8(10);
  draft.bitDepth = (flags & 0x80) === 0 ? ((flags >> 4) & 7) + 1 : (flags & 7) + 1;
  let at = 13 + tableSize(flags);
  let frames = 0;
  while (at < file.length) {
    const kind = file.readUInt8(at);
    if (kind === IMAGE) {
      frames++;
      draft.frames = frames;
      at = afterBlocks(file, at + 10 + tableSize(file.readUInt8(at + 9)) + 1);
    } else if (kind === EXTENSION) {
      const label = file.readUInt8(at + 1);
      const end = afterBlocks(file, at + 2);
      if (label === 0xfe && texts.length < MAX_IMAGE_TEXTS) {
        texts.push({ name: 'Comment', value: blocksText(file, at + 2) });
        draft.texts = texts;
      } else if (label === 0xff && file.toString('latin1', at + 3, at + 14) === 'XMP DataXMP') {
        // XMP lies across the block structure, followed by 257 bytes that lead any reader to its end.
        draft.xmp = parseXmp(file.toString('utf8', at + 14, Math.max(at + 14, end - 258)));
      }
      at = end;
    } else return;
  }
}

const tableSize = (flags: number): number => ((flags & 0x80) === 0 ? 0 : 3 * 2 ** ((flags & 7) + 1));

function afterBlocks(file: Buffer, from: number): number {
  let at = from;
  for (;;) {
    const size = file.readUInt8(at);
    if (size === 0) return at + 1;
    at += size + 1;
  }
}

function blocksText(file: Buffer, from: number): string {
  const parts: Buffer[] = [];
  for (let at = from; parts.length < 64; ) {
    const size = file.readUInt8(at);
    if (size === 0) break;
    parts.push(file.subarray(at + 1, at + 1 + size));
    at += size + 1;
  }
  return Buffer.concat(parts).toString('utf8');
}
