/** Exif (JEITA CP-3451 / CIPA DC-008): what a camera wrote. */
import { normaliseDate } from '../../../core/time.ts';
import type { NamedValue } from '../metadata/extracted.ts';
import type { ExifProperties } from './image-properties.ts';
import {
  entryNumbers,
  entryText,
  openTiff,
  readDirectory,
  type TiffEntry,
  type TiffReader,
} from './tiff-directory.ts';

const NAMES: Readonly<Record<number, string>> = {
  270: 'ImageDescription',
  271: 'Make',
  272: 'Model',
  274: 'Orientation',
  305: 'Software',
  306: 'DateTime',
  315: 'Artist',
  33432: 'Copyright',
  33434: 'ExposureTime',
  33437: 'FNumber',
  34850: 'ExposureProgram',
  34855: 'ISOSpeedRatings',
  36864: 'ExifVersion',
  36867: 'DateTimeOriginal',
  36868: 'DateTimeDigitized',
  36880: 'OffsetTime',
  36881: 'OffsetTimeOriginal',
  37385: 'Flash',
  37386: 'FocalLength',
  40961: 'ColorSpace',
  40962: 'PixelXDimension',
  40963: 'PixelYDimension',
  41989: 'FocalLengthIn35mmFilm',
  42032: 'CameraOwnerName',
  42033: 'BodySerialNumber',
  42035: 'LensMake',
  42036: 'LensModel',
};
const EXIF_DIRECTORY = 0x8769;
const GPS_DIRECTORY = 0x8825;
const ASCII = 2;
const UNDEFINED = 7;

/** `tiff` is the block after `Exif\0\0`, or a whole TIFF file. */
export function readExif(tiff: Buffer): ExifProperties | undefined {
  const opened = openTiff(tiff);
  if (!opened) return undefined;
  const { reader } = opened;
  const { entries } = readDirectory(reader, opened.first);
  const pointer = (tag: number) => {
    const entry = entries.get(tag);
    return entry
      ? readDirectory(reader, entryNumbers(reader, entry)[0] ?? 0).entries
      : new Map<number, TiffEntry>();
  };
  const tags = [...listTags(reader, entries), ...listTags(reader, pointer(EXIF_DIRECTORY))];
  const position = readPosition(reader, pointer(GPS_DIRECTORY));
  if (tags.length === 0 && !position) return undefined;
  const valueOfTag = (name: string) => tags.find((tag) => tag.name === name)?.value;
  const camera = [valueOfTag('Make'), valueOfTag('Model')].filter(Boolean).join(' ');
  const orientation = Number(valueOfTag('Orientation'));
  const takenAt = exifDate(valueOfTag('DateTimeOriginal') ?? valueOfTag('DateTimeDigitized') ?? '');
  return {
    tags,
    ...(takenAt !== undefined && { takenAt }),
    ...(camera !== '' && { camera }),
    ...(orientation >= 1 && orientation <= 8 && { orientation }),
    ...(position && { position }),
  };
}

function listTags(reader: TiffReader, entries: ReadonlyMap<number, TiffEntry>): NamedValue[] {
  const tags: NamedValue[] = [];
  for (const entry of entries.values()) {
    const name = NAMES[entry.tag];
    if (name === undefined) continue;
    const value =
      entry.type === ASCII || entry.type === UNDEFINED
        ? entryText(reader, entry)
        : entryNumbers(reader, entry).map(shortNumber).join(' ');
    if (value !== '') tags.push({ name, value });
  }
  return tags;
}

const shortNumber = (value: number): string => String(Math.round(value * 1e6) / 1e6);

/** `2004:05:06 07:08:09` */
function exifDate(text: string): string | undefined {
  const match = /^(\d{4}):(\d\d):(\d\d) (\d\d:\d\d:\d\d)/.exec(text);
  return match ? normaliseDate(`${match[1]}-${match[2]}-${match[3]}T${match[4]}`) : undefined;
}

function readPosition(reader: TiffReader, gps: ReadonlyMap<number, TiffEntry>): ExifProperties['position'] {
  const degrees = (tag: number, reference: number, negative: string) => {
    const entry = gps.get(tag);
    const side = gps.get(reference);
    if (!entry) return undefined;
    const [whole = Number.NaN, minutes = 0, seconds = 0] = entryNumbers(reader, entry);
    const value = whole + (minutes || 0) / 60 + (seconds || 0) / 3600;
    const sign = side && entryText(reader, side).toUpperCase() === negative ? -1 : 1;
    return Math.round(sign * value * 1e7) / 1e7;
  };
  const latitude = degrees(2, 1, 'S');
  const longitude = degrees(4, 3, 'W');
  if (latitude === undefined || longitude === undefined) return undefined;
  if (!(Math.abs(latitude) <= 90 && Math.abs(longitude) <= 180)) return undefined;
  const height = gps.get(6);
  const metres = height && entryNumbers(reader, height)[0];
  const below = gps.get(5);
  const sign = below && entryNumbers(reader, below)[0] === 1 ? -1 : 1;
  return {
    latitude,
    longitude,
    ...(metres !== undefined &&
      Number.isFinite(metres) && { altitude: (sign * Math.round(metres * 100)) / 100 }),
  };
}
