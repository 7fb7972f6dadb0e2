/** Packages that have to be made whole before their first byte is known: in a folder that goes with the last one. */
import { mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';

/** Below the data folder, where there is room for what is as large as the archive. */
export async function madeInScratch(
  dataFolder: string,
  make: (folder: string) => Promise<AsyncIterable<Uint8Array>>,
): Promise<AsyncIterable<Uint8Array>> {
  const folder = await mkdtemp(join(dataFolder, '.package-'));
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
