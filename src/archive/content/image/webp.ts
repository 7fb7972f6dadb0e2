/** WebP (RFC 9649). */
import { readExif } from './exif.ts';
import type { ImageDraft } from './image-properties.ts';
import { parseXmp } from './xmp.ts';

export function readWebp(file: Buffer, draft: ImageDraft): void {
  draft.byteOrder = 'little-endian';
  draft.bitDepth = 8;
  let frames = 0;
  for (let at = 12; at + 8 <= file.length; ) {
    const type = file.toString('latin1', at, at + 4);
    const length = file.readUInt32LE(at + 4);
    const chunk = file.subarray(at + 8, at + 8 + length);
    if (type === 'VP8X') {
      draft.width = chunk.readUIntLE(4, 3) + 1;
      draft.height = chunk.readUIntLE(7, 3) + 1;
      draft.samplesPerPixel = (chunk.readUInt8(0) & 0x10) === 0 ? 3 : 4;
    } else if (type === 'VP8 ') {
      draft.compression ??= 'VP8';
      draft.colourSpace ??= 'YCbCr';
      draft.samplesPerPixel ??= 3;
      draft.width ??= chunk.readUInt16LE(6) & 0x3fff;
      draft.height ??= chunk.readUInt16LE(8) & 0x3fff;
    } else if (type === 'VP8L') {
      draft.compression ??= 'VP8 lossless';
      draft.colourSpace ??= 'RGB';
      const bits = chunk.readUInt32LE(1);
      draft.width ??= (bits & 0x3fff) + 1;
      draft.height ??= ((bits >>> 14) & 0x3fff) + 1;
      draft.samplesPerPixel ??= ((bits >>> 28) & 1) === 1 ? 4 : 3;
    } else if (type === 'ANMF') draft.frames = ++frames;
    else if (type === 'ICCP') draft.colourProfile = 'ICC';
    else if (type === 'EXIF') {
      const exif = readExif(chunk.toString('latin1', 0, 6) === 'Exif\0\0' ? chunk.subarray(6) : chunk);
      if (exif) draft.exif = exif;
    } else if (type === 'XMP ') draft.xmp = parseXmp(chunk.toString('utf8'));
    at += 8 + length + (length & 1);
  }
}
