/** /query: the query server. A page for people, profiles as XML for old clients; /api/query as JSON, line by line, or as events. */
import { z } from '@hono/zod-openapi';
import { stream as streamLines, streamSSE } from 'hono/streaming';
import { GarnerError } from '../core/errors.ts';
import type { Network, NetworkEvent, NetworkQuestion } from '../federate/network/network.ts';
import { readQuestion } from '../federate/servers/read-question.ts';
import { profileToJson } from '../formats/oodt-profile/json-form.ts';
import { writeProfiles } from '../formats/oodt-profile/write-xml.ts';
import type { PortalAssets } from '../portal/assets.ts';
import { renderQueryPage } from '../portal/query-page.ts';
import { chooseMedia } from './accept.ts';
import { type ApiApp, addGetRoute } from './api-route.ts';
import { type HttpContext, signedInAs } from './context.ts';
import type { HttpDeps } from './deps.ts';
import { asMistake } from './expression-mistake.ts';
import { FOREIGN_BYTES_POLICY, openToReaders } from './headers.ts';
import { readParameters } from './parameters.ts';
import { siteFor } from './site.ts';
import { findUnknownAttribute } from './unknown-attribute.ts';

const USUAL = 100;
const MOST = 1000;
const NDJSON = 'application/x-ndjson';
const EVENTS = 'text/event-stream';

/** What `HttpURLConnection` sends when nobody tells it otherwise: HTML before everything else. */
const JAVA_ACCEPT = /^text\/html, image\/gif, image\/jpeg, .*\*; q=0?\.2$/;

function isForPeople(c: HttpContext): boolean {
  const accept = c.req.header('accept');
  const isJava = accept !== undefined && JAVA_ACCEPT.test(accept);
  return !isJava && chooseMedia(accept, ['text/xml', 'text/html']) === 'text/html';
}

export function addQueryRoutes(app: ApiApp, deps: HttpDeps, network: Network, assets: PortalAssets): void {
  const page = async (c: HttpContext): Promise<Response> => {
    const parameters = await readParameters(c);
    const blank = !(parameters.get('q') ?? '').trim() && !(parameters.get('xmlq') ?? '').trim();
    const isPage = isForPeople(c) && !(parameters.get('xmlq') ?? '').trim();
    const site = siteFor(c, deps, assets);
    if (blank && isPage) return c.html(renderQueryPage({ site, expression: '', signedInAs: signedInAs(c) }));
    const shown = { site, expression: parameters.get('q') ?? '', signedInAs: signedInAs(c) };
    const { asked, answer, mistake } = await answerQuestion(parameters, c).catch((thrown: unknown) => {
      if (!isPage) throw thrown;
      return { asked: undefined, answer: undefined, mistake: asMistake(thrown) };
    });
    if (mistake) return c.html(renderQueryPage({ ...shown, note: mistake }), 400);
    if (isPage) {
      const unknown = answer.profiles.length === 0 ? findUnknownAttribute(asked, deps) : undefined;
      const { expression } = asked;
      return c.html(renderQueryPage({ ...shown, expression, answer, note: unknown }));
    }
    return c.body(writeProfiles(answer.profiles.map(({ profile }) => profile)), 200, {
      'content-type': 'text/xml; charset=utf-8',
      'content-security-policy': FOREIGN_BYTES_POLICY,
      // Old clients read the profiles; whoever wants to know more sees whether they are all.
      'garner-complete': String(answer.complete),
    });
  };
  const answerQuestion = async (parameters: URLSearchParams, c: HttpContext) => {
    const asked = readQuestion(parameters);
    const { query, from, limit = USUAL } = asked;
    const question = { query, from, limit: Math.min(MOST, limit), exact: parameters.get('exact') === 'true' };
    const answer = await network.collect(question, c.get('viewer'), c.req.raw.signal);
    return { asked, answer, mistake: undefined };
  };
  app.use('/query', openToReaders);
  app.on(['GET', 'POST'], '/query', page);

  addGetRoute(
    app,
    {
      path: '/api/query',
      tag: 'Profiles',
      summary: 'Ask the network of profile servers',
      description:
        'As one document the profiles are ranked; line by line (`application/x-ndjson`) and as server-sent events (`text/event-stream`) they come as servers give them, with the status of each server.',
      query: z.strictObject({
        q: z
          .string()
          .min(1)
          .max(10_000)
          .openapi({ description: 'A DIS expression.', example: 'TARGET_NAME = IO' }),
        limit: z.coerce.number().int().min(1).max(MOST).default(USUAL),
        exact: flag().openapi({ description: 'Without synonyms and what the ontology has below a term.' }),
        local: flag().openapi({ description: 'Only of this server.' }),
      }),
      answer: { description: 'Profiles and servers.', schema: answerSchema, otherTypes: [NDJSON, EVENTS] },
    },
    async (c, { q, limit, exact, local }) => {
      const { query, from } = readQuestion(new URLSearchParams({ q }));
      const question: NetworkQuestion = { query, from, limit, exact, local };
      const type = chooseMedia(c.req.header('accept'), ['application/json', NDJSON, EVENTS]);
      if (type !== 'application/json') return streamAnswer(c, network, question, type);
      const answer = await network.collect(question, c.get('viewer'), c.req.raw.signal);
      return c.json({
        ...answer,
        profiles: answer.profiles.map(({ profile, ...found }) => ({
          ...found,
          profile: profileToJson(profile),
        })),
      });
    },
  );
}

