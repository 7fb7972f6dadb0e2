/** Tar files as streams, the same bytes for the same files: no owner, no moment of packing. */
import { type Pack, pack } from 'tar-stream';
import { GarnerError } from '../core/errors.ts';
import type { Instant } from '../core/model.ts';

export interface TarFile {
  /** With slashes. */
  readonly name: string;
  readonly size: number;
  readonly modifiedAt: Instant;
  readonly open: () => AsyncIterable<Uint8Array>;
}

export type TarFiles = AsyncIterable<TarFile> | Iterable<TarFile>;

/** Two empty blocks. */
export const END_OF_TAR = Buffer.alloc(1024);

export async function* writeTar(files: TarFiles): AsyncGenerator<Uint8Array> {
  for await (const file of files) yield* writeTarEntry(file);
  yield END_OF_TAR;
}

/** Headers, content and what fills its last block. */
export async function* writeTarEntry(file: TarFile): AsyncGenerator<Uint8Array> {
  const tar = pack();
  const feeding = feed(tar, file);
  try {
    for await (const chunk of tar) yield chunk as Uint8Array;
    await feeding;
  } finally {
    tar.destroy();
    await feeding.catch(() => undefined);
  }
}

async function feed(tar: Pack, file: TarFile): Promise<void> {
  try {
    await addFile(tar, file);
    // Not `finalize`, which would end the whole tar.
    tar.push(null);
  } catch (error) {
    tar.destroy(error instanceof Error ? error : undefined);
    throw error;
  }
}

async function addFile(tar: Pack, { name, size, modifiedAt, open }: TarFile): Promise<void> {
  const written = Promise.withResolvers<void>();
  // Seconds only: a fraction would need an extended header.
  const mtime = new Date(Math.floor(modifiedAt / 1000) * 1000);
  const entry = tar.entry({ name, size, mtime, mode: 0o644, uid: 0, gid: 0 }, (error) =>
    error ? written.reject(error) : written.resolve(),
  );
  // The promise is awaited below; a failure before that must not go unheard.
  written.promise.catch(() => undefined);
  let length = 0;
  for await (const chunk of open()) {
    length += chunk.length;
    if (length > size) throw otherSize(name);
    if (!entry.write(Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength))) await drained(entry);
  }
  if (length !== size) throw otherSize(name);
  entry.end(undefined);
  await written.promise;
}

/** Also when it was closed before: then the promise of the whole entry tells why. */
function drained(entry: Pick<ReturnType<Pack['entry']>, 'on' | 'off'>): Promise<void> {
  return new Promise((resolve) => {
    const goOn = (): void => {
      entry.off('drain', goOn);
      entry.off('close', goOn);
      resolve();
    };
    entry.on('drain', goOn);
    entry.on('close', goOn);
  });
}

export const otherSize = (name: string): GarnerError =>
  new GarnerError('archive.record', `${name} has another size than a moment ago`);
