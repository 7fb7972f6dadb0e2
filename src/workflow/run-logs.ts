/** The full log of each run, as JSON lines in a file of its own beside the store. */
import { closeSync, createReadStream, existsSync, mkdirSync, openSync, rmSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { createLog, type Log } from '../core/log.ts';
import type { Clock } from '../core/time.ts';

/** A run that has more to say is cut short; its problems are in the store anyway. */
const MAX_BYTES = 64 * 1024 * 1024;
/** Lines are gathered up to so many characters; events other than problems are written at once. */
const BUFFER = 32 * 1024;

/** After these nothing follows, or only one of these. */
const LAST_WORDS: ReadonlySet<string> = new Set([
  'run.finished',
  'run.failed',
  'notify.sent',
  'notify.failed',
]);

export interface RunLogs {
  /** A log that also keeps what is said of runs. */
  tee(log: Log): Log;
  /** Undefined when the run has none: it is too old, or was run elsewhere. */
  open(runId: number): AsyncIterable<Uint8Array> | undefined;
  remove(runIds: readonly number[]): void;
}

interface OpenLog {
  readonly file: number;
  readonly log: Log;
  waiting: string;
  size: number;
}

export function createRunLogs(dataFolder: string, clock: Clock): RunLogs {
  const folder = join(dataFolder, 'run-logs');
  const pathOf = (runId: number) => join(folder, `${runId}.jsonl`);
  const open = new Map<number, OpenLog>();

  const openLog = (runId: number): OpenLog => {
    mkdirSync(folder, { recursive: true });
    const opened: OpenLog = {
      file: openSync(pathOf(runId), 'a'),
      waiting: '',
      size: 0,
      log: createLog({
        pretty: false,
        level: 'debug',
        clock,
        write: (line) => {
          opened.waiting += line;
        },
      }),
    };
    open.set(runId, opened);
    return opened;
  };

  const flush = (opened: OpenLog): void => {
    if (opened.waiting === '') return;
    if (opened.size <= MAX_BYTES) opened.size += writeSync(opened.file, opened.waiting);
    opened.waiting = '';
  };

  return {
    tee: (log) => (name, fields) => {
      log(name, fields);
      const runId = 'runId' in fields ? fields.runId : undefined;
      if (typeof runId !== 'number') return;
      const opened = open.get(runId) ?? openLog(runId);
      opened.log(name, fields);
      if (name !== 'run.problem' || opened.waiting.length > BUFFER) flush(opened);
      if (!LAST_WORDS.has(name)) return;
      closeSync(opened.file);
      open.delete(runId);
    },
    open: (runId) => (existsSync(pathOf(runId)) ? createReadStream(pathOf(runId)) : undefined),
    remove: (runIds) => {
      for (const runId of runIds) rmSync(pathOf(runId), { force: true });
    },
  };
}
