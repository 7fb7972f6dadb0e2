/** Where the command line writes: text for people, JSON for programs, progress that erases itself. */
import type { WriteStream } from 'node:tty';

export interface TerminalStreams {
  readonly stdout: Pick<NodeJS.WriteStream, 'write'>;
  readonly stderr: Pick<WriteStream, 'write'> & { readonly isTTY?: boolean; readonly columns?: number };
}

export interface Terminal {
  readonly json: boolean;
  /** Whether `progress` draws. */
  readonly animated: boolean;
  /** A line for people; nothing in JSON mode. */
  say(line?: string): void;
  /** A line that must not mix with the answer (warnings, next steps): standard error. */
  warn(line: string): void;
  /** The answer as JSON: in JSON mode only. */
  answer(document: unknown): void;
  /** An event of long work: a JSON line in JSON mode, else nothing. */
  event(event: Readonly<Record<string, unknown>>): void;
  /** The answer as bytes, in both modes (`get`). */
  bytes(data: Uint8Array): void;
  /** One line that is drawn over itself; only where standard error is a terminal. */
  progress(line: string): void;
  progressDone(): void;
}

const REDRAW_MS = 100;

export function createTerminal(streams: TerminalStreams, json: boolean): Terminal {
  const animate = streams.stderr.isTTY === true && !json;
  let drawnAt = 0;
  let drawn = false;
  const clear = () => {
    if (drawn) streams.stderr.write('\r\u001b[2K');
    drawn = false;
  };
  return {
    json,
    animated: animate,
    say: (line = '') => {
      if (json) return;
      clear();
      streams.stdout.write(`${line}\n`);
    },
    warn: (line) => {
      clear();
      streams.stderr.write(`${line}\n`);
    },
    answer: (document) => {
      if (json) streams.stdout.write(`${JSON.stringify(document)}\n`);
    },
    event: (event) => {
      if (json) streams.stdout.write(`${JSON.stringify(event)}\n`);
    },
    bytes: (data) => {
      streams.stdout.write(data);
    },
    progress: (line) => {
      if (!animate || Date.now() - drawnAt < REDRAW_MS) return;
      drawnAt = Date.now();
      drawn = true;
      streams.stderr.write(`\r\u001b[2K${line.slice(0, (streams.stderr.columns ?? 80) - 1)}`);
    },
    progressDone: clear,
  };
}

/** Columns padded to their widest cell. */
export function formatTable(rows: readonly (readonly string[])[]): string[] {
  const widths: number[] = [];
  for (const row of rows)
    for (const [i, cell] of row.entries()) widths[i] = Math.max(widths[i] ?? 0, cell.length);
  return rows.map((row) =>
    row.map((cell, i) => (i === row.length - 1 ? cell : cell.padEnd(widths[i] ?? 0))).join('  '),
  );
}

export function formatCount(count: number): string {
  return count.toLocaleString('en-US');
}
