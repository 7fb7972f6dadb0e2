/** For those who look in from time to time: the sitemap, and every search as an Atom feed. */
import type { Hono } from 'hono';
import { GarnerError } from '../core/errors.ts';
import { readSearchState, searchHref, writeSearchState } from '../portal/search-state.ts';
import { ATOM_TYPE, writeAtom } from '../publish/feeds/atom.ts';
import { createListGate } from '../publish/oai/list-gate.ts';
import { openSitemap } from '../publish/sitemap/sitemap.ts';
import type { HttpEnv } from './context.ts';
import type { HttpDeps } from './deps.ts';
import { documentResponse } from './document-response.ts';
import { openToReaders, taggedResponse } from './headers.ts';
import { readQuestion } from './search-request.ts';

const PAGE_SIZE = 50;
/** The store pages no further than 10,000 hits by number. */
const LAST_PAGE = 200;

export function addFeedRoutes(app: Hono<HttpEnv>, deps: HttpDeps): void {
  const { store, catalogue, repository, clock, log } = deps;
  const gate = createListGate({ places: deps.oai.maxLists, clock });

  app.get('/:file{sitemap(_[^/]+)?\\.xml}', async (c) => {
    const { harvest } = store;
    const { baseUrl } = repository;
    const document = await openSitemap(
      { harvest, baseUrl, mostPages: deps.syncLimits?.entries },
      c.req.param('file'),
    );
    if (!document) throw new GarnerError('request.unknown', `there is nothing at ${c.req.path}`);
    return documentResponse(c, document, gate, log);
  });

  app.use('/feeds/*', openToReaders);
  app.get('/feeds/atom', async (c) => {
    // A feed has one order; its address says only what is asked for.
    const { sort: _, ...state } = readSearchState(new URL(c.req.url).searchParams);
    if (state.page > LAST_PAGE)
      throw new GarnerError('request.invalid', `page: a feed has at most ${LAST_PAGE} pages`);
    const answer = await store.search.search(
      {
        ...readQuestion(state, catalogue),
        sort: { by: 'updated', direction: 'desc' },
        limit: PAGE_SIZE,
        offset: (state.page - 1) * PAGE_SIZE,
      },
      c.get('viewer'),
    );
    const { baseUrl, name, adminEmail } = repository;
    const feed = writeAtom({
      title: state.q ? `${state.q} – ${name}` : name,
      baseUrl,
      author: { name, email: adminEmail },
      version: deps.version,
      pageUrl: (page) => {
        const parameters = writeSearchState({ ...state, page }).toString();
        return `${baseUrl}/feeds/atom${parameters ? `?${parameters}` : ''}`;
      },
      searchUrl: baseUrl + searchHref({ ...state, page: 1 }),
      page: state.page,
      pageSize: PAGE_SIZE,
      total: answer.total,
      lastPage: LAST_PAGE,
      hits: answer.hits,
    });
    return taggedResponse(feed, { 'content-type': ATOM_TYPE }, c.req.header('if-none-match'));
  });
}
