/** What index files tell of captures, whatever form they have. Without the records there is nothing to search. */
import { existsSync, statSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import {
  openFile,
  parseZipNumSummary,
  readCdx,
  readCdxj,
  readDat,
  readLines,
  readZipNum,
  surtKey,
} from '../../archive/index.ts';
import { GarnerError } from '../../core/errors.ts';
import type { CaptureEntry } from '../../store/index.ts';
import type { WebArchiveKind } from './sniff-archive.ts';

export type IndexKind = Extract<WebArchiveKind, 'index' | 'dat' | 'zipnum'>;
type Problem = (line: number, text: string) => void;

export function listIndexed(path: string, kind: IndexKind, problem: Problem): AsyncGenerator<CaptureEntry> {
  if (kind === 'dat') return datCaptures(path);
  return linesOfEither(kind === 'zipnum' ? () => zipNumLines(path) : () => readLines(path), problem);
}

/** CDX or CDXJ, as the first line says. */
async function* linesOfEither(
  open: () => AsyncGenerator<string>,
  problem: Problem,
): AsyncGenerator<CaptureEntry> {
  let isCdxj = false;
  for await (const line of open()) {
    isCdxj = line.startsWith('!') || line.trimEnd().endsWith('}');
    break;
  }
  yield* isCdxj ? readCdxj(open(), problem) : readCdx(open(), problem);
}

/** Summaries of large archives have some hundred thousand lines. */
const MAX_SUMMARY_BYTES = 256 << 20;

async function* zipNumLines(path: string): AsyncGenerator<string> {
  if (statSync(path).size > MAX_SUMMARY_BYTES)
    throw new GarnerError('archive.unsafe', `the summary ${path} is larger than ${MAX_SUMMARY_BYTES} bytes`);
  const blocks = parseZipNumSummary(await readFile(path, 'utf8'));
  const places = await readPlaces(path);
  // A list of places comes from elsewhere: parts are looked for beside the summary, by their names alone.
  const openPart = (part: string) =>
    openFile(join(dirname(path), basename(places.get(part) ?? nameOf(part, path))));
  yield* readZipNum({ blocks, openPart });
}

/** WACZ summaries of one part do not name it. */
const nameOf = (part: string, summary: string): string =>
  part === '' ? basename(summary).replace(/\.idx$/, '.cdx.gz') : part;

/** `cluster.loc`: the file that each part is in, `part⇥path` on a line; the first of several paths counts. */
async function readPlaces(summary: string): Promise<ReadonlyMap<string, string>> {
  const places = new Map<string, string>();
  const list = summary.replace(/\.(?:idx|summary)$/, '.loc');
  if (list === summary || !existsSync(list)) return places;
  for (const line of (await readFile(list, 'utf8')).split('\n')) {
    const [part, path] = line.trim().split('\t');
    if (part && path && !places.has(part)) places.set(part, path);
  }
  return places;
}

async function* datCaptures(path: string): AsyncGenerator<CaptureEntry> {
  for await (const { url, at, status, mediaType, compressedOffset } of readDat(readLines(path))) {
    if (at === undefined) continue;
    yield {
      urlKey: surtKey(url),
      url,
      at,
      type: 'response',
      ...(status !== undefined && { status }),
      ...(mediaType !== undefined && { mediaType }),
      ...(compressedOffset !== undefined && { offset: compressedOffset }),
    };
  }
}
