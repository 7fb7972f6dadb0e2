/** Whoever wants to hear of runs is told of the one that just ended. */
import type { Garner } from '../app.ts';
import type { Log } from '../core/log.ts';
import { systemClock } from '../core/time.ts';
import { createHttpClient, userAgent } from '../harvest/http/index.ts';
import { mapHosts } from '../net/host-map.ts';
import { notifyRun } from '../workflow/notify.ts';

/** Of the run that was started after the run `before`, however it ended. */
export async function notifyOfLast(garner: Garner, source: string, before: number, log: Log): Promise<void> {
  const { store, config } = garner;
  const { notify } = config.runs;
  if (!notify) return;
  const [run] = await store.runs.listRuns({ source, limit: 1 });
  if (!run || run.id <= before || run.status === 'running') return;
  const { baseUrl, adminEmail } = config.repository;
  const client = createHttpClient({
    userAgent: userAgent({ url: baseUrl, email: adminEmail }),
    allowPrivate: notify.allowPrivate,
    attempts: 3,
    connectTimeoutMs: 10_000,
    idleTimeoutMs: 10_000,
    maxRedirects: 0,
    ...mapHosts(config.net.hosts),
  });
  try {
    await notifyRun(run, {
      settings: notify,
      baseUrl,
      clock: systemClock,
      log,
      post: async (url, body, headers) => {
        const response = await client.request({ url, method: 'POST', body, headers });
        response.discard();
      },
    });
  } finally {
    client.close();
  }
}

/** The number of the source's newest run, 0 before its first. */
export const findLastRun = async ({ store }: Garner, source: string): Promise<number> =>
  (await store.runs.listRuns({ source, limit: 1 }))[0]?.id ?? 0;
