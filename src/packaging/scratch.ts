/** Folders for packages on their way in or out; each goes with its work, and what a crash left after a day. */
import { mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';

const PREFIX = '.package-';
const STALE_MS = 24 * 60 * 60 * 1000;

/** Below the data folder, where there is room for what is as large as the archive. To be removed by the caller. */
export async function makeScratch(dataFolder: string): Promise<string> {
  for (const name of await readdir(dataFolder)) {
    if (!name.startsWith(PREFIX)) continue;
    const path = join(dataFolder, name);
    const facts = await stat(path).catch(() => undefined);
    if (facts && Date.now() - facts.mtimeMs > STALE_MS) await rm(path, { recursive: true, force: true });
  }
  return mkdtemp(join(dataFolder, PREFIX));
}

/** For packages that have to be made whole before their first byte is known. */
export async function madeInScratch(
  dataFolder: string,
  make: (folder: string) => Promise<AsyncIterable<Uint8Array>>,
): Promise<AsyncIterable<Uint8Array>> {
  const folder = await makeScratch(dataFolder);
  try {
    return removing(await make(folder), folder);
  } catch (error) {
    await rm(folder, { recursive: true, force: true });
    throw error;
  }
}

async function* removing(bytes: AsyncIterable<Uint8Array>, folder: string): AsyncGenerator<Uint8Array> {
  try {
    yield* bytes;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
