/**
 * Lists of runs as files beside the store, `topics/ACRONYM/RUN.json`: written whole while the run goes on, so
 * that pages of another process show it live.
 */
import {
  closeSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import type { TopicRun } from './topic-run.ts';

export interface TopicRuns {
  /** Numbers of the runs that have a list, newest first. */
  list(acronym: string): readonly number[];
  find(acronym: string, runId: number): TopicRun | undefined;
  write(run: TopicRun): void;
  /** All but the newest. */
  prune(acronym: string, keep: number): void;
}

/** Raised when the document's shape changes: older files are then as if they were not there. */
const SHAPE = 1;

export function openTopicRuns(dataFolder: string): TopicRuns {
  const folderOf = (acronym: string) => join(dataFolder, 'topics', acronym);
  const pathOf = (acronym: string, runId: number) => join(folderOf(acronym), `${runId}.json`);

  const list = (acronym: string): number[] =>
    unlessAbsent(() => readdirSync(folderOf(acronym)), [])
      .flatMap((name) => /^(\d+)\.json$/.exec(name)?.[1] ?? [])
      .map(Number)
      .sort((a, b) => b - a);

  return {
    list,
    find(acronym, runId) {
      const text = unlessAbsent(() => readFileSync(pathOf(acronym, runId), 'utf8'), undefined);
      if (text === undefined) return undefined;
      const { shape, run } = JSON.parse(text) as { shape: number; run: TopicRun };
      return shape === SHAPE ? run : undefined;
    },
    write(run) {
      mkdirSync(folderOf(run.acronym), { recursive: true });
      const path = pathOf(run.acronym, run.runId);
      const draft = `${path}.${process.pid}`;
      const file = openSync(draft, 'w');
      try {
        writeSync(file, JSON.stringify({ shape: SHAPE, run }));
        fsyncSync(file);
      } finally {
        closeSync(file);
      }
      renameSync(draft, path);
    },
    prune(acronym, keep) {
      for (const runId of list(acronym).slice(keep)) rmSync(pathOf(acronym, runId), { force: true });
    },
  };
}

function unlessAbsent<T>(read: () => T, otherwise: T): T {
  try {
    return read();
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return otherwise;
    throw error;
  }
}
