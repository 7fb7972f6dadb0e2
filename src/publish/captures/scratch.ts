/** Where files are put together that are sent and then removed. */
import { mkdir, mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Instant } from '../../core/model.ts';

/** What a process that died left behind. */
const STALE_MS = 24 * 3600_000;

/** A new folder; whoever asked for it removes it. */
export async function openScratch(dataFolder: string, now: Instant): Promise<string> {
  const folder = join(dataFolder, 'exports');
  await mkdir(folder, { recursive: true });
  for (const name of await readdir(folder)) {
    const path = join(folder, name);
    const facts = await stat(path).catch(() => undefined);
    if (facts && now - facts.mtimeMs > STALE_MS) await rm(path, { recursive: true, force: true });
  }
  return mkdtemp(join(folder, 'export-'));
}
