/** MIX 2.0 (NISO Z39.87): what an image file tells of itself. Element order is that of mix20.xsd. */
import { rawXml, xml } from '../xml/write.ts';

export const MIX = {
  namespace: 'http://www.loc.gov/mix/v20',
  schema: 'http://www.loc.gov/standards/mix/mix20/mix20.xsd',
  version: '2.0',
} as const;

export interface MixImage {
  readonly url: string;
  readonly size: number;
  readonly mediaType: string;
  readonly sha256: string;
  readonly width?: number;
  readonly height?: number;
  readonly bitDepth?: number;
  readonly samplesPerPixel?: number;
  readonly colourSpace?: string;
  readonly compression?: string;
  readonly byteOrder?: 'little-endian' | 'big-endian';
  /** Pixels per inch. */
  readonly resolution?: { readonly x: number; readonly y: number };
}

/** A file with more samples than this in a pixel lies. */
const MAX_SAMPLES = 32;

/** One element without namespace declarations; the prefix `mix` must be bound. */
export function writeMix(image: MixImage): string {
  const { width, height, colourSpace, compression, byteOrder } = image;
  const object = xml`<mix:BasicDigitalObjectInformation><mix:ObjectIdentifier><mix:objectIdentifierType>URL</mix:objectIdentifierType><mix:objectIdentifierValue>${image.url}</mix:objectIdentifierValue></mix:ObjectIdentifier><mix:fileSize>${image.size}</mix:fileSize><mix:FormatDesignation><mix:formatName>${image.mediaType}</mix:formatName></mix:FormatDesignation>${rawXml(
    byteOrder === undefined
      ? ''
      : xml`<mix:byteOrder>${byteOrder === 'big-endian' ? 'big endian' : 'little endian'}</mix:byteOrder>`,
    compression === undefined
      ? ''
      : xml`<mix:Compression><mix:compressionScheme>${compression}</mix:compressionScheme></mix:Compression>`,
  )}<mix:Fixity><mix:messageDigestAlgorithm>SHA-256</mix:messageDigestAlgorithm><mix:messageDigest>${image.sha256}</mix:messageDigest></mix:Fixity></mix:BasicDigitalObjectInformation>`;
  // Widths of 0 stand in broken files; the schema wants positive ones.
  const characteristics = [
    width ? xml`<mix:imageWidth>${width}</mix:imageWidth>` : '',
    height ? xml`<mix:imageHeight>${height}</mix:imageHeight>` : '',
    colourSpace === undefined
      ? ''
      : xml`<mix:PhotometricInterpretation><mix:colorSpace>${colourSpace}</mix:colorSpace></mix:PhotometricInterpretation>`,
  ].join('');
  const information =
    characteristics === ''
      ? ''
      : `<mix:BasicImageInformation><mix:BasicImageCharacteristics>${characteristics}</mix:BasicImageCharacteristics></mix:BasicImageInformation>`;
  return `<mix:mix>${object}${information}${writeAssessment(image)}</mix:mix>`;
}

function writeAssessment({ resolution, bitDepth, samplesPerPixel }: MixImage): string {
  const spatial =
    resolution && isLikely(resolution.x) && isLikely(resolution.y)
      ? `<mix:SpatialMetrics><mix:samplingFrequencyUnit>in.</mix:samplingFrequencyUnit><mix:xSamplingFrequency>${writeRational(resolution.x)}</mix:xSamplingFrequency><mix:ySamplingFrequency>${writeRational(resolution.y)}</mix:ySamplingFrequency></mix:SpatialMetrics>`
      : '';
  const samples = samplesPerPixel && samplesPerPixel <= MAX_SAMPLES ? samplesPerPixel : undefined;
  const bits = bitDepth
    ? `<mix:BitsPerSample>${`<mix:bitsPerSampleValue>${bitDepth}</mix:bitsPerSampleValue>`.repeat(samples ?? 1)}<mix:bitsPerSampleUnit>integer</mix:bitsPerSampleUnit></mix:BitsPerSample>`
    : '';
  const colour =
    bits === '' && samples === undefined
      ? ''
      : `<mix:ImageColorEncoding>${bits}${samples === undefined ? '' : `<mix:samplesPerPixel>${samples}</mix:samplesPerPixel>`}</mix:ImageColorEncoding>`;
  return spatial + colour === ''
    ? ''
    : `<mix:ImageAssessmentMetadata>${spatial}${colour}</mix:ImageAssessmentMetadata>`;
}

/** Headers that lie give zero, nothing or no number at all. */
const isLikely = (value: number): boolean => value >= 0.01 && value <= 1_000_000;

/** Two decimals are what readers of image headers give. */
function writeRational(value: number): string {
  const whole = Number.isInteger(value);
  return `<mix:numerator>${whole ? value : Math.round(value * 100)}</mix:numerator><mix:denominator>${whole ? 1 : 100}</mix:denominator>`;
}
