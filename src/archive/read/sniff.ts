/** What kind of file this is, by its first bytes; names are not looked at. */
import { GarnerError } from '../../core/errors.ts';
import { type ByteSource, readFully } from '../bytes/byte-source.ts';
import { isGzipMagic } from './gzip-header.ts';
import { findStart, formAt } from './record-start.ts';
import { frameKind } from './zstd-frame.ts';

export type Packing = 'plain' | 'gzip' | 'zstd';

const HEAD_BYTES = 1 << 20;
const ZIP_MAGIC = Buffer.from('PK\u0003\u0004');

export async function sniffPacking(source: ByteSource, start: number): Promise<Packing> {
  const head = await readFully(source, start, HEAD_BYTES);
  if (isGzipMagic(head)) return 'gzip';
  if (frameKind(head) !== undefined) return 'zstd';
  if (formAt(head) !== undefined) return 'plain';
  if (head.subarray(0, 4).equals(ZIP_MAGIC)) {
    throw new GarnerError('archive.format', `${source.name} is a zip file: open it as a WACZ`, {
      details: { file: source.name },
    });
  }
  // A damaged beginning; the reader looks for the first record that can be read.
  if (findStart(head, 0, 'warc') ?? findStart(head, 0, 'arc')) return 'plain';
  for (let at = head.indexOf(0x1f); at >= 0; at = head.indexOf(0x1f, at + 1)) {
    if (isGzipMagic(head, at)) return 'gzip';
  }
  return 'plain';
}
