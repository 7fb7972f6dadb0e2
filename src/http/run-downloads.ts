/** Downloads that belong to a run: its problems as a table, its log. */
import type { Hono } from 'hono';
import { stream } from 'hono/streaming';
import { GarnerError } from '../core/errors.ts';
import { writeCsvRow } from '../core/write-csv.ts';
import type { HttpEnv } from './context.ts';
import type { HttpDeps } from './deps.ts';
import { getReadableRun, visibleProblems } from './readable.ts';

const PAGE = 500;
const COLUMNS = ['run', 'at', 'code', 'message', 'where', 'line', 'identifier'];

export function addRunDownloads(app: Hono<HttpEnv>, deps: HttpDeps): void {
  const { store } = deps;
  app.get('/runs/:id/problems.csv', async (c) => {
    const viewer = c.get('viewer');
    const run = await getReadableRun(deps, c.req.param('id'), viewer);
    c.header('content-type', 'text/csv; charset=utf-8; header=present');
    c.header('content-disposition', `attachment; filename="run-${run.id}-problems.csv"`);
    return stream(c, async (out) => {
      await out.write(writeCsvRow(COLUMNS));
      for (let after = 0; !out.aborted; ) {
        const problems = await store.runs.listProblems({ runId: run.id, after, limit: PAGE });
        const visible = await visibleProblems(store, run.source, problems, viewer);
        const rows = visible.map(({ at, code, message, where, line, identifier }) =>
          writeCsvRow([
            String(run.id),
            new Date(at).toISOString(),
            code,
            message,
            where,
            line?.toString(),
            identifier,
          ]),
        );
        await out.write(rows.join(''));
        if (problems.length < PAGE) return;
        after = problems.at(-1)?.id ?? after;
      }
    });
  });

  app.get('/runs/:id/log', async (c) => {
    const viewer = c.get('viewer');
    const run = await getReadableRun(deps, c.req.param('id'), viewer);
    // Logs name paths, hosts and hidden items.
    if (viewer.role === 'reader')
      throw new GarnerError('access.denied', 'the log of a run is for curators and operators');
    const log = deps.runLogs?.open(run.id);
    if (!log) throw new GarnerError('request.unknown', `there is no log of run ${run.id}`);
    c.header('content-type', 'application/x-ndjson; charset=utf-8');
    return stream(c, async (out) => {
      for await (const chunk of log) await out.write(chunk);
    });
  });
}
