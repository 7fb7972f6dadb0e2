/** Small archives made by tests, and a way to read one into lists. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { type ByteSource, bytesInMemory } from './bytes/byte-source.ts';
import type { ArchiveRecord } from './read/archive-record.ts';
import type { Damage } from './read/events.ts';
import { readArchive } from './read/read-archive.ts';
import type { ReadOptions } from './read/record-reader.ts';

export async function temporaryFolder(t: TestContext): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'garner-archive-'));
  t.after(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

/** A WARC record as text; `length` may lie. */
export function warcRecord(
  block: string | Buffer,
  choice: {
    type?: string;
    uri?: string;
    version?: string;
    length?: number | null;
    extra?: string;
    newline?: string;
  } = {},
): Buffer {
  const newline = choice.newline ?? '\r\n';
  const bytes = Buffer.from(block);
  const lines = [
    `WARC/${choice.version ?? '1.1'}`,
    `WARC-Type: ${choice.type ?? 'resource'}`,
    `WARC-Target-URI: ${choice.uri ?? 'http://example.org/'}`,
    'WARC-Date: 2026-02-03T04:05:06.789Z',
    'WARC-Record-ID: <urn:uuid:00000000-0000-4000-8000-000000000001>',
    ...(choice.length === null ? [] : [`Content-Length: ${choice.length ?? bytes.length}`]),
    ...(choice.extra === undefined ? [] : [choice.extra]),
    '',
    '',
  ];
  return Buffer.concat([Buffer.from(lines.join(newline)), bytes, Buffer.from(newline + newline)]);
}

export interface ReadAll {
  readonly records: ArchiveRecord[];
  readonly blocks: Buffer[];
  readonly damages: Damage[];
}

export async function readAll(
  from: string | Buffer | ByteSource,
  options: ReadOptions = {},
): Promise<ReadAll> {
  const all: ReadAll = { records: [], blocks: [], damages: [] };
  for await (const event of readArchive(Buffer.isBuffer(from) ? bytesInMemory(from) : from, options)) {
    if (event.kind === 'damage') {
      all.damages.push(event);
      continue;
    }
    all.blocks.push(await event.block());
    all.records.push(event);
  }
  return all;
}

/** Gives at most so many bytes per read, as a slow disk or a network would. */
export function stuttering(bytes: Buffer, step: number): ByteSource {
  const source = bytesInMemory(bytes);
  return { ...source, read: (position, length) => source.read(position, Math.min(length, step)) };
}
