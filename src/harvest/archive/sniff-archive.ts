/** Whether a file is a web archive, by its bytes; names are not asked. */
import { stat } from 'node:fs/promises';
import { createGunzip } from 'node:zlib';
import { type ByteSource, openFile, openWacz, readCdxj, readLines } from '../../archive/index.ts';
import { asGarnerError } from '../../core/errors.ts';
import { listCandidates } from './listed-offsets.ts';

/**
 * `records`: WARC or ARC, however packed; `index`: CDX or CDXJ; `zipnum`: the summary of a CDX in blocks;
 * `dat`: Alexa's descriptions of documents; `offsets`: a list of places in an archive file that lies beside it.
 */
export type WebArchiveKind = 'records' | 'wacz' | 'index' | 'zipnum' | 'dat' | 'offsets';

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
    if (isZipNumSummary(text)) return 'zipnum';
    if (await isIndex(source, text)) return 'index';
    return isOffsets(text) && (await findListed(path)) !== undefined ? 'offsets' : undefined;
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

/** `key timestamp⇥part⇥offset⇥length`, or the same as JSON; a line of CDXJ has a URL as well. */
const SUMMARY_LINE = /^\S+ \d{4,17}\t[^\t\n]+\t\d+\t\d+/;
const JSON_SUMMARY_LINE = /^\S+ \d{4,17} \{(?=[^\n]*"offset")(?=[^\n]*"length")(?![^\n]*"(?:url|uri)")/m;

function isZipNumSummary(text: string): boolean {
  if (SUMMARY_LINE.test(text)) return true;
  const lines = text.replace(/^!.*\n/, '');
  return (text.startsWith('!meta') || /^\S+ \d{4,17} \{/.test(text)) && JSON_SUMMARY_LINE.test(lines);
}

/** Some lines, whole, each with a number first. */
const OFFSET_LINES = /^(?:\d{1,15}(?:[ \t,;]+[^\n]{0,2000})?\r?\n){1,20}/;

const isOffsets = (text: string): boolean =>
  OFFSET_LINES.test(text) &&
  text
    .split('\n', 20)
    .slice(0, -1)
    .every((line) => /^\d/.test(line));

/** The archive file that a list of offsets belongs to. */
export async function findListed(path: string): Promise<string | undefined> {
  for (const candidate of await listCandidates(path)) {
    const facts = await stat(candidate).catch(() => undefined);
    if (facts?.isFile() && (await sniffRecords(candidate))) return candidate;
  }
  return undefined;
}

async function sniffRecords(path: string): Promise<boolean> {
  const source = await openFile(path);
  try {
    const head = await source.read(0, HEAD_BYTES);
    const text = (head[0] === 0x1f && head[1] === 0x8b ? await unpackHead(head) : head).toString('latin1');
    return (RECORD_START.test(text) || ARC_LINE.test(text)) && !DAT_LINE.test(text);
  } finally {
    await source.close();
  }
}

/** A file without a header is known by its columns: key, 14 digits, an address. */
const HEADLESS_CDX = /^\S+\)\/\S* \d{14} [a-z][a-z0-9+.-]*:\S+ (?:\S+ ){5}(?:\S+ \S+ )?\S+\r?\n/i;

async function isIndex(source: ByteSource, text: string): Promise<boolean> {
  if (/^[^\w]CDX[^\w]/.test(text) || HEADLESS_CDX.test(text)) return true;
  if (!/^\S+ \d{14} \{/.test(text)) return false;
  for await (const _ of readCdxj(readLines(source), () => {})) return true;
  return false;
}
