/** TIFF 6.0: the first image of the file, and how many there are. */
import { readExif } from './exif.ts';
import { fromPerCentimetre, type ImageDraft } from './image-properties.ts';
import { readIptc } from './iptc.ts';
import { entryBytes, entryNumbers, entryText, openTiff, readDirectory } from './tiff-directory.ts';
import { parseXmp } from './xmp.ts';

const COMPRESSIONS: Readonly<Record<number, string>> = {
  1: 'none',
  2: 'CCITT 1D',
  3: 'CCITT Group 3',
  4: 'CCITT Group 4',
  5: 'LZW',
  6: 'JPEG (old)',
  7: 'JPEG',
  8: 'deflate',
  32773: 'PackBits',
  32946: 'deflate',
  34712: 'JPEG 2000',
  50000: 'zstd',
  50001: 'WebP',
};
const COLOUR_SPACES = ['WhiteIsZero', 'BlackIsZero', 'RGB', 'palette', 'transparency mask', 'CMYK', 'YCbCr'];
const MAX_PAGES = 10_000;

export function readTiff(file: Buffer, draft: ImageDraft): void {
  const opened = openTiff(file);
  if (!opened) return;
  const { reader, first } = opened;
  draft.byteOrder = reader.little ? 'little-endian' : 'big-endian';
  const { entries, next } = readDirectory(reader, first);
  const number = (tag: number) => {
    const entry = entries.get(tag);
    return entry && entryNumbers(reader, entry)[0];
  };
  draft.width = number(256) ?? 0;
  draft.height = number(257) ?? 0;
  draft.bitDepth = number(258) ?? 1;
  draft.samplesPerPixel = number(277) ?? 1;
  draft.compression = COMPRESSIONS[number(259) ?? 1] ?? 'unknown';
  draft.colourSpace = COLOUR_SPACES[number(262) ?? -1] ?? 'unknown';
  const x = number(282);
  const y = number(283);
  const unit = number(296) ?? 2;
  if (x && y && unit === 2) draft.resolution = { x, y };
  if (x && y && unit === 3) draft.resolution = { x: fromPerCentimetre(x), y: fromPerCentimetre(y) };
  const profile = entries.get(34675);
  if (profile) draft.colourProfile = 'ICC';
  const xmp = entries.get(700);
  if (xmp) draft.xmp = parseXmp(entryBytes(reader, xmp).toString('utf8'));
  const iptc = entries.get(33723);
  // Written as longs by some: the bytes are the same.
  if (iptc)
    draft.iptc = readIptc(reader.bytes.subarray(iptc.at, iptc.at + iptc.count * (iptc.type === 4 ? 4 : 1)));
  const document = entries.get(269);
  if (document) draft.texts = [{ name: 'DocumentName', value: entryText(reader, document) }];
  const exif = readExif(file);
  if (exif) draft.exif = exif;
  draft.frames = countPages(reader, next);
}

function countPages(reader: Parameters<typeof readDirectory>[0], second: number): number {
  const seen = new Set<number>();
  let at = second;
  // A ring of directories would never end.
  while (at !== 0 && !seen.has(at) && seen.size < MAX_PAGES) {
    seen.add(at);
    at = readDirectory(reader, at).next;
  }
  return seen.size + 1;
}
