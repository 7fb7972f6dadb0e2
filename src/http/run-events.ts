/** /runs/events: server-sent events that say which runs changed; pages then ask for what they show. */
import type { Hono } from 'hono';
import { streamSSE } from 'hono/streaming';
import type { HttpEnv } from './context.ts';
import type { HttpDeps } from './deps.ts';
import { readableRuns } from './readable.ts';
import { createRunFeed } from './run-feed.ts';

/** Browsers that wait; whoever comes later gets 204, which tells them not to ask again. */
const MOST_WATCHERS = 500;
/** Comments that keep proxies from closing a quiet connection. */
const QUIET_MS = 15_000;

export function addRunEvents(app: Hono<HttpEnv>, deps: HttpDeps): void {
  const feed = createRunFeed((limit) => deps.store.runs.listRuns({ limit }), deps.log);
  app.get('/runs/events', async (c) => {
    if (feed.watchers >= MOST_WATCHERS) return c.body(null, 204);
    const maySee = await readableRuns(deps, c.get('viewer'));
    // Proxies like nginx hold back what they think is a page.
    c.header('x-accel-buffering', 'no');
    return streamSSE(c, async (stream) => {
      let wake: (() => void) | undefined;
      const changed = new Set<number>();
      const leave = await feed.watch((runs) => {
        for (const run of runs) if (maySee(run.source)) changed.add(run.id);
        if (changed.size > 0) wake?.();
      });
      stream.onAbort(() => wake?.());
      try {
        await stream.writeSSE({ event: 'ready', data: '{}' });
        while (!stream.aborted && !stream.closed) {
          if (changed.size === 0)
            await new Promise<void>((resolve) => {
              wake = resolve;
              setTimeout(resolve, QUIET_MS).unref();
            });
          const ids = [...changed];
          changed.clear();
          if (ids.length > 0) await stream.writeSSE({ event: 'runs', data: JSON.stringify({ runs: ids }) });
          else await stream.write(': quiet\n\n');
        }
      } finally {
        leave();
      }
    });
  });
}
