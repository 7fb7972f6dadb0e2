/** Calls to a database in another process, one after the other, each with its time. */
import { type ChildProcess, fork } from 'node:child_process';
import { type ErrorCode, GarnerError } from '../../core/errors.ts';
import { workerUrl } from '../../core/worker-url.ts';

export type SqlRow = Readonly<Record<string, string | number | Uint8Array | null>>;

interface SqlSetup {
  readonly file: string;
  readonly query: string;
  readonly maxRows: number;
  readonly maxBytes: number;
}

export interface SqlCall extends SqlSetup {
  readonly parameters: Readonly<Record<string, string>>;
}

export type SqlReply =
  | { readonly rows: readonly SqlRow[] }
  | { readonly code: ErrorCode; readonly message: string };

export interface SqlProcess {
  select(parameters: Readonly<Record<string, string>>): Promise<readonly SqlRow[]>;
  close(): Promise<void>;
}

const MOST_WAITING = 16;

/** Started with the first call. */
export function createSqlProcess(setup: SqlSetup, timeoutMs: number): SqlProcess {
  let child: ChildProcess | undefined;
  let last: Promise<unknown> = Promise.resolve();
  let waiting = 0;
  let closed = false;

  function start(): ChildProcess {
    const started = fork(workerUrl(import.meta.url, './sql-worker'), [], {
      serialization: 'advanced',
      execArgv: ['--disable-warning=ExperimentalWarning'],
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    });
    started.once('exit', () => {
      if (child === started) child = undefined;
    });
    return started;
  }

  function end(): void {
    child?.kill('SIGKILL');
    child = undefined;
  }

  async function call(parameters: SqlCall['parameters']): Promise<readonly SqlRow[]> {
    if (closed) throw new GarnerError('worker.lost', 'the database is closed');
    child ??= start();
    const asked = child;
    const { promise, resolve, reject } = Promise.withResolvers<SqlReply>();
    const lost = () => reject(new GarnerError('worker.lost', 'the process of the database ended'));
    const timer = setTimeout(() => {
      end();
      reject(new GarnerError('query.too-broad', `the database took longer than ${timeoutMs} ms`));
    }, timeoutMs);
    asked.once('message', resolve).once('exit', lost).once('error', lost);
    try {
      asked.send({ ...setup, parameters } satisfies SqlCall);
      const reply = await promise;
      if ('rows' in reply) return reply.rows;
      throw new GarnerError(reply.code, reply.message);
    } finally {
      clearTimeout(timer);
      asked.off('message', resolve).off('exit', lost).off('error', lost);
    }
  }

  return {
    async select(parameters) {
      if (waiting >= MOST_WAITING)
        throw new GarnerError('server.busy', 'the database has much to do; ask again');
      waiting++;
      const answered = last.then(() => call(parameters));
      last = answered.then(
        () => undefined,
        // Told to whoever asked.
        () => undefined,
      );
      try {
        return await answered;
      } finally {
        waiting--;
      }
    },
    async close() {
      closed = true;
      end();
      await last;
    },
  };
}
