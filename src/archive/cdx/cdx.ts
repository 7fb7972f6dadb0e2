/** CDX files: columns named by the letters of the first line, such as ` CDX N b a m s k r M S V g`. */
import { GarnerError } from '../../core/errors.ts';
import type { CaptureEntry } from '../../store/captures.ts';
import { parseArchiveDate } from '../read/record-head.ts';
import { timestamp14 } from '../write/file-names.ts';
import { compareLines } from './line-order.ts';
import { surtKey } from './surt.ts';

/** The two forms in wide use; the second also has meta tags and the record's compressed length. */
export const CDX_9 = 'N b a m s k r V g';
export const CDX_11 = 'N b a m s k r M S V g';

export interface CdxLayout {
  /** The first byte of the file. */
  readonly delimiter: string;
  readonly letters: readonly string[];
}

const LETTERS_11 = CDX_11.split(' ');
const LETTERS_9 = CDX_9.split(' ');

/** Undefined when the line is no CDX header. */
export function parseCdxHeader(line: string): CdxLayout | undefined {
  const [delimiter = ''] = line;
  if (!/^[^\w]CDX[^\w]/.test(line) || line[4] !== delimiter) return undefined;
  return { delimiter, letters: line.slice(5).trim().split(delimiter) };
}

/** Lines without a header before them are told by the number of their columns. */
export function guessCdxLayout(line: string): CdxLayout | undefined {
  const count = line.split(' ').length;
  if (count === LETTERS_11.length) return { delimiter: ' ', letters: LETTERS_11 };
  return count === LETTERS_9.length ? { delimiter: ' ', letters: LETTERS_9 } : undefined;
}

/** Undefined when the line has no URL, no date or another number of columns. */
export function parseCdxLine(line: string, { delimiter, letters }: CdxLayout): CaptureEntry | undefined {
  const values = line.trimEnd().split(delimiter);
  if (values.length !== letters.length) return undefined;
  const column = (letter: string): string | undefined => {
    const value = values[letters.indexOf(letter)];
    return value === undefined || value === '-' || value === '' ? undefined : value;
  };
  const number = (letter: string): number | undefined => {
    const value = column(letter);
    return value !== undefined && /^\d+$/.test(value) ? Number(value) : undefined;
  };
  // wget writes the URL twice and no key; old Alexa files have `A`, the canonical URL, instead.
  const url = column('a') ?? column('A');
  const at = parseArchiveDate(column('b'));
  if (url === undefined || at === undefined) return undefined;
  const mime = column('m')?.toLowerCase();
  const status = number('s');
  const digest = column('k') ?? column('c');
  const redirect = column('r');
  const length = number('S');
  const offset = number('V') ?? number('v');
  const contentLength = number('n');
  const file = column('g');
  const recordId = column('u');
  return {
    urlKey: column('N') ?? surtKey(url),
    url,
    at,
    type: mime === 'warc/revisit' ? 'revisit' : 'response',
    ...(status !== undefined && { status }),
    ...(mime !== undefined && mime !== 'warc/revisit' && { mediaType: mime }),
    ...(digest !== undefined && { digest: digest.replace(/^sha1:/i, '') }),
    ...(redirect !== undefined && { redirect }),
    ...(contentLength !== undefined && { contentLength }),
    ...(recordId !== undefined && { recordId }),
    ...(file !== undefined && { file }),
    ...(offset !== undefined && { offset }),
    ...(length !== undefined && { length }),
  };
}

/** All lines of a file, in its order; `problem` is told of lines that are none. */
export async function* readCdx(
  lines: AsyncIterable<string>,
  problem: (line: number, text: string) => void,
): AsyncGenerator<CaptureEntry> {
  let layout: CdxLayout | undefined;
  let number = 0;
  for await (const line of lines) {
    number++;
    if (line.trim() === '') continue;
    const header = parseCdxHeader(line);
    if (header) {
      layout = header;
      continue;
    }
    layout ??= guessCdxLayout(line);
    if (!layout) {
      throw new GarnerError(
        'archive.format',
        'the first line is no CDX header, nor a line of 9 or 11 columns',
      );
    }
    const entry = parseCdxLine(line, layout);
    if (entry) yield entry;
    else problem(number, line);
  }
}

const field = (value: string | number | undefined): string =>
  value === undefined || value === ''
    ? '-'
    : String(value).replace(/\s/g, (blank) => (blank === ' ' ? '%20' : ''));

export function writeCdxLine(entry: CaptureEntry, letters: readonly string[] = LETTERS_11): string {
  const values: Readonly<Record<string, string | number | undefined>> = {
    N: entry.urlKey,
    b: timestamp14(entry.at),
    a: entry.url,
    m: entry.type === 'revisit' ? 'warc/revisit' : entry.mediaType,
    s: entry.status,
    k: entry.digest,
    r: entry.redirect,
    S: entry.length,
    V: entry.offset,
    g: entry.file,
    u: entry.recordId,
    n: entry.contentLength,
  };
  return letters.map((letter) => field(values[letter])).join(' ');
}

/** A whole file, sorted. `layout` is `CDX_9`, `CDX_11` or other letters. */
export function writeCdx(entries: Iterable<CaptureEntry>, layout: string = CDX_11): string {
  const letters = layout.split(' ');
  const lines = Array.from(entries, (entry) => writeCdxLine(entry, letters)).sort(compareLines);
  return [` CDX ${layout}`, ...lines, ''].join('\n');
}
