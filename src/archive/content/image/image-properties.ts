/** What an image file tells about itself: the technical facts that MIX wants, and the embedded descriptions. */
import type { NamedValue } from '../metadata/extracted.ts';

export interface ImageProperties {
  readonly format: string;
  readonly width?: number;
  readonly height?: number;
  /** Bits of one sample. */
  readonly bitDepth?: number;
  readonly samplesPerPixel?: number;
  readonly colourSpace?: string;
  readonly compression?: string;
  readonly byteOrder?: 'little-endian' | 'big-endian';
  /** Pixels per inch. */
  readonly resolution?: { readonly x: number; readonly y: number };
  readonly colourProfile?: string;
  readonly frames?: number;
  readonly exif?: ExifProperties;
  readonly iptc?: readonly NamedValue[];
  readonly xmp?: readonly NamedValue[];
  /** Comments and text chunks. */
  readonly texts?: readonly NamedValue[];
}

export interface ExifProperties {
  readonly tags: readonly NamedValue[];
  /** When the picture was taken, normalised; the camera's clock had no zone. */
  readonly takenAt?: string;
  readonly camera?: string;
  /** 1 to 8, as in the standard. */
  readonly orientation?: number;
  readonly position?: { readonly latitude: number; readonly longitude: number; readonly altitude?: number };
}

/** Filled while the file is read, so that a cut file still gives what it has. */
export type ImageDraft = { -readonly [K in keyof ImageProperties]: ImageProperties[K] };

const CM_PER_INCH = 2.54;
export const fromPerMetre = (value: number): number => Math.round(value * CM_PER_INCH) / 100;
export const fromPerCentimetre = (value: number): number => Math.round(value * CM_PER_INCH * 100) / 100;
export const MAX_IMAGE_TEXTS = 200;
