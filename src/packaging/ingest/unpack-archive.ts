/** The files of a tar or zip put into a folder; nothing in it can lead anywhere else. */
import { createWriteStream } from 'node:fs';
import { mkdir, utimes } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { asGarnerError } from '../../core/errors.ts';
import type { Instant, RecordProblem } from '../../core/model.ts';

/** One entry, as whoever lists archives tells of it. */
export interface PackedEntry {
  /** With slashes. */
  readonly name: string;
  readonly modifiedAt: Instant;
  /** Why it must not be unpacked: a name that leads out, a link, a bomb. */
  readonly refusal?: string | undefined;
  /** Only until the next entry. */
  readonly open: () => AsyncIterable<Uint8Array>;
}

/** Gives what was refused. The folder is empty before. */
export async function unpackInto(
  folder: string,
  entries: AsyncIterable<PackedEntry>,
): Promise<RecordProblem[]> {
  const problems: RecordProblem[] = [];
  await mkdir(folder, { recursive: true });
  for await (const { name, modifiedAt, refusal, open } of entries) {
    if (refusal !== undefined) {
      problems.push({ code: 'archive.unsafe', message: `refused: ${refusal}`, where: name });
      continue;
    }
    const target = join(folder, ...name.split('/'));
    try {
      await mkdir(dirname(target), { recursive: true });
      await pipeline(Readable.from(open()), createWriteStream(target, { flags: 'wx' }));
      await utimes(target, modifiedAt / 1000, modifiedAt / 1000);
    } catch (thrown) {
      if (!isTaken(thrown)) throw asGarnerError(thrown);
      const message = 'another entry has a file or folder of the same name';
      problems.push({ code: 'record.duplicate', message, where: name });
    }
  }
  return problems;
}

const isTaken = (thrown: unknown): boolean =>
  thrown instanceof Error &&
  'code' in thrown &&
  ['EEXIST', 'EISDIR', 'ENOTDIR'].includes(String(thrown.code));
