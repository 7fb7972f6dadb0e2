/** A saved site as a WARC file of resource records, so that it is archived like everything else. */
import { createHash, randomUUID } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { mkdir, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { sniffType } from '../../archive/content/index.ts';
import { openFile, openWarcWriter, resourceRecord } from '../../archive/index.ts';
import type { Clock } from '../../core/time.ts';
import { VERSION } from '../../core/version.ts';
import { digestOf, type KeptFile, syncFolder } from './keep-file.ts';
import type { SavedFile } from './saved-site.ts';

const SNIFF_BYTES = 4096;

/** Of all that it holds: a site that was saved again has another one. */
export async function digestOfSite(files: readonly SavedFile[]): Promise<string> {
  const hash = createHash('sha256');
  for (const { path, url, modifiedAt } of files) {
    const source = await openFile(path);
    try {
      hash.update(JSON.stringify([url, modifiedAt, await digestOf(source)]));
    } finally {
      await source.close();
    }
  }
  return hash.digest('hex');
}

/** The file has its name only when it is whole and on the disk. */
export async function packSite(
  files: readonly SavedFile[],
  digest: string,
  folder: string,
  clock: Clock,
): Promise<KeptFile> {
  const name = `saved-${digest.slice(0, 16)}.warc.gz`;
  const path = join(folder, name);
  const there = await stat(path).catch(() => undefined);
  if (there) return { name, path, size: there.size };
  const scratch = join(folder, `.keep-${randomUUID()}`);
  await mkdir(scratch, { recursive: true });
  try {
    const writer = await openWarcWriter({
      folder: scratch,
      prefix: 'saved',
      clock,
      maxBytes: Number.MAX_SAFE_INTEGER,
      info: [
        ['software', `Garner/${VERSION}`],
        ['description', 'files that wget, HTTrack or a browser saved; times are those of the files'],
      ],
    });
    let written = '';
    try {
      for (const file of files) {
        const draft = resourceRecord(
          { targetUri: file.url, at: file.modifiedAt },
          await typeOf(file),
          createReadStream(file.path),
        );
        written = (await writer.append(draft))[0]?.file ?? written;
      }
      await writer.sync();
    } finally {
      await writer.close();
    }
    await rename(join(scratch, written), path);
    await syncFolder(folder);
  } finally {
    await rm(scratch, { recursive: true, force: true });
  }
  return { name, path, size: (await stat(path)).size };
}

async function typeOf({ path, url }: SavedFile): Promise<string> {
  const source = await openFile(path);
  try {
    return sniffType(await source.read(0, SNIFF_BYTES), undefined, url).type;
  } finally {
    await source.close();
  }
}
