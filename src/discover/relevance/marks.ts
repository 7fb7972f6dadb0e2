/**
 * What curators think of candidates, `topics/ACRONYM/marks.ndjson`: one line for each judgement with who and
 * when, only ever appended to. The last line of an address counts.
 */
import { closeSync, fsyncSync, mkdirSync, openSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import type { Instant } from '../../core/model.ts';
import { canonicalKey } from '../fusion/canonical.ts';
import { findWhole } from '../run/whole-file.ts';

export const MARKS = ['good', 'bad'] as const;
export type Mark = (typeof MARKS)[number];

export interface Judgement {
  readonly key: string;
  readonly url: string;
  /** `none` takes an earlier one back. */
  readonly mark: Mark | 'none';
  /** Name of the token, or of the account on the command line. */
  readonly by: string;
  readonly at: Instant;
}

export interface TopicMarks {
  /** Those that count, by key. */
  read(acronym: string): ReadonlyMap<string, Judgement & { readonly mark: Mark }>;
  /** Every judgement that was ever made, oldest first. */
  list(acronym: string): readonly Judgement[];
  /** On the disk when it returns. */
  add(acronym: string, judgements: readonly Omit<Judgement, 'key'>[]): void;
}

export function openTopicMarks(dataFolder: string): TopicMarks {
  const pathOf = (acronym: string) => join(dataFolder, 'topics', acronym, 'marks.ndjson');
  const list = (acronym: string): Judgement[] =>
    (findWhole(pathOf(acronym)) ?? '').split('\n').flatMap(readLine);
  return {
    list,
    read(acronym) {
      const marks = new Map<string, Judgement & { readonly mark: Mark }>();
      for (const { mark, ...judgement } of list(acronym)) {
        marks.delete(judgement.key);
        if (mark !== 'none') marks.set(judgement.key, { ...judgement, mark });
      }
      return marks;
    },
    add(acronym, judgements) {
      const lines = judgements.map(({ url, mark, by, at }) =>
        JSON.stringify({ key: canonicalKey(url), url, mark, by, at }),
      );
      const path = pathOf(acronym);
      mkdirSync(join(path, '..'), { recursive: true });
      const file = openSync(path, 'a');
      try {
        // The line break before: what a crash left of a line must not spoil the next.
        writeSync(file, lines.map((line) => `\n${line}`).join(''));
        fsyncSync(file);
      } finally {
        closeSync(file);
      }
    },
  };
}

function readLine(line: string): Judgement[] {
  if (line === '') return [];
  try {
    return [JSON.parse(line) as Judgement];
  } catch (error) {
    // Half a line, of a process that died while it wrote.
    if (error instanceof SyntaxError) return [];
    throw error;
  }
}
