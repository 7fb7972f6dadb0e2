/** A simple PDS image (attached label, then lines of samples) as a picture. */
import { GarnerError } from '../../core/errors.ts';
import type { Converter } from './converter.ts';
import { convertRaster, type Raster } from './image.ts';
import { type PdsObject, parsePdsLabel } from './pds-label.ts';

/** There is no registered type. Not `image/…`: who asks for any picture wants one that can be looked at. */
export const PDS_IMAGE = 'application/x-pds-image';

export const pdsImageConverter: Converter = {
  name: 'pds-image',
  targets: (mediaType) => (mediaType === PDS_IMAGE ? ['image/png', 'image/jpeg', 'image/webp'] : []),
  convert: async (bytes, job) => convertRaster(readPdsImage(bytes), job),
};

interface Layout {
  readonly offset: number;
  readonly lines: number;
  readonly samples: number;
  readonly bands: number;
  readonly bytesPerSample: number;
  readonly read: (view: DataView, at: number) => number;
  /** Bytes before and behind the samples of each line. */
  readonly prefix: number;
  readonly suffix: number;
  readonly storage: string;
}

const MAX_SAMPLES = 100_000_000;

/** Three bands are red, green and blue; of any other number the first is shown. Samples of more than eight bits are stretched from the darkest to the brightest. */
export function readPdsImage(bytes: Uint8Array): Raster {
  const layout = readLayout(parsePdsLabel(bytes));
  const { lines, samples, bands, bytesPerSample, read } = layout;
  const channels = bands === 3 ? 3 : 1;
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const place = placing(layout);
  if (place(lines - 1, samples - 1, bands - 1) + bytesPerSample > bytes.length)
    throw broken(`the image should be larger: ${lines} lines of ${samples} samples do not fit into the file`);
  const each = function* (): Generator<number> {
    for (let line = 0; line < lines; line++)
      for (let sample = 0; sample < samples; sample++)
        for (let band = 0; band < channels; band++) yield read(view, place(line, sample, band));
  };
  const pixels = new Uint8Array(lines * samples * channels);
  const scale = bytesPerSample === 1 ? undefined : stretch(each());
  let at = 0;
  for (const value of each()) pixels[at++] = scale ? scale(value) : value;
  return { pixels, width: samples, height: lines, channels };
}

function stretch(values: Iterable<number>): (value: number) => number {
  let least = Number.POSITIVE_INFINITY;
  let most = Number.NEGATIVE_INFINITY;
  for (const value of values) {
    if (!Number.isFinite(value)) continue;
    if (value < least) least = value;
    if (value > most) most = value;
  }
  const factor = most > least ? 255 / (most - least) : 0;
  return (value) => (Number.isFinite(value) ? Math.round((value - least) * factor) : 0);
}

function placing({ offset, lines, samples, bands, bytesPerSample, prefix, suffix, storage }: Layout) {
  const row = prefix + samples * bytesPerSample + suffix;
  switch (storage) {
    case 'SAMPLE_INTERLEAVED': {
      const wide = prefix + samples * bands * bytesPerSample + suffix;
      return (line: number, sample: number, band: number) =>
        offset + line * wide + prefix + (sample * bands + band) * bytesPerSample;
    }
    case 'LINE_INTERLEAVED':
      return (line: number, sample: number, band: number) =>
        offset + (line * bands + band) * row + prefix + sample * bytesPerSample;
    default:
      return (line: number, sample: number, band: number) =>
        offset + (band * lines + line) * row + prefix + sample * bytesPerSample;
  }
}

function readLayout(label: PdsObject): Layout {
  const image = label.objects.find(({ name }) => name === 'IMAGE');
  if (!image) throw broken('the PDS label describes no IMAGE');
  const compression = image.values.get('ENCODING_TYPE');
  if (compression !== undefined && !/^(?:N\/A|NONE)$/i.test(compression))
    throw broken(`the image is packed (${compression})`);
  const bits = numberOf(image, 'SAMPLE_BITS', 8);
  const layout = {
    offset: offsetOf(label),
    lines: numberOf(image, 'LINES'),
    samples: numberOf(image, 'LINE_SAMPLES'),
    bands: numberOf(image, 'BANDS', 1),
    prefix: numberOf(image, 'LINE_PREFIX_BYTES', 0),
    suffix: numberOf(image, 'LINE_SUFFIX_BYTES', 0),
    bytesPerSample: bits / 8,
    read: sampleReader(image.values.get('SAMPLE_TYPE') ?? 'UNSIGNED_INTEGER', bits),
    storage: (image.values.get('BAND_STORAGE_TYPE') ?? 'BAND_SEQUENTIAL').toUpperCase(),
  };
  const { lines, samples, bands } = layout;
  if (lines < 1 || samples < 1 || bands < 1 || lines * samples * bands > MAX_SAMPLES)
    throw broken(`an image of ${lines} lines, ${samples} samples and ${bands} bands is not made`);
  return layout;
}

/** `^IMAGE = 12` counts records from 1, `^IMAGE = 1025 <BYTES>` bytes. */
function offsetOf({ values }: PdsObject): number {
  const pointer = values.get('^IMAGE') ?? '';
  const [, digits, unit] = /^(\d{1,12})\s*(<BYTES>)?$/i.exec(pointer) ?? [];
  if (digits === undefined) throw broken(`the image is not in the file of its label (^IMAGE = ${pointer})`);
  const before = Number(digits) - 1;
  const recordBytes = Number(values.get('RECORD_BYTES'));
  if (unit === undefined && !Number.isSafeInteger(recordBytes)) throw broken('RECORD_BYTES is missing');
  return unit === undefined ? before * recordBytes : before;
}

function numberOf({ values }: PdsObject, key: string, otherwise?: number): number {
  const text = values.get(key)?.replace(/<.*>/, '').trim() ?? '';
  if (/^\d{1,10}$/.test(text)) return Number(text);
  if (otherwise !== undefined && text === '') return otherwise;
  throw broken(`${key} is no number: "${text}"`);
}

function sampleReader(sampleType: string, bits: number): Layout['read'] {
  const type = sampleType.toUpperCase();
  const little = /^(?:LSB|PC|VAX)_/.test(type);
  const kind = /REAL$|FLOAT$/.test(type) ? 'real' : /UNSIGNED/.test(type) ? 'unsigned' : 'signed';
  const known: Readonly<Record<string, Layout['read']>> = {
    unsigned8: (view, at) => view.getUint8(at),
    // Moved up, so that the order of brightness stays.
    signed8: (view, at) => view.getInt8(at) + 128,
    unsigned16: (view, at) => view.getUint16(at, little),
    signed16: (view, at) => view.getInt16(at, little),
    unsigned32: (view, at) => view.getUint32(at, little),
    signed32: (view, at) => view.getInt32(at, little),
    real32: (view, at) => view.getFloat32(at, little),
    real64: (view, at) => view.getFloat64(at, little),
  };
  const read = type.startsWith('VAX') && kind === 'real' ? undefined : known[`${kind}${bits}`];
  if (!read) throw broken(`samples of type ${sampleType} with ${bits} bits are not read`);
  return read;
}

const broken = (message: string) => new GarnerError('product.conversion', message);
