/** Chosen captures as one WARC file, or as a WACZ: with the records that revisits lead to, each only once. */
import { mkdtemp, rename, rm } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { openWarcWriter, type WaczPage, type WarcWriter, writeWacz } from '../../archive/index.ts';
import { placeOf, readStored } from '../../archive/items/index.ts';
import type { Viewer } from '../../core/access.ts';
import { asGarnerError, GarnerError } from '../../core/errors.ts';
import type { RecordProblem } from '../../core/model.ts';
import type { Clock } from '../../core/time.ts';
import type { GarnerStore, StoredCapture } from '../../store/index.ts';
import { copyRecord } from './copy-record.ts';
import type { ChosenPage } from './select-captures.ts';

export interface ExportDeps {
  readonly store: Pick<GarnerStore, 'captures'>;
  readonly dataFolder: string;
  readonly clock: Clock;
  /** Of the program, for the warcinfo record. */
  readonly software: string;
  /** Hears of each record; `offset` is its place in the new file. */
  readonly onCopied?: (capture: StoredCapture, offset: number) => void;
}

export interface ExportReport {
  readonly pages: number;
  readonly captures: number;
  /** Captures that could not be read, and revisits whose content is not here. */
  readonly problems: readonly RecordProblem[];
}

export function exportWarc(
  deps: ExportDeps,
  pages: AsyncIterable<ChosenPage>,
  target: string,
  viewer: Viewer,
): Promise<ExportReport> {
  return inScratch(target, async (folder) => {
    const { report, file } = await writeSubset(deps, pages, folder, nameOf(target), viewer);
    await rename(file, target);
    return report;
  });
}

export function exportWacz(
  deps: ExportDeps,
  pages: AsyncIterable<ChosenPage>,
  target: string,
  viewer: Viewer,
  title: string,
): Promise<ExportReport> {
  return inScratch(target, async (folder) => {
    const { report, file, list } = await writeSubset(deps, pages, folder, nameOf(target), viewer);
    const { software, clock } = deps;
    await writeWacz(target, { archives: [file], pages: list, title, software, createdAt: clock() });
    return report;
  });
}

const nameOf = (target: string): string =>
  basename(target)
    .replace(/\.(?:wacz|warc)(?:\.gz)?$/i, '')
    .replace(/[^\w-]+/g, '_') || 'export';

/** Beside the target, so that the finished file only has to be renamed. */
async function inScratch<T>(target: string, work: (folder: string) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(join(dirname(resolve(target)), '.garner-export-')).catch((cause: unknown) => {
    throw new GarnerError('usage.invalid', `cannot write to ${dirname(resolve(target))}`, { cause });
  });
  try {
    return await work(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

interface Subset {
  readonly report: ExportReport;
  readonly file: string;
  readonly list: readonly WaczPage[];
}

async function writeSubset(
  deps: ExportDeps,
  pages: AsyncIterable<ChosenPage>,
  folder: string,
  prefix: string,
  viewer: Viewer,
): Promise<Subset> {
  const { clock, software } = deps;
  const writer = await openWarcWriter({
    folder,
    prefix,
    clock,
    // One file, however large.
    maxBytes: Number.MAX_SAFE_INTEGER,
    info: [['software', software]],
  });
  const copier = createCopier(deps, writer, viewer);
  const list: WaczPage[] = [];
  let count = 0;
  let file: string | undefined;
  try {
    for await (const page of pages) {
      count++;
      for (const capture of page.captures) file = (await copier.copy(capture)) ?? file;
      const first = page.captures[0];
      // Nobody would begin with a page that was not there.
      if (first && isPage(page.mediaType) && (first.status ?? 200) < 400)
        list.push({ url: page.url, at: first.at, ...(page.title !== undefined && { title: page.title }) });
    }
    await writer.sync();
  } finally {
    await writer.close();
  }
  if (file === undefined)
    throw new GarnerError('item.unknown', 'no capture fits, so that there is nothing to export');
  const report = { pages: count, captures: copier.copied(), problems: copier.problems };
  return { report, file: join(folder, file), list };
}

const isPage = (mediaType: string | undefined): boolean =>
  mediaType !== undefined && /html|pdf/.test(mediaType);

function createCopier(deps: ExportDeps, writer: WarcWriter, viewer: Viewer) {
  const done = new Set<number>();
  const problems: RecordProblem[] = [];
  let copied = 0;
  const note = (capture: StoredCapture, code: string, message: string): void => {
    problems.push({ code, message, where: placeOf(capture), identifier: capture.url });
  };

  const copyOne = async (capture: StoredCapture): Promise<string | undefined> => {
    if (done.has(capture.key)) return undefined;
    done.add(capture.key);
    try {
      const record = await readStored(deps, capture);
      try {
        const draft = copyRecord(record);
        if (!draft) return undefined;
        const [written] = await writer.append(draft);
        copied++;
        if (written) deps.onCopied?.(capture, written.offset);
        return written?.file;
      } finally {
        await record.close();
      }
    } catch (thrown) {
      const { code, message } = asGarnerError(thrown);
      if (!/^(?:archive|source)\./.test(code)) throw thrown;
      note(capture, code, message);
      return undefined;
    }
  };

  return {
    problems,
    copied: () => copied,
    /** The name of the file that it went to. */
    async copy(capture: StoredCapture): Promise<string | undefined> {
      let file: string | undefined;
      if (capture.type === 'revisit') {
        const resolved = await deps.store.captures.resolveRevisit(capture, viewer);
        if (resolved) file = await copyOne(resolved.capture);
        else note(capture, 'archive.record', 'the content that this visit repeats is not here');
      }
      return (await copyOne(capture)) ?? file;
    },
  };
}
