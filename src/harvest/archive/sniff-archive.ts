/** Whether a file is a web archive, by its bytes; names are not asked. */
import { createGunzip } from 'node:zlib';
import { type ByteSource, openFile, openWacz, readCdxj, readLines } from '../../archive/index.ts';
import { asGarnerError } from '../../core/errors.ts';

/** `records`: WARC or ARC, however packed; `index`: CDX or CDXJ; `dat`: Alexa's descriptions of documents. */
export type WebArchiveKind = 'records' | 'wacz' | 'index' | 'dat';

/** Little, since every file of a folder is looked at. */
const HEAD_BYTES = 4096;
const STEP_BYTES = 256;
/** WARC of any version, and the head of an ARC file. */
const RECORD_START = /^(?:\r?\n)*(?:WARC\/\d|filedesc:\/\/)/;
/** An ARC file whose head is lost begins with the line of a record: URL, address, 14 digits. */
const ARC_LINE = /^[a-z]+:\S* [\d.:a-fA-F]+ \d{14} \S+ \d+\r?\n/;
const DAT_LINE = /^\S+ \S+ \d{14} alexa\/dat \d+/m;

export async function sniffWebArchive(path: string): Promise<WebArchiveKind | undefined> {
  const source = await openFile(path);
  try {
    const head = await source.read(0, HEAD_BYTES);
    if (head.length < 4) return undefined;
    const magic = head.readUInt32LE(0);
    // A zstd frame, or the skippable frame that the dictionary of a WARC file is kept in.
    if (magic === 0xfd2fb528 || magic === 0x184d2a5d) return 'records';
    if (magic === 0x04034b50) return (await isWacz(path)) ? 'wacz' : undefined;
    const text = (head[0] === 0x1f && head[1] === 0x8b ? await unpackHead(head) : head).toString('latin1');
    if (RECORD_START.test(text)) return DAT_LINE.test(text) ? 'dat' : 'records';
    if (ARC_LINE.test(text)) return DAT_LINE.test(text) ? 'dat' : 'records';
    return (await isIndex(source, text)) ? 'index' : undefined;
  } finally {
    await source.close();
  }
}

async function isWacz(path: string): Promise<boolean> {
  try {
    const wacz = await openWacz(path);
    await wacz.close();
    return true;
  } catch (thrown) {
    if (asGarnerError(thrown).code === 'archive.format') return false;
    throw thrown;
  }
}

/** In small steps: damage costs all that was to come of its step, and only the beginning is needed. */
async function unpackHead(head: Buffer): Promise<Buffer> {
  const gunzip = createGunzip();
  const parts: Buffer[] = [];
  gunzip.on('data', (part: Buffer) => parts.push(part));
  await new Promise<void>((resolve) => {
    gunzip.once('error', () => resolve());
    gunzip.once('end', resolve);
    for (let at = 0; at < head.length; at += STEP_BYTES) gunzip.write(head.subarray(at, at + STEP_BYTES));
    gunzip.end();
  });
  return Buffer.concat(parts).subarray(0, HEAD_BYTES);
}

async function isIndex(source: ByteSource, text: string): Promise<boolean> {
  if (/^[^\w]CDX[^\w]/.test(text)) return true;
  if (!/^\S+ \d{14} \{/.test(text)) return false;
  for await (const _ of readCdxj(readLines(source), () => {})) return true;
  return false;
}
