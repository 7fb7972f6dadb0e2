/** A bag as one file: tar or zip, with a folder of the bag's name in it (RFC 8493 §4). */
import { createReadStream } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';
import { createZip } from '../../archive/wacz/zip-writer.ts';
import type { Instant } from '../../core/model.ts';
import { type TarFile, writeTar } from '../tar.ts';

export function tarBag(folder: string, name: string, at: Instant): AsyncGenerator<Uint8Array> {
  return writeTar(listFiles(folder, name, at));
}

/** The file appears at `target`, which must not be there. */
export async function zipBag(folder: string, name: string, at: Instant, target: string): Promise<void> {
  const zip = await createZip(target, at);
  try {
    for await (const file of listFiles(folder, name, at)) await zip.add(file.name, file.open(), file.size);
    await zip.finish();
  } catch (error) {
    await zip.abandon();
    throw error;
  }
}

/** In the order of names, the declaration first: a reader knows at once what it has. */
async function* listFiles(folder: string, name: string, at: Instant): AsyncGenerator<TarFile> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const paths = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  const first = join(folder, 'bagit.txt');
  for (const path of [first, ...paths.filter((other) => other !== first).sort()]) {
    const { size } = await stat(path);
    const inner = relative(folder, path).split(sep).join('/');
    yield { name: `${name}/${inner}`, size, modifiedAt: at, open: () => createReadStream(path) };
  }
}
