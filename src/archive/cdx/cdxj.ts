/** CDXJ: key and time stamp, then the rest as JSON, as pywb and WACZ files have it. */
import type { CaptureEntry } from '../../store/captures.ts';
import { parseArchiveDate } from '../read/record-head.ts';
import { timestamp14 } from '../write/file-names.ts';
import { compareLines } from './line-order.ts';
import { surtKey } from './surt.ts';

const LINE = /^(\S+) (\d{4,17}) (\{.*\})\s*$/;

/** Undefined for lines that are none, among them headers (`!meta …`, `!OpenWayback-CDXJ 1.0`). */
export function parseCdxjLine(line: string): CaptureEntry | undefined {
  const [, key = '', date, json = ''] = LINE.exec(line) ?? [];
  const at = parseArchiveDate(date);
  const fields = at === undefined ? undefined : parseFields(json);
  if (!fields || at === undefined || key.startsWith('!')) return undefined;
  const text = (...names: readonly string[]): string | undefined => {
    for (const name of names) {
      const value = fields[name];
      if (typeof value === 'string' && value !== '-' && value !== '') return value;
      if (typeof value === 'number') return String(value);
    }
    return undefined;
  };
  const number = (name: string): number | undefined => {
    const value = text(name);
    return value !== undefined && /^\d+$/.test(value) ? Number(value) : undefined;
  };
  const url = text('url', 'uri');
  if (url === undefined) return undefined;
  const mime = text('mime', 'mct')?.toLowerCase();
  const digest = text('digest', 'sha');
  const status = number('status') ?? number('hsc');
  const optional = {
    status,
    mediaType: mime === 'warc/revisit' ? undefined : mime,
    digest: digest?.replace(/^sha1:/i, ''),
    redirect: text('redirect'),
    recordId: text('recordId', 'rid'),
    file: text('filename'),
    offset: number('offset'),
    inner: number('inner'),
    length: number('length'),
  };
  return {
    urlKey: key.startsWith('(') ? surtKey(url) : key,
    url,
    at,
    type: mime === 'warc/revisit' ? 'revisit' : (text('type', 'srt') ?? 'response'),
    ...withoutAbsent(optional),
  };
}

type Present<T> = { [K in keyof T]?: Exclude<T[K], undefined> };

function withoutAbsent<T extends Record<string, unknown>>(values: T): Present<T> {
  const present: Present<T> = {};
  for (const name in values) {
    const value = values[name];
    if (value !== undefined) Object.assign(present, { [name]: value });
  }
  return present;
}

function parseFields(json: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(json);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : undefined;
  } catch {
    return undefined;
  }
}

/** Numbers are written as text, which is what pywb and wabac read. */
export function writeCdxjLine(entry: CaptureEntry): string {
  const text = (value: number | undefined): string | undefined =>
    value === undefined ? undefined : String(value);
  const fields = {
    url: entry.url,
    mime: entry.type === 'revisit' ? 'warc/revisit' : entry.mediaType,
    status: text(entry.status),
    digest: entry.digest === undefined || entry.digest.includes(':') ? entry.digest : `sha1:${entry.digest}`,
    redirect: entry.redirect,
    length: text(entry.length),
    offset: text(entry.offset),
    inner: text(entry.inner),
    filename: entry.file,
    recordId: entry.recordId,
    type: entry.type === 'response' || entry.type === 'revisit' ? undefined : entry.type,
  };
  return `${entry.urlKey} ${timestamp14(entry.at)} ${JSON.stringify(fields)}`;
}

export function writeCdxj(entries: Iterable<CaptureEntry>): string {
  return [...Array.from(entries, writeCdxjLine).sort(compareLines), ''].join('\n');
}

export async function* readCdxj(
  lines: AsyncIterable<string>,
  problem: (line: number, text: string) => void,
): AsyncGenerator<CaptureEntry> {
  let number = 0;
  for await (const line of lines) {
    number++;
    if (line.trim() === '' || line.startsWith('!')) continue;
    const entry = parseCdxjLine(line);
    if (entry) yield entry;
    else problem(number, line);
  }
}
