/** /runs and /runs/{id}. */
import type { Hono } from 'hono';
import { CRAWL_RUN, findCrawlProgress } from '../crawl/progress.ts';
import type { PortalAssets } from '../portal/assets.ts';
import { renderRunPage, renderRunsPage } from '../portal/runs-page.ts';
import { type HttpEnv, signedInAs } from './context.ts';
import type { HttpDeps } from './deps.ts';
import { countVisibleProblems, getReadableRun, listReadableRuns, listVisibleProblems } from './readable.ts';
import { addRunDownloads } from './run-downloads.ts';
import { addRunEvents } from './run-events.ts';
import { siteFor } from './site.ts';

const RUNS_PER_PAGE = 50;
const PROBLEMS_PER_PAGE = 100;

export function addRunPages(app: Hono<HttpEnv>, deps: HttpDeps, assets: PortalAssets): void {
  const { store } = deps;
  addRunEvents(app, deps);
  addRunDownloads(app, deps);
  app.get('/runs', async (c) => {
    const before = readNumber(c.req.query('before'));
    const runs = await listReadableRuns(deps, { before, limit: RUNS_PER_PAGE }, c.get('viewer'));
    const last = runs.length === RUNS_PER_PAGE ? runs.at(-1) : undefined;
    return c.html(
      renderRunsPage({
        site: siteFor(c, deps, assets),
        runs,
        now: deps.clock(),
        liveHref: assets.live.href,
        olderHref: last && `/runs?before=${last.id}`,
        signedInAs: signedInAs(c),
      }),
    );
  });

  app.get('/runs/:id', async (c) => {
    const viewer = c.get('viewer');
    const run = await getReadableRun(deps, c.req.param('id'), viewer);
    const after = readNumber(c.req.query('after'));
    const kinds = await countVisibleProblems(store, run, viewer);
    const chosen = kinds.find(({ code }) => code === c.req.query('code'))?.code;
    const { problems, next } = await listVisibleProblems(
      store,
      run,
      { after, code: chosen, limit: PROBLEMS_PER_PAGE },
      viewer,
    );
    return c.html(
      renderRunPage({
        site: siteFor(c, deps, assets),
        run,
        now: deps.clock(),
        liveHref: assets.live.href,
        mayReadLog: viewer.role !== 'reader',
        crawl:
          run.kind === CRAWL_RUN && run.counts && deps.dataFolder !== undefined
            ? findCrawlProgress(deps.dataFolder, run.source, run.id)
            : undefined,
        problems,
        kinds,
        chosen,
        moreHref:
          next === undefined
            ? undefined
            : `/runs/${run.id}?${chosen === undefined ? '' : `code=${chosen}&`}after=${next}`,
        signedInAs: signedInAs(c),
      }),
    );
  });
}

function readNumber(text: string | undefined): number | undefined {
  return text !== undefined && /^\d{1,15}$/.test(text) ? Number(text) : undefined;
}
