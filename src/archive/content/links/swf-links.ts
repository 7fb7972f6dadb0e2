/**
 * Addresses in a Flash film (SWF File Format Specification 19). Best effort: the film is unpacked, its
 * strings are looked at, and `getURL` and imported films are read by their records.
 */
import { constants, inflateSync } from 'node:zlib';
import type { LinkKind } from '../link.ts';
import { guessLinkKind } from './looks-like-url.ts';

export interface SwfUrl {
  readonly written: string;
  readonly kind: LinkKind;
  readonly rel?: string;
}

export interface SwfUrls {
  readonly urls: readonly SwfUrl[];
  readonly problem?: string;
}

const MAX_UNPACKED = 64 << 20;
const MAX_URLS = 5_000;

const TAG_END = 0;
const TAG_IMPORT = 57;
const TAG_IMPORT_2 = 71;
const ACTION_GET_URL = 0x83;

export function listSwfUrls(file: Uint8Array): SwfUrls {
  const found = new Map<string, SwfUrl>();
  const add = (written: string, kind: LinkKind, rel?: string) => {
    if (found.size < MAX_URLS && !found.has(written))
      found.set(written, { written, kind, ...(rel !== undefined && { rel }) });
  };
  const unpacked = unpack(file);
  if (unpacked.body) {
    listTags(unpacked.body, add);
    listStrings(unpacked.body, add);
  }
  return {
    urls: Array.from(found.values()),
    ...(unpacked.problem !== undefined && { problem: unpacked.problem }),
  };
}

function unpack(file: Uint8Array): { body?: Buffer; problem?: string } {
  const bytes = Buffer.from(file.buffer, file.byteOffset, file.byteLength);
  const magic = bytes.toString('latin1', 0, 3);
  if (magic === 'FWS') return { body: bytes.subarray(8, MAX_UNPACKED) };
  if (magic === 'ZWS') return { problem: 'the film is packed with LZMA, which is not read' };
  if (magic !== 'CWS') return { problem: 'this is no Flash film' };
  try {
    // A cut film gives what it has.
    const body = inflateSync(bytes.subarray(8), {
      maxOutputLength: MAX_UNPACKED,
      finishFlush: constants.Z_SYNC_FLUSH,
    });
    return { body };
  } catch (cause) {
    return { problem: `the film cannot be unpacked: ${cause instanceof Error ? cause.message : 'unknown'}` };
  }
}

type Add = (written: string, kind: LinkKind, rel?: string) => void;

function listTags(body: Buffer, add: Add): void {
  // The frame size is a record of bits: five for the width of each of its four numbers.
  const bits = (body[0] ?? 0) >> 3;
  let at = Math.ceil((5 + bits * 4) / 8) + 4;
  while (at + 2 <= body.length) {
    const head = body.readUInt16LE(at);
    at += 2;
    let length = head & 0x3f;
    if (length === 0x3f) {
      if (at + 4 > body.length) return;
      length = body.readUInt32LE(at);
      at += 4;
    }
    const code = head >> 6;
    if (code === TAG_END) return;
    const tag = body.subarray(at, at + length);
    if (code === TAG_IMPORT || code === TAG_IMPORT_2) {
      const url = zeroEnded(tag, 0);
      if (url) add(url, 'object', 'import');
    } else listGetUrls(tag, add);
    at += length;
  }
}

/** `getURL(url, window)`: action 0x83, its length, two strings that end in zero. */
function listGetUrls(tag: Buffer, add: Add): void {
  for (let at = tag.indexOf(ACTION_GET_URL); at >= 0; at = tag.indexOf(ACTION_GET_URL, at + 1)) {
    if (at + 5 > tag.length) return;
    const length = tag.readUInt16LE(at + 1);
    if (length < 3 || length > 4096 || at + 3 + length > tag.length || tag[at + 2 + length] !== 0) continue;
    const url = zeroEnded(tag, at + 3);
    if (!url || url.length + 2 > length || /^(?:FSCommand|javascript|mailto):/i.test(url)) continue;
    add(url, 'page', 'getURL');
  }
}

function zeroEnded(bytes: Buffer, from: number): string | undefined {
  const end = bytes.indexOf(0, from);
  if (end <= from || end - from > 2048) return undefined;
  const text = bytes.toString('utf8', from, end);
  return /^[\x21-\x7e\u00a0-\uffff]+$/.test(text) ? text : undefined;
}

/** Constant pools keep their strings apart by zeros or lengths; both are bytes that no address has. */
function listStrings(body: Buffer, add: Add): void {
  const text = body.toString('latin1');
  for (const [run] of text.matchAll(/[\x21-\x7e]{4,4096}/g)) {
    const http = run.search(/https?:\/\//i);
    // ActionScript 3 puts the length before a string: it may look like a letter.
    const candidates = http > 0 ? [run.slice(http)] : [run, run.slice(1)];
    for (const candidate of candidates) {
      const kind = guessLinkKind(candidate);
      if (kind === undefined) continue;
      add(candidate, kind);
      break;
    }
  }
}
