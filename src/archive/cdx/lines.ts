/** The lines of an index file, plain or gzip, however large. */
import { createInterface } from 'node:readline';
import { Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { GarnerError } from '../../core/errors.ts';
import { type ByteSource, openFile } from '../bytes/byte-source.ts';
import { isGzipMagic } from '../read/gzip-header.ts';

const PART_BYTES = 256 * 1024;

export async function* readLines(from: string | ByteSource): AsyncGenerator<string> {
  const source = typeof from === 'string' ? await openFile(from) : from;
  try {
    const bytes = Readable.from(readParts(source), { objectMode: false });
    const head = await source.read(0, 4);
    const input = isGzipMagic(head) ? bytes.compose(createGunzip()) : bytes;
    try {
      yield* createInterface({ input, crlfDelay: Number.POSITIVE_INFINITY });
    } catch (error) {
      throw new GarnerError('archive.format', `${source.name} cannot be unpacked`, { cause: error });
    }
  } finally {
    if (typeof from === 'string') await source.close();
  }
}

async function* readParts(source: ByteSource): AsyncGenerator<Buffer> {
  for (let position = 0; ; ) {
    const part = await source.read(position, PART_BYTES);
    if (part.length === 0) return;
    yield part;
    position += part.length;
  }
}
