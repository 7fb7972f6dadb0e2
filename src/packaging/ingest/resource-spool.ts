/** The content of one resource of a DIDL, on the disk: decoded, with its digests. */
import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { open, readFile, rename, stat, writeFile } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import { Base64Reader } from '../../formats/didl/base64.ts';
import { decodeReferences } from '../../xml/start-tag.ts';

/** Texts that are longer stay as they are written. */
const MAX_TEXT_BYTES = 16 * 1024 * 1024;
const LOOKED_AT = 4096;

export async function spoolTo(path: string, chunks: AsyncIterable<Uint8Array>): Promise<void> {
  await pipeline(Readable.from(chunks), createWriteStream(path));
}

/**
 * Content that no attribute calls base64. The first edition had none: bytes of a picture can only be that. Text
 * loses its escaping, XML stays as it is.
 */
export async function decodeUnmarked(path: string, mediaType: string | undefined): Promise<void> {
  const { size } = await stat(path);
  const head = await readHead(path);
  const mayBeText = /^(?:text\/|application\/(?:.*\+)?xml|application\/json)/i.test(
    mediaType ?? 'text/plain',
  );
  if (!mayBeText && /^[A-Za-z0-9+/=\s]+$/.test(head)) {
    await replaceBy(path, decodeBase64(createReadStream(path)));
    return;
  }
  if (size > MAX_TEXT_BYTES || head.trimStart().startsWith('<')) return;
  const text = await readFile(path, 'utf8');
  const cdata = /^\s*<!\[CDATA\[(.*?)\]\]>\s*$/s.exec(text);
  await writeFile(path, cdata ? (cdata[1] ?? '') : decodeReferences(text));
}

/** `contentEncoding`: what was done before base64. */
export const unpackGzip = (path: string): Promise<void> =>
  replaceBy(path, createReadStream(path).pipe(createGunzip()));

async function replaceBy(path: string, chunks: AsyncIterable<Uint8Array>): Promise<void> {
  const other = `${path}.decoded`;
  await spoolTo(other, chunks);
  await rename(other, path);
}

async function* decodeBase64(characters: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  const reader = new Base64Reader();
  for await (const piece of characters) yield reader.push(piece);
  yield reader.finish();
}

async function readHead(path: string): Promise<string> {
  const handle = await open(path, 'r');
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(LOOKED_AT), 0, LOOKED_AT, 0);
    return buffer.toString('latin1', 0, bytesRead);
  } finally {
    await handle.close();
  }
}

/** Hex. */
export async function digestOf(path: string, algorithm: string): Promise<string> {
  const hash = createHash(algorithm);
  for await (const chunk of createReadStream(path) as AsyncIterable<Buffer>) hash.update(chunk);
  return hash.digest('hex');
}
