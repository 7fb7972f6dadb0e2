/**
 * Lists of runs as files beside the store, `topics/ACRONYM/RUN.json`: written whole while the run goes on, so
 * that pages of another process show it live.
 */
import { readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { TopicRun } from './topic-run.ts';
import { findWhole, unlessAbsent, writeWhole } from './whole-file.ts';

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
      const text = findWhole(pathOf(acronym, runId));
      if (text === undefined) return undefined;
      const { shape, run } = JSON.parse(text) as { shape: number; run: TopicRun };
      return shape === SHAPE ? run : undefined;
    },
    write(run) {
      writeWhole(pathOf(run.acronym, run.runId), JSON.stringify({ shape: SHAPE, run }));
    },
    prune(acronym, keep) {
      for (const runId of list(acronym).slice(keep)) rmSync(pathOf(acronym, runId), { force: true });
    },
  };
}
