/** PNG, JPEG and WebP of one another and of some older kinds of pictures, smaller where that is asked for. */
import type { Sharp, SharpOptions } from 'sharp';
import { GarnerError } from '../../core/errors.ts';
import type { ConversionJob, Converter } from './converter.ts';

const MADE = ['image/png', 'image/jpeg', 'image/webp'] as const;
const READ: ReadonlySet<string> = new Set([...MADE, 'image/gif', 'image/tiff']);
/** A picture of a few hundred bytes may say that it is larger than the memory. */
const MAX_PIXELS = 100_000_000;

/** What others sent is read by these and by nothing else: no SVG, PDF or script of ImageMagick, whatever its name. */
const LOADERS = ['Png', 'Jpeg', 'Webp', 'Nsgif', 'Tiff'].map((kind) => `VipsForeignLoad${kind}`);

let loaded: Promise<typeof import('sharp').default> | undefined;

/** When the first picture comes: it is large, and most servers never need it. */
function loadSharp(): Promise<typeof import('sharp').default> {
  loaded ??= import('sharp').then(({ default: sharp }) => {
    sharp.block({ operation: ['VipsForeignLoad'] });
    sharp.unblock({ operation: LOADERS });
    sharp.cache(false);
    sharp.concurrency(1);
    return sharp;
  });
  return loaded;
}

export const imageConverter: Converter = {
  name: 'image',
  targets: (mediaType) => (READ.has(mediaType) ? MADE : []),
  convert: async (bytes, job) => {
    const picture = await openPicture(bytes, { failOn: 'error' });
    return writePicture(picture.autoOrient(), job);
  },
};

export interface Raster {
  readonly pixels: Uint8Array;
  readonly width: number;
  readonly height: number;
  readonly channels: 1 | 3;
}

export async function convertRaster({ pixels, ...raw }: Raster, job: ConversionJob): Promise<Uint8Array> {
  const picture = await openPicture(pixels, { raw });
  return writePicture(raw.channels === 1 ? picture.toColourspace('b-w') : picture, job);
}

async function openPicture(bytes: Uint8Array, options: SharpOptions): Promise<Sharp> {
  if (bytes.length === 0)
    throw new GarnerError('product.conversion', 'there is no picture: the product is empty');
  const sharp = await loadSharp();
  return sharp(bytes, { limitInputPixels: MAX_PIXELS, ...options });
}

async function writePicture(picture: Sharp, { to, width, height }: ConversionJob): Promise<Uint8Array> {
  const scaled =
    width === undefined && height === undefined
      ? picture
      : picture.resize({
          ...(width !== undefined && { width }),
          ...(height !== undefined && { height }),
          fit: 'inside',
          withoutEnlargement: true,
        });
  try {
    return await encode(scaled, to).toBuffer();
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new GarnerError('product.conversion', `the picture cannot be read: ${reason}`, { cause });
  }
}

function encode(picture: Sharp, to: string): Sharp {
  switch (to) {
    case 'image/jpeg':
      // JPEG has no transparency; what was seen through was most often white.
      return picture.flatten({ background: '#ffffff' }).jpeg();
    case 'image/webp':
      return picture.webp();
    default:
      return picture.png();
  }
}
