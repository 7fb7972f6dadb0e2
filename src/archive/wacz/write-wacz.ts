/** Writes a WACZ file from WARC files that are there. */
import { createReadStream } from 'node:fs';
import { rename, rm, stat } from 'node:fs/promises';
import { basename } from 'node:path';
import { GarnerError } from '../../core/errors.ts';
import type { Instant } from '../../core/model.ts';
import { captureOf } from '../cdx/capture-of.ts';
import { writeCdxjLine } from '../cdx/cdxj.ts';
import { compareLines } from '../cdx/line-order.ts';
import { writeZipNum } from '../cdx/zipnum.ts';
import { readArchive } from '../read/read-archive.ts';
import { type WaczPage, writePages } from './wacz-page.ts';
import { createZip, type ZipEntry, type ZipWriter } from './zip-writer.ts';

export interface WaczDraft {
  /** Paths of WARC files; their last names must differ. */
  readonly archives: readonly string[];
  readonly pages: Iterable<WaczPage>;
  readonly title?: string;
  readonly description?: string;
  readonly software: string;
  readonly createdAt: Instant;
}

const WACZ_VERSION = '1.1.1';

/** The file appears under its name only when it is whole. */
export async function writeWacz(path: string, draft: WaczDraft): Promise<readonly ZipEntry[]> {
  const names = draft.archives.map((archive) => basename(archive));
  if (new Set(names).size < names.length) {
    throw new GarnerError('request.invalid', 'two archives of a WACZ have the same name', {
      details: { names },
    });
  }
  const unfinished = `${path}.unfinished`;
  await rm(unfinished, { force: true });
  const zip = await createZip(unfinished, draft.createdAt);
  try {
    const entries = await addAll(zip, draft);
    await zip.finish();
    await rename(unfinished, path);
    return entries;
  } catch (error) {
    await zip.abandon();
    await rm(unfinished, { force: true });
    throw error;
  }
}

async function addAll(zip: ZipWriter, draft: WaczDraft): Promise<ZipEntry[]> {
  const entries: ZipEntry[] = [];
  const lines: string[] = [];
  for (const archive of draft.archives) {
    const { size } = await stat(archive);
    entries.push(await zip.add(`archive/${basename(archive)}`, createReadStream(archive), size));
    lines.push(...(await indexLines(archive)));
  }
  const { blocks, summary } = await writeZipNum(lines.sort(compareLines), 'index.cdx.gz');
  entries.push(
    await zip.add('indexes/index.cdx.gz', blocks),
    await zip.add('indexes/index.idx', Buffer.from(summary)),
    await zip.add('pages/pages.jsonl', Buffer.from(writePages(draft.pages))),
  );
  const description = Buffer.from(describe(draft, entries));
  const { sha256 } = await zip.add('datapackage.json', description);
  const digest = JSON.stringify({ path: 'datapackage.json', hash: `sha256:${sha256}` });
  await zip.add('datapackage-digest.json', Buffer.from(digest));
  return entries;
}

async function indexLines(archive: string): Promise<string[]> {
  const lines: string[] = [];
  for await (const event of readArchive(archive)) {
    const capture = event.kind === 'record' ? captureOf(event, basename(archive)) : undefined;
    if (capture) lines.push(writeCdxjLine(capture));
  }
  return lines;
}

function describe(draft: WaczDraft, entries: readonly ZipEntry[]): string {
  return JSON.stringify(
    {
      profile: 'data-package',
      wacz_version: WACZ_VERSION,
      created: new Date(draft.createdAt).toISOString(),
      software: draft.software,
      title: draft.title,
      description: draft.description,
      resources: entries.map(({ name, size, sha256 }) => ({
        name: basename(name),
        path: name,
        hash: `sha256:${sha256}`,
        bytes: size,
      })),
    },
    undefined,
    2,
  );
}
