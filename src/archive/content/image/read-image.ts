/**
 * Properties of an image from its headers; no pixel is decoded, so a hostile image has nothing to attack
 * and a large one costs nothing.
 */
import { readBmp, readIco } from './bitmap.ts';
import { readGif } from './gif.ts';
import type { ImageDraft, ImageProperties } from './image-properties.ts';
import { readIsoImage, readJpeg2000 } from './iso-media.ts';
import { readJpeg } from './jpeg.ts';
import { readPng } from './png.ts';
import { readTiff } from './tiff.ts';
import { readWebp } from './webp.ts';

type Reader = (file: Buffer, draft: ImageDraft) => void;

const READERS: Readonly<Record<string, { readonly format: string; readonly read: Reader }>> = {
  'image/png': { format: 'PNG', read: readPng },
  'image/jpeg': { format: 'JPEG', read: readJpeg },
  'image/gif': { format: 'GIF', read: readGif },
  'image/webp': { format: 'WebP', read: readWebp },
  'image/tiff': { format: 'TIFF', read: readTiff },
  'image/bmp': { format: 'BMP', read: readBmp },
  'image/x-icon': { format: 'ICO', read: readIco },
  'image/vnd.microsoft.icon': { format: 'ICO', read: readIco },
  'image/avif': { format: 'AVIF', read: readIsoImage },
  'image/heic': { format: 'HEIC', read: readIsoImage },
  'image/heif': { format: 'HEIF', read: readIsoImage },
  'image/jp2': { format: 'JPEG 2000', read: readJpeg2000 },
};

export interface ImageReading {
  readonly properties: ImageProperties;
  readonly problem?: string;
}

/** Undefined when the type is no image whose headers we read. */
export function readImage(bytes: Uint8Array, type: string): ImageReading | undefined {
  const reader = Object.hasOwn(READERS, type) ? READERS[type] : undefined;
  if (!reader) return undefined;
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const draft: ImageDraft = { format: reader.format };
  try {
    reader.read(file, draft);
  } catch (cause) {
    // Buffer's readers throw a RangeError beyond the end: the file is cut, or lies about its lengths.
    if (!(cause instanceof RangeError)) throw cause;
    return { properties: draft, problem: `the ${reader.format} file ends early or has wrong lengths` };
  }
  return { properties: draft };
}
