/** Windows bitmaps and icons. */
import { fromPerMetre, type ImageDraft } from './image-properties.ts';

const COMPRESSIONS = ['none', 'RLE 8', 'RLE 4', 'bit fields', 'JPEG', 'PNG', 'bit fields with alpha'];

export function readBmp(file: Buffer, draft: ImageDraft): void {
  draft.byteOrder = 'little-endian';
  const header = file.readUInt32LE(14);
  if (header === 12) {
    draft.width = file.readUInt16LE(18);
    draft.height = file.readUInt16LE(20);
    setBits(draft, file.readUInt16LE(24));
    draft.compression = 'none';
    return;
  }
  draft.width = Math.abs(file.readInt32LE(18));
  // Negative when the rows run from top to bottom.
  draft.height = Math.abs(file.readInt32LE(22));
  setBits(draft, file.readUInt16LE(28));
  draft.compression = COMPRESSIONS[file.readUInt32LE(30)] ?? 'unknown';
  const x = file.readInt32LE(38);
  const y = file.readInt32LE(42);
  if (x > 0 && y > 0) draft.resolution = { x: fromPerMetre(x), y: fromPerMetre(y) };
}

function setBits(draft: ImageDraft, bitsPerPixel: number): void {
  const samples = bitsPerPixel === 32 ? 4 : bitsPerPixel >= 16 ? 3 : 1;
  draft.samplesPerPixel = samples;
  draft.bitDepth = Math.floor(bitsPerPixel / samples);
  draft.colourSpace = samples === 1 ? 'palette' : 'RGB';
}

/** The largest of an icon's images stands for it; 0 means 256. */
export function readIco(file: Buffer, draft: ImageDraft): void {
  draft.byteOrder = 'little-endian';
  const count = file.readUInt16LE(4);
  draft.frames = count;
  for (let index = 0; index < count; index++) {
    const at = 6 + index * 16;
    const width = file.readUInt8(at) || 256;
    const height = file.readUInt8(at + 1) || 256;
    if (width < (draft.width ?? 0)) continue;
    draft.width = width;
    draft.height = height;
    setBits(draft, file.readUInt16LE(at + 6));
  }
}
