/**
 * ZipNum: a sorted CDX or CDXJ file cut into gzip members of some thousand lines, and a summary with the
 * first line of each. The summary's lines are `key timestamp⇥part⇥offset⇥length⇥number`, or, in WACZ files,
 * `key timestamp {"offset": …, "length": …, "filename": …}`.
 */
import { promisify } from 'node:util';
import { gunzip, gzip } from 'node:zlib';
import { GarnerError } from '../../core/errors.ts';
import { type ByteSource, readFully } from '../bytes/byte-source.ts';
import { digestHex } from '../digest.ts';

const gunzipAsync = promisify(gunzip);
const gzipAsync = promisify(gzip);

export interface ZipNumBlock {
  /** `key timestamp` of its first line. */
  readonly prefix: string;
  readonly part: string;
  readonly offset: number;
  readonly length: number;
}

/** A block of CDX lines that unpacks to more is not one. */
const BLOCK_LIMIT = 64 << 20;
const LINES_PER_BLOCK = 3000;

export function parseZipNumSummary(text: string): readonly ZipNumBlock[] {
  return text.split('\n').flatMap((line) => {
    if (line.trim() === '' || line.startsWith('!')) return [];
    const block = parseSummaryLine(line);
    if (!block) throw new GarnerError('archive.format', `no line of a ZipNum summary: ${line.slice(0, 200)}`);
    return [block];
  });
}

function parseSummaryLine(line: string): ZipNumBlock | undefined {
  const [prefix = '', part = '', offset = '', length = ''] = line.split('\t');
  if (/^\d+$/.test(offset) && /^\d+$/.test(length)) {
    return { prefix, part, offset: Number(offset), length: Number(length) };
  }
  const match = /^(\S+ \d+) (\{.*\})\s*$/.exec(line);
  if (!match) return undefined;
  const fields: unknown = parseJson(match[2] ?? '');
  if (typeof fields !== 'object' || fields === null || !('offset' in fields) || !('length' in fields))
    return undefined;
  const name = 'filename' in fields && typeof fields.filename === 'string' ? fields.filename : '';
  return { prefix: match[1] ?? '', part: name, offset: Number(fields.offset), length: Number(fields.length) };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

export interface ZipNumIndex {
  readonly blocks: readonly ZipNumBlock[];
  /** Opens the file that a part's name stands for. */
  readonly openPart: (part: string) => Promise<ByteSource>;
}

/** Lines whose beginning lies between the two (`to` exclusive), in order. All when neither is given. */
export async function* readZipNum(
  { blocks, openPart }: ZipNumIndex,
  range: { readonly from?: string; readonly to?: string } = {},
): AsyncGenerator<string> {
  const { from = '', to } = range;
  for (let i = firstBlock(blocks, from); i < blocks.length; i++) {
    const block = blocks[i];
    if (!block || (to !== undefined && block.prefix >= to)) return;
    for (const line of await readBlock(block, openPart)) {
      if (line < from) continue;
      if (to !== undefined && line >= to) return;
      yield line;
    }
  }
}

/** The last block that begins before `from`: it may hold the first line wanted. */
function firstBlock(blocks: readonly ZipNumBlock[], from: string): number {
  let low = 0;
  let high = blocks.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((blocks[middle]?.prefix ?? '') < from) low = middle + 1;
    else high = middle;
  }
  return Math.max(0, low - 1);
}

async function readBlock(block: ZipNumBlock, openPart: ZipNumIndex['openPart']): Promise<string[]> {
  const source = await openPart(block.part);
  try {
    const bytes = await readFully(source, block.offset, block.length);
    const text = await gunzipAsync(bytes, { maxOutputLength: BLOCK_LIMIT });
    return text
      .toString('utf8')
      .split('\n')
      .filter((line) => line !== '');
  } catch (error) {
    throw new GarnerError(
      'archive.format',
      `a ZipNum block at ${block.offset} of ${source.name} cannot be read`,
      {
        cause: error,
        details: { file: source.name, offset: block.offset },
      },
    );
  } finally {
    await source.close();
  }
}

export interface WrittenZipNum {
  readonly blocks: Buffer;
  /** In the form of WACZ files. */
  readonly summary: string;
}

/** `lines` must be sorted. */
export async function writeZipNum(lines: readonly string[], fileName: string): Promise<WrittenZipNum> {
  const blocks: Buffer[] = [];
  const summary = [`!meta 0 ${JSON.stringify({ format: 'cdxj-gzip-1.0', filename: fileName })}`];
  let offset = 0;
  for (let i = 0; i < lines.length; i += LINES_PER_BLOCK) {
    const text = `${lines.slice(i, i + LINES_PER_BLOCK).join('\n')}\n`;
    const packed = await gzipAsync(text);
    const prefix = (lines[i] ?? '').split(' ', 2).join(' ');
    const digest = `sha256:${digestHex('sha256', packed)}`;
    summary.push(
      `${prefix} ${JSON.stringify({ offset, length: packed.length, digest, filename: fileName })}`,
    );
    offset += packed.length;
    blocks.push(packed);
  }
  return { blocks: Buffer.concat(blocks), summary: `${summary.join('\n')}\n` };
}
