/** The files inside a tar or a gzip, read once from front to back. */
import { createReadStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import { extract, type Header } from 'tar-stream';
import { GarnerError } from '../../core/errors.ts';
import { normaliseInnerName } from './entry-name.ts';
import { type ArchiveLimits, findExcess } from './limits.ts';
import type { ArchiveMember } from './zip-entries.ts';

const CHUNK_BYTES = 256 * 1024;
/** Tars without the `ustar` magic are read too; the package's types do not know that option. */
const EXTRACT_OPTIONS = { highWaterMark: CHUNK_BYTES, allowUnknownFormat: true };

/** The unpacked bytes of a gzip (all its members), stopped when they are out of all proportion. */
export async function* gunzipFile(path: string, limits: ArchiveLimits): AsyncGenerator<Uint8Array> {
  const packed = createReadStream(path, { highWaterMark: CHUNK_BYTES });
  const gunzip = createGunzip({ chunkSize: CHUNK_BYTES });
  packed.on('error', (error) => gunzip.destroy(error));
  packed.pipe(gunzip);
  let unpacked = 0;
  try {
    for await (const chunk of gunzip as AsyncIterable<Buffer>) {
      unpacked += chunk.length;
      const excess = findExcess(unpacked, packed.bytesRead, limits);
      if (excess) throw new GarnerError('archive.unsafe', `the archive ${excess}`);
      yield chunk;
    }
  } finally {
    packed.destroy();
    gunzip.destroy();
  }
}

export async function* listTar(
  bytes: AsyncIterable<Uint8Array>,
  limits: ArchiveLimits,
): AsyncGenerator<ArchiveMember> {
  const unpack = extract(EXTRACT_OPTIONS);
  let failure: Error | undefined;
  const pumped = pipeline(bytes, unpack).catch((error: Error) => {
    failure = error;
  });
  try {
    let count = 0;
    for await (const entry of unpack) {
      const chunks = entry[Symbol.asyncIterator]();
      const member = describeMember(entry.header, chunks, limits);
      if (member && ++count > limits.maxEntries)
        throw new GarnerError('archive.unsafe', `the archive holds more than ${limits.maxEntries} files`);
      if (member) yield member;
      // What nobody read; destroying the entry would end the whole archive.
      while (!(await chunks.next()).done);
    }
    await pumped;
    if (failure) throw failure;
  } catch (error) {
    // The pump knows the first cause: a broken gzip, a bomb.
    unpack.destroy();
    await pumped;
    throw failure ?? error;
  } finally {
    unpack.destroy();
    await pumped;
  }
}

function describeMember(
  header: Header,
  chunks: AsyncIterator<unknown>,
  limits: ArchiveLimits,
): ArchiveMember | undefined {
  const isLink = header.type === 'symlink' || header.type === 'link';
  if (!isLink && header.type !== 'file' && header.type !== 'contiguous-file') return undefined;
  return {
    inner: normaliseInnerName(header.name),
    kind: isLink ? 'link' : 'file',
    ...(header.size > limits.maxEntryBytes && {
      refusal: `unpacks to more than ${limits.maxEntryBytes} bytes`,
    }),
    file: {
      size: header.size,
      modifiedAt: header.mtime.getTime(),
      open: () => readMember(chunks),
    },
  };
}

/** No `finally` that returns the iterator: that would destroy the entry and with it the archive. */
async function* readMember(chunks: AsyncIterator<unknown>): AsyncGenerator<Uint8Array> {
  for (let next = await chunks.next(); !next.done; next = await chunks.next())
    if (next.value instanceof Uint8Array) yield next.value;
}
