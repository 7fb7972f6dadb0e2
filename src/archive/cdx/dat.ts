/**
 * Alexa's `.dat` files beside old ARC files: what was found out about each document. A document is an ARC
 * line of media type `alexa/dat`, then lines of one letter (the legend is that of CDX files), a blank, and a
 * value; links and images repeat.
 */
import type { Instant } from '../../core/model.ts';
import { parseArchiveDate } from '../read/record-head.ts';
import { splitArcLine } from '../read/record-start.ts';

export interface DatDocument {
  readonly url: string;
  readonly address: string;
  readonly at?: Instant;
  /** In their order, each a letter and its value. */
  readonly fields: readonly (readonly [letter: string, value: string])[];
  readonly mediaType?: string;
  readonly status?: number;
  readonly title?: string;
  /** Old style (MD5 of the document). */
  readonly checksum?: string;
  /** Where in the compressed and in the unpacked ARC file the document lies, and its length there. */
  readonly compressedOffset?: number;
  readonly offset?: number;
  readonly length?: number;
  /** Canonical URLs without a scheme. */
  readonly links: readonly string[];
  readonly images: readonly string[];
}

export async function* readDat(lines: AsyncIterable<string>): AsyncGenerator<DatDocument> {
  let head: ReturnType<typeof splitArcLine>;
  let fields: [string, string][] = [];
  for await (const line of lines) {
    const next = splitArcLine(line);
    if (next?.rest[0] === 'alexa/dat' || next?.url.startsWith('filedesc:')) {
      if (head && !head.url.startsWith('filedesc:')) yield describe(head, fields);
      head = next;
      fields = [];
      continue;
    }
    const match = /^([A-Za-z]) (.*?)\r?$/.exec(line);
    if (match) fields.push([match[1] ?? '', match[2] ?? '']);
  }
  if (head && !head.url.startsWith('filedesc:')) yield describe(head, fields);
}

function describe(
  head: { readonly url: string; readonly address: string; readonly date: string },
  fields: readonly (readonly [string, string])[],
): DatDocument {
  const first = (letter: string): string | undefined => fields.find(([name]) => name === letter)?.[1];
  const all = (...letters: readonly string[]): string[] =>
    fields.filter(([name]) => letters.includes(name)).map(([, value]) => value);
  const number = (letter: string): number | undefined => {
    const value = first(letter);
    return value !== undefined && /^\d+$/.test(value) ? Number(value) : undefined;
  };
  const at = parseArchiveDate(head.date);
  const mediaType = first('m');
  const status = number('s');
  const title = first('t');
  const checksum = first('c');
  const compressedOffset = number('V');
  const offset = number('v');
  const length = number('n');
  return {
    url: head.url,
    address: head.address,
    ...(at !== undefined && { at }),
    fields,
    ...(mediaType !== undefined && { mediaType }),
    ...(status !== undefined && { status }),
    ...(title !== undefined && { title }),
    ...(checksum !== undefined && { checksum }),
    ...(compressedOffset !== undefined && { compressedOffset }),
    ...(offset !== undefined && { offset }),
    ...(length !== undefined && { length }),
    links: all('l', 'L'),
    images: all('i', 'I'),
  };
}
