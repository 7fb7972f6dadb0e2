/** Directories of pages, written into a folder or into one tar.gz file. */
import { createWriteStream } from 'node:fs';
import { mkdir, rename, rm, utimes, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import { type Pack, pack } from 'tar-stream';
import type { Viewer } from '../../core/access.ts';
import { GarnerError } from '../../core/errors.ts';
import type { ExportDeps, ExportReport } from './export-warc.ts';
import { type ExportedFile, listPageFiles } from './page-files.ts';
import type { ChosenPage } from './select-captures.ts';

type Put = (file: ExportedFile) => Promise<void>;

export async function exportFolder(
  deps: ExportDeps,
  pages: AsyncIterable<ChosenPage>,
  target: string,
  viewer: Viewer,
): Promise<ExportReport> {
  return writePages(deps, pages, viewer, async ({ path, bytes, modifiedAt }) => {
    const file = join(target, ...path);
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, bytes);
    await utimes(file, modifiedAt / 1000, modifiedAt / 1000);
  });
}

/** The file appears under its name only when it is whole. */
export async function exportTar(
  deps: ExportDeps,
  pages: AsyncIterable<ChosenPage>,
  target: string,
  viewer: Viewer,
): Promise<ExportReport> {
  const unfinished = `${target}.unfinished`;
  const tar = pack();
  const written = pipeline(tar, createGzip(), createWriteStream(unfinished));
  try {
    const report = await Promise.race([
      writePages(deps, pages, viewer, (file) => addToTar(tar, file)),
      written.then(() => {
        throw new GarnerError('internal.bug', 'the tar file ended before its last entry');
      }),
    ]);
    tar.finalize();
    await written;
    await rename(unfinished, target);
    return report;
  } catch (error) {
    tar.destroy();
    await written.catch(() => undefined);
    await rm(unfinished, { force: true });
    throw error;
  }
}

function addToTar(tar: Pack, { path, bytes, modifiedAt }: ExportedFile): Promise<void> {
  return new Promise((resolve, reject) => {
    const name = path.join('/');
    tar.entry({ name, mtime: new Date(modifiedAt), size: bytes.length }, Buffer.from(bytes), (error) => {
      if (error) reject(error);
      else resolve();
    });
  });
}

async function writePages(
  deps: ExportDeps,
  pages: AsyncIterable<ChosenPage>,
  viewer: Viewer,
  put: Put,
): Promise<ExportReport> {
  let count = 0;
  let captures = 0;
  const problems: { code: string; message: string; identifier: string }[] = [];
  for await (const page of pages) {
    const files = await listPageFiles(deps, page, viewer);
    if (files.length === 0) {
      const message = 'no capture of it with a good answer can be read';
      problems.push({ code: 'archive.record', message, identifier: page.url });
      continue;
    }
    for (const file of files) await put(file);
    count++;
    // All but the description.
    captures += files.length - 1;
  }
  if (count === 0 && problems.length === 0)
    throw new GarnerError('item.unknown', 'no capture fits, so that there is nothing to export');
  return { pages: count, captures, problems };
}
