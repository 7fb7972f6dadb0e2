/**
 * `.ndx` files: lists of places in an archive file. The file that lies beside one is read as a whole; then
 * what its list names and reading missed, as behind damage, is looked for at the place itself.
 */
import { readdir } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { captureOf, readLines, readNdx, readRecordAt } from '../../archive/index.ts';
import { OPERATOR } from '../../core/access.ts';
import { asGarnerError } from '../../core/errors.ts';
import type { CaptureEntry, CaptureIndex, StoredCapture } from '../../store/index.ts';

const MAX_OFFSETS = 5_000_000;

/** Names without what they end in: `a.arc.gz` and `a.arc.ndx` belong together, as do `a.ndx` and `a.arc.gz`. */
const stems = (name: string): Set<string> => {
  const all = new Set<string>();
  for (let stem = name; ; ) {
    const shorter = stem.replace(/\.(?:ndx|idx|gz|zst|arc|warc|dat)$/i, '');
    if (shorter === stem) return all.add(stem);
    stem = shorter;
    all.add(stem);
  }
};

/** Files that a list may belong to, longest common name first. */
export async function listCandidates(path: string): Promise<string[]> {
  const own = stems(basename(path));
  const names = await readdir(dirname(path));
  return names
    .filter((name) => name !== basename(path) && [...stems(name)].some((stem) => own.has(stem)))
    .sort((a, b) => a.length - b.length || (a < b ? -1 : 1))
    .map((name) => join(dirname(path), name));
}

export async function readOffsets(
  path: string,
  problem: (line: number, text: string) => void,
): Promise<ReadonlySet<number>> {
  const offsets = new Set<number>();
  for await (const { offset } of readNdx(readLines(path), problem)) {
    if (offsets.size >= MAX_OFFSETS) break;
    offsets.add(offset);
  }
  return offsets;
}

const PAGE = 2000;

/** Where the records of an archive file lie that the index knows. */
export async function listPlaces(
  index: Pick<CaptureIndex, 'list'>,
  source: string,
  file: string,
): Promise<ReadonlySet<number>> {
  const places = new Set<number>();
  for (let after: StoredCapture | undefined; ; ) {
    const page = await index.list(
      { urlKey: '', match: 'prefix', sources: [source], limit: PAGE, ...(after && { after }) },
      OPERATOR,
    );
    for (const capture of page) if (capture.file === file) places.add(capture.offset ?? 0);
    after = page.at(-1);
    if (page.length < PAGE) return places;
  }
}

/** Captures at the places that are not known; `problem` is told of places where no record begins. */
export async function* readMissed(
  archive: { readonly path: string; readonly name: string },
  offsets: ReadonlySet<number>,
  known: ReadonlySet<number>,
  problem: (offset: number, message: string) => void,
): AsyncGenerator<CaptureEntry> {
  for (const offset of offsets) {
    if (known.has(offset)) continue;
    try {
      const record = await readRecordAt(archive.path, offset);
      const capture = captureOf(record, archive.name);
      await record.close();
      if (capture) yield capture;
    } catch (thrown) {
      const { code, message } = asGarnerError(thrown);
      if (!code.startsWith('archive.')) throw thrown;
      problem(offset, message);
    }
  }
}
