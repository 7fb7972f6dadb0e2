/** Every event that Garner logs, with its level and its fields: one row each. */

export const LOG_LEVELS = ['debug', 'info', 'warn', 'error'] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

interface EventKind<Fields> {
  readonly level: LogLevel;
  /** Never present: carries the type of the fields. */
  readonly fields?: Fields;
}

const event = <Fields>(level: LogLevel): EventKind<Fields> => ({ level });

export const LOG_EVENTS = {
  'server.listening': event<{ url: string }>('info'),
  'server.stopped': event<{ signal?: string }>('info'),
  'http.request': event<{ method: string; path: string; status: number; durationMs: number }>('debug'),
  'http.failed': event<{ method: string; path: string; error: unknown }>('error'),
  'run.started': event<{ source: string; kind: string; runId: number; resumed?: boolean }>('info'),
  'run.progress': event<{ source: string; runId: number; done: number; total?: number }>('info'),
  'run.problem': event<{
    source: string;
    runId: number;
    code: string;
    message: string;
    where?: string;
    line?: number;
  }>('warn'),
  'run.finished': event<{
    source: string;
    runId: number;
    status: string;
    durationMs: number;
    counts?: object;
    message?: string;
  }>('info'),
  'run.failed': event<{ source: string; runId?: number; error: unknown }>('error'),
  'schedule.next': event<{ source: string; at: string }>('debug'),
  'schedule.skipped': event<{ source: string; reason: string }>('info'),
  'schedule.failed': event<{ source: string; error: unknown }>('error'),
  'federate.gather-failed': event<{ error: unknown }>('warn'),
  'notify.sent': event<{ source: string; runId: number; status: string }>('debug'),
  'notify.failed': event<{ source: string; runId: number; error: unknown }>('warn'),
  'runs.pruned': event<{ runs: number; before: string }>('info'),
  'import.skipped': event<{ source: string; file: string; reason: string }>('debug'),
  'store.opened': event<{ folder: string; schemaVersion: number }>('debug'),
  'store.migrated': event<{ from: number; to: number; backup: string }>('warn'),
  'store.stale': event<{ source: string; message: string }>('warn'),
  'worker.replaced': event<{ worker: string; error: unknown }>('warn'),
} as const;

export type EventName = keyof typeof LOG_EVENTS;
export type EventFields<Name extends EventName> = NonNullable<(typeof LOG_EVENTS)[Name]['fields']>;