const flag = () =>
  z
    .enum(['true', 'false'])
    .default('false')
    .transform((text) => text === 'true');

const answerSchema = z
  .object({
    profiles: z.array(
      z.object({
        server: z.string().openapi({ description: 'Who gave it; empty: this server.' }),
        verified: z.boolean().openapi({ description: 'Looked at here, it fits the question.' }),
        profile: z.record(z.string(), z.unknown()),
      }),
    ),
    servers: z.array(
      z.object({
        server: z.string(),
        title: z.string(),
        state: z.string(),
        hops: z.int(),
        found: z.int(),
        unverified: z.int(),
        tookMs: z.int(),
        code: z.string().optional(),
        message: z.string().optional(),
      }),
    ),
    complete: z.boolean().openapi({ description: 'Every server that may have something gave all of it.' }),
    duplicates: z.int(),
  })
  .openapi('NetworkAnswer');

/** Questions that wait for servers; each holds a connection. */
const MOST_STREAMS = 100;
let streams = 0;

function streamAnswer(c: HttpContext, network: Network, question: NetworkQuestion, type: string): Response {
  if (streams >= MOST_STREAMS)
    throw new GarnerError('server.busy', 'too many questions wait for their answers');
  const viewer = c.get('viewer');
  const left = new AbortController();
  const signal = AbortSignal.any([c.req.raw.signal, left.signal]);
  // Proxies like nginx hold back what they think is a page.
  c.header('x-accel-buffering', 'no');
  const follow = async (write: (type: string, document: unknown) => Promise<unknown>) => {
    streams++;
    try {
      let complete = true;
      let found = 0;
      for await (const event of network.ask(question, viewer, signal)) {
        if (event.type === 'server') complete &&= event.state === 'answered' || event.state === 'pruned';
        else if (++found > question.limit) continue;
        await write(event.type, documentOf(event));
      }
      await write('end', { type: 'end', found: Math.min(found, question.limit), complete });
    } finally {
      streams--;
    }
  };
  if (type === EVENTS)
    return streamSSE(c, async (stream) => {
      stream.onAbort(() => left.abort());
      await follow((event, document) => stream.writeSSE({ event, data: JSON.stringify(document) }));
    });
  c.header('content-type', NDJSON);
  return streamLines(c, async (out) => {
    out.onAbort(() => left.abort());
    await follow((_, document) => out.write(`${JSON.stringify(document)}\n`));
  });
}

function documentOf(event: NetworkEvent): unknown {
  return event.type === 'profile' ? { ...event, profile: profileToJson(event.profile) } : event;
}
