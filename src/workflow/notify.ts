/** Tells a web address how a run ended. */
import { createHmac } from 'node:crypto';
import { asGarnerError } from '../core/errors.ts';
import type { Log } from '../core/log.ts';
import type { Clock } from '../core/time.ts';
import type { RunInfo, RunStatus } from '../store/index.ts';

export interface NotifySettings {
  readonly url: string;
  readonly secret: string;
  readonly on: readonly RunStatus[];
}

export interface NotifyDeps {
  readonly settings: NotifySettings;
  /** Of the portal, without a slash at the end. */
  readonly baseUrl: string;
  /** Sends; throws when it was not received. */
  readonly post: (url: string, body: string, headers: Readonly<Record<string, string>>) => Promise<void>;
  readonly clock: Clock;
  readonly log: Log;
}

/**
 * `Garner-Signature: t=1767225600,v1=5f2c…`: the HMAC-SHA256, keyed by the secret, of the time, a dot and
 * the body. The time is in it so that a message that somebody keeps cannot be sent again much later.
 */
export function signBody(secret: string, seconds: number, body: string): string {
  const mac = createHmac('sha256', secret).update(`${seconds}.${body}`).digest('hex');
  return `t=${seconds},v1=${mac}`;
}

/** A failure to tell is logged; it does not change how the run ended. */
export async function notifyRun(run: RunInfo, deps: NotifyDeps): Promise<void> {
  const { settings, baseUrl, clock, log } = deps;
  if (!settings.on.includes(run.status)) return;
  const seconds = Math.floor(clock() / 1000);
  const { holder: _, startedAt, endedAt, ...rest } = run;
  const iso = (at: number) => new Date(at).toISOString();
  const body = JSON.stringify({
    event: `run.${run.status}`,
    sentAt: iso(seconds * 1000),
    url: `${baseUrl}/runs/${run.id}`,
    run: { ...rest, startedAt: iso(startedAt), ...(endedAt !== undefined && { endedAt: iso(endedAt) }) },
  });
  try {
    await deps.post(settings.url, body, {
      'content-type': 'application/json',
      'garner-signature': signBody(settings.secret, seconds, body),
    });
    log('notify.sent', { source: run.source, runId: run.id, status: run.status });
  } catch (thrown) {
    log('notify.failed', { source: run.source, runId: run.id, error: asGarnerError(thrown) });
  }
}
