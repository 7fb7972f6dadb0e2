/** Images in boxes: AVIF, HEIF (ISO 23008-12) and JPEG 2000 (ISO 15444-1 annex I). */
import { fromPerMetre, type ImageDraft } from './image-properties.ts';

interface Box {
  readonly type: string;
  readonly body: Buffer;
}

const MAX_BOXES = 2_000;

function* listBoxes(bytes: Buffer): Generator<Box> {
  let at = 0;
  for (let count = 0; at + 8 <= bytes.length && count < MAX_BOXES; count++) {
    const type = bytes.toString('latin1', at + 4, at + 8);
    let size = bytes.readUInt32BE(at);
    let head = 8;
    if (size === 1) {
      size = Number(bytes.readBigUInt64BE(at + 8));
      head = 16;
    } else if (size === 0) size = bytes.length - at;
    if (size < head) return;
    yield { type, body: bytes.subarray(at + head, at + size) };
    at += size;
  }
}

const find = (bytes: Buffer, type: string): Buffer | undefined => {
  for (const box of listBoxes(bytes)) if (box.type === type) return box.body;
  return undefined;
};

export function readIsoImage(file: Buffer, draft: ImageDraft): void {
  draft.byteOrder = 'big-endian';
  draft.compression = draft.format === 'AVIF' ? 'AV1' : 'HEVC';
  const meta = find(file, 'meta');
  // `meta` is a full box: version and flags come before its children.
  const properties = meta && find(meta.subarray(4), 'iprp');
  const container = properties && find(properties, 'ipco');
  if (!container) return;
  for (const { type, body } of listBoxes(container)) {
    if (type === 'ispe') {
      // Thumbnails and tiles have sizes, too: the largest is the picture's.
      const width = body.readUInt32BE(4);
      const height = body.readUInt32BE(8);
      if (width * height > (draft.width ?? 0) * (draft.height ?? 0)) {
        draft.width = width;
        draft.height = height;
      }
    } else if (type === 'pixi') {
      draft.samplesPerPixel ??= body.readUInt8(4);
      draft.bitDepth ??= body.readUInt8(5);
    } else if (type === 'colr') readColour(body, draft);
  }
}

/** ISO 23091-2: the few that occur. */
const PRIMARIES: Readonly<Record<number, string>> = { 1: 'BT.709', 9: 'BT.2020', 12: 'Display P3' };

function readColour(body: Buffer, draft: ImageDraft): void {
  const kind = body.toString('latin1', 0, 4);
  if (kind === 'nclx') draft.colourSpace = PRIMARIES[body.readUInt16BE(4)] ?? 'YCbCr';
  else if (kind === 'prof' || kind === 'rICC') draft.colourProfile = 'ICC';
}

const ENUMERATED: Readonly<Record<number, string>> = { 12: 'CMYK', 16: 'sRGB', 17: 'greyscale', 18: 'YCbCr' };

export function readJpeg2000(file: Buffer, draft: ImageDraft): void {
  draft.byteOrder = 'big-endian';
  draft.compression = 'JPEG 2000';
  const header = find(file, 'jp2h');
  if (!header) return;
  for (const { type, body } of listBoxes(header)) {
    if (type === 'ihdr') {
      draft.height = body.readUInt32BE(0);
      draft.width = body.readUInt32BE(4);
      draft.samplesPerPixel = body.readUInt16BE(8);
      draft.bitDepth = (body.readUInt8(10) & 0x7f) + 1;
    } else if (type === 'colr') {
      if (body.readUInt8(0) === 1) draft.colourSpace = ENUMERATED[body.readUInt32BE(3)] ?? 'unknown';
      else draft.colourProfile = 'ICC';
    } else if (type === 'res ') {
      const capture = find(body, 'resc') ?? find(body, 'resd');
      if (capture) {
        const scale = (at: number, exponent: number) =>
          (capture.readUInt16BE(at) / (capture.readUInt16BE(at + 2) || 1)) * 10 ** capture.readInt8(exponent);
        draft.resolution = { x: fromPerMetre(scale(4, 9)), y: fromPerMetre(scale(0, 8)) };
      }
    }
  }
}
