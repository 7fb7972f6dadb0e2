/** Tells from the first bytes what a file is; names and extensions are not asked. */

import { isRecordTable } from './table-records.ts';

export type Content = 'xml' | 'json' | 'table' | 'zip' | 'gzip' | 'tar' | 'other';

/** A tar header is 512 bytes; white space before the first letter may be longer. */
export const SNIFF_BYTES = 4096;

export function sniffContent(head: Uint8Array): Content {
  return sniffArchive(head) ?? sniffText(new TextDecoder(sniffEncoding(head)).decode(head).trimStart());
}

function sniffArchive(head: Uint8Array): 'zip' | 'gzip' | 'tar' | undefined {
  if (head[0] === 0x50 && head[1] === 0x4b) {
    // A local header, or the end record of an empty zip.
    if ((head[2] === 3 && head[3] === 4) || (head[2] === 5 && head[3] === 6)) return 'zip';
  }
  if (head[0] === 0x1f && head[1] === 0x8b) return 'gzip';
  return isTarHeader(head) ? 'tar' : undefined;
}

/** By checksum, since the oldest tars have no magic: the sum of the header with the sum's field as spaces. */
function isTarHeader(head: Uint8Array): boolean {
  if (head.length < 512 || head[0] === 0) return false;
  const field = new TextDecoder('latin1').decode(head.subarray(148, 156)).replace(/[\0 ]+$/, '');
  if (!/^ *[0-7]+$/.test(field)) return false;
  let sum = 0;
  for (let i = 0; i < 512; i++) sum += i >= 148 && i < 156 ? 0x20 : (head[i] ?? 0);
  return Number.parseInt(field, 8) === sum;
}

/** XML 1.0, appendix F.1, for the encodings that occur; others are declared inside the document. */
function sniffEncoding(head: Uint8Array): 'utf-8' | 'utf-16le' | 'utf-16be' {
  const [a, b] = head;
  if ((a === 0xff && b === 0xfe) || (a !== 0 && a !== undefined && b === 0)) return 'utf-16le';
  if ((a === 0xfe && b === 0xff) || (a === 0 && b !== 0 && b !== undefined)) return 'utf-16be';
  return 'utf-8';
}

function sniffText(text: string): 'xml' | 'json' | 'table' | 'other' {
  if (/^<(?:!doctype\s+html|html[\s>])/i.test(text)) return 'other';
  if (/^<[?!\p{L}_:]/u.test(text)) return 'xml';
  // Not `{\rtf`, and not the `[section]` of settings files.
  if (/^\{(?!\\)/.test(text) || /^\[\s*[[{"\]]/.test(text)) return 'json';
  return isRecordTable(text) ? 'table' : 'other';
}
