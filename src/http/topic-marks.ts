/** A curator's marks: by the form on a topic's page, and by the API. */
import { z } from '@hono/zod-openapi';
import { GarnerError } from '../core/errors.ts';
import {
  explainCandidate,
  isCandidateAddress,
  type Judgement,
  MARKS,
  type Topic,
  type TopicRun,
  type TopicSeed,
} from '../discover/index.ts';
import { demandCurator } from './api-rollback.ts';
import { type ApiApp, addGetRoute, problemAnswers, validate } from './api-route.ts';
import type { HttpContext } from './context.ts';
import type { HttpDeps } from './deps.ts';
import { readJsonBody } from './json-body.ts';
import { demandOwnPage } from './login-pages.ts';
import { findAskedList, getReadableTopic } from './readable-topic.ts';
import type { TopicRoutesDeps } from './topic-pages.ts';
import { findToken } from './viewer.ts';

const CHOICES = [...MARKS, 'none'] as const;
const MOST_MARKS = 1000;

const markSchema = z
  .object({
    url: z.string(),
    mark: z.enum(CHOICES).openapi({ description: '`none` takes an earlier mark back.' }),
    by: z.string().optional().openapi({ description: 'For curators and operators only.' }),
    at: z.string().openapi({ format: 'date-time' }),
  })
  .openapi('Mark');
const bodySchema = z.strictObject({
  marks: z
    .array(
      z.strictObject({
        url: z.string().refine(isCandidateAddress, 'must be an http or https address'),
        mark: z.enum(CHOICES),
      }),
    )
    .min(1)
    .max(MOST_MARKS),
});
const reasonsSchema = z
  .object({
    url: z.string(),
    title: z.string().optional(),
    position: z.int().optional().openapi({ description: 'Absent for what was found in a document.' }),
    kind: z.string(),
    kindReason: z.string(),
    weight: z.number(),
    weights: z.array(z.object({ engine: z.string(), rank: z.int(), worth: z.number() })),
    score: z.number(),
    parts: z.array(z.object({ name: z.string(), value: z.number(), reason: z.string() })),
    accepted: z.boolean(),
    because: z.string(),
    linkedFrom: z.array(z.string()),
    mark: markSchema.optional(),
    outcome: z
      .object({ state: z.string(), status: z.int().optional(), reason: z.string().optional() })
      .optional()
      .openapi({ description: 'What became of it in the crawl of the list.' }),
  })
  .openapi('CandidateReasons');
const pathParameters = z.object({ acronym: z.string().openapi({ example: 'ISCCP' }) });

export function addTopicMarks(
  app: ApiApp,
  { tokens, clock }: HttpDeps,
  topics: TopicRoutesDeps,
  origins: readonly string[],
): void {
  const { marks } = topics.relevance;
  const topicOf = (c: HttpContext): Topic => getReadableTopic(c, topics, c.req.param('acronym') ?? '');

  const marksJson = (c: HttpContext, acronym: string) =>
    [...marks.read(acronym).values()].map((mark) => markJson(mark, c));

  app.post('/topics/:acronym/marks', async (c) => {
    demandOwnPage(c, origins);
    const { acronym } = topicOf(c);
    const form = await c.req.parseBody();
    const text = (name: string): string => {
      const value = form[name];
      return typeof value === 'string' ? value : '';
    };
    // A session's cookie only reads, so the form brings the token itself.
    const token = findToken(text('token').trim(), tokens);
    if (!token || token.role === 'reader')
      throw new GarnerError('access.token', 'saving marks needs the token of a curator or operator');
    const runId = /^\d{1,15}$/.test(text('run')) ? Number(text('run')) : 0;
    const list = topics.runs.find(acronym, runId);
    if (!list) throw new GarnerError('run.unknown', `${acronym} has no list of that run any more`);
    const known = marks.read(acronym);
    const changed = Object.keys(form).flatMap((name) => {
      const row = rowOf(list, name);
      const mark = CHOICES.find((choice) => choice === text(name));
      if (!row || mark === undefined || (known.get(row.key)?.mark ?? 'none') === mark) return [];
      return [{ url: row.url, mark, by: token.name, at: clock() }];
    });
    if (changed.length > 0) marks.add(acronym, changed);
    return c.redirect(`/topics/${acronym}?run=${runId}#relevance`, 303);
  });

  app.openAPIRegistry.registerPath({
    method: 'post',
    path: '/api/topics/{acronym}/marks',
    tags: ['Topics'],
    summary: 'Mark candidates as good or bad examples',
    security: [{ token: [] }],
    request: {
      params: pathParameters,
      body: { required: true, content: { 'application/json': { schema: bodySchema } } },
    },
    responses: {
      200: {
        description: 'What is marked now.',
        content: { 'application/json': { schema: z.object({ marks: z.array(markSchema) }) } },
      },
      ...problemAnswers,
    },
  });
  app.post('/api/topics/:acronym/marks', async (c) => {
    const viewer = c.get('viewer');
    demandCurator(viewer);
    const { acronym } = topicOf(c);
    const { marks: given } = validate(bodySchema, await readJsonBody(c));
    marks.add(
      acronym,
      given.map(({ url, mark }) => ({ url, mark, by: viewer.token ?? '', at: clock() })),
    );
    return c.json({ marks: marksJson(c, acronym) });
  });

  addGetRoute(
    app,
    {
      path: '/api/topics/{acronym}/marks',
      tag: 'Topics',
      summary: 'What curators marked',
      pathParameters,
      query: z.strictObject({}),
      answer: { description: 'Those that count.', schema: z.object({ marks: z.array(markSchema) }) },
    },
    async (c) => c.json({ marks: marksJson(c, topicOf(c).acronym) }),
  );

  addGetRoute(
    app,
    {
      path: '/api/topics/{acronym}/why',
      tag: 'Topics',
      summary: 'Why an address is in the list, at its weight and score',
      pathParameters,
      query: z.strictObject({ url: z.string(), run: z.string().optional() }),
      answer: { description: 'The reasons.', schema: reasonsSchema },
    },
    async (c, { url }) => {
      const topic = topicOf(c);
      const list = findAskedList(c, topics, topic);
      const reasons = list && explainCandidate(list, topics.relevance.assess(topic, list), url);
      if (!reasons)
        throw new GarnerError('topic.candidate', `${topic.acronym} has no candidate ${url.slice(0, 500)}`);
      const { verdict, ...facts } = reasons;
      const { score, parts, accepted, because, mark } = verdict;
      return c.json({ ...facts, score, parts, accepted, because, ...(mark && { mark: markJson(mark, c) }) });
    },
  );
}

/** Rows of the form are named by their place in the list: with addresses a long list would not fit into a request. */
function rowOf({ candidates, found = [] }: TopicRun, name: string): TopicSeed | undefined {
  const [, list, number] = /^(mark|found)(\d{1,6})$/.exec(name) ?? [];
  return (list === 'found' ? found : candidates)[Number(number) - 1];
}

/** Who marked is for keepers to know. */
function markJson({ url, mark, by, at }: Judgement, c: HttpContext) {
  const isKeeper = c.get('viewer').role !== 'reader';
  return { url, mark, ...(isKeeper && { by }), at: new Date(at).toISOString() };
}
