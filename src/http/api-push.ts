/** /api/push: records that others send, one by one or many at once. */
import { z } from '@hono/zod-openapi';
import { GarnerError } from '../core/errors.ts';
import type { PushChange, PushIntake, PushOutcome } from '../harvest/push/index.ts';
import { demandCurator } from './api-rollback.ts';
import { type ApiApp, problemAnswers } from './api-route.ts';
import { type HttpContext, itemOf } from './context.ts';
import {
  isIdentifier,
  MAX_RECORD_BYTES,
  readLines,
  readParts,
  readRecordBody,
  syntaxOf,
} from './push-body.ts';
import { ITEM_PREFIXES } from './raw-target.ts';

/** What the routes need: the sources of kind `push`, and the way in. */
export interface PushRoutesDeps {
  readonly sources: ReadonlySet<string>;
  readonly intake: PushIntake;
}

/** In one request. */
const MAX_CHANGES = 50_000;
const CHUNK = 500;

const problem = z.object({
  code: z.string(),
  message: z.string(),
  line: z.int().optional(),
});
const outcome = z
  .object({
    identifier: z.string().optional(),
    status: z.enum([
      'added',
      'updated',
      'unchanged',
      'duplicate',
      'deleted',
      'absent',
      'filtered',
      'refused',
    ]),
    problems: z.array(problem).openapi({
      description: 'Why it was refused, or what is doubtful about what was kept.',
    }),
  })
  .openapi('PushOutcome');
const outcomes = z
  .object({
    refused: z.int().openapi({ description: 'How many of the results are `refused`.' }),
    results: z.array(outcome).openapi({ description: 'In the order of the changes.' }),
  })
  .openapi('PushOutcomes');
const change = z
  .object({
    identifier: z.string().optional(),
    format: z.string().optional().openapi({ description: 'Default: the source’s, or detected.' }),
    record: z.unknown().optional().openapi({ description: 'A record in JSON.' }),
    xml: z.string().optional().openapi({ description: 'A record in XML.' }),
    delete: z.literal(true).optional(),
  })
  .openapi('PushChange', { description: 'One line: a record as `record` or `xml`, or `delete`.' });

const itemParameters = z.object({
  source: z.string().openapi({ description: 'A source of kind `push`.' }),
  identifier: z.string().openapi({ description: 'Slashes may stand in it.' }),
});
const sourceParameters = itemParameters.pick({ source: true });
const text = { schema: z.string() };
const json = (schema: z.ZodType) => ({ 'application/json': { schema } });

export function addPushRoutes(app: ApiApp, push: PushRoutesDeps | undefined): void {
  const security = [{ token: [] }];
  const tags = ['Push'];
  app.openAPIRegistry.registerPath({
    method: 'put',
    path: '/api/push/{source}/{identifier}',
    tags,
    security,
    summary: 'Add or replace one record',
    description:
      'The answer comes after the commit. The identifier of the address counts, whatever the record says.',
    request: {
      params: itemParameters,
      query: z.strictObject({
        format: z.string().optional().openapi({ description: 'Default: the source’s, or detected.' }),
      }),
      body: {
        required: true,
        content: { 'application/xml': text, 'application/json': { schema: z.unknown() } },
      },
    },
    responses: {
      200: { description: 'Replaced, or as it was.', content: json(outcome) },
      201: { description: 'Added.', content: json(outcome) },
      422: { description: 'Refused.', content: json(outcome) },
      ...problemAnswers,
    },
  });
  app.openAPIRegistry.registerPath({
    method: 'delete',
    path: '/api/push/{source}/{identifier}',
    tags,
    security,
    summary: 'Withdraw one item',
    description: 'A tombstone stays, and its history.',
    request: { params: itemParameters },
    responses: { 200: { description: 'Withdrawn.', content: json(outcome) }, ...problemAnswers },
  });
  app.openAPIRegistry.registerPath({
    method: 'post',
    path: '/api/push/{source}',
    tags,
    security,
    summary: 'Many changes at once',
    description:
      'As lines of JSON, or as a form whose parts are records named by their identifiers (or `record`, where the record itself tells). One bad change does not stop the others.',
    request: {
      params: sourceParameters,
      body: {
        required: true,
        content: {
          'application/x-ndjson': { schema: change },
          'multipart/form-data': { schema: z.record(z.string(), z.string()) },
        },
      },
    },
    responses: {
      200: { description: 'All were taken.', content: json(outcomes) },
      207: { description: 'Some were refused.', content: json(outcomes) },
      ...problemAnswers,
    },
  });

  const intakeFor = (c: HttpContext, source: string): PushIntake => {
    demandCurator(c.get('viewer'));
    if (!push?.sources.has(source))
      throw new GarnerError('source.unknown', `there is no source "${source}" of kind push`);
    return push.intake;
  };

  const path = `${ITEM_PREFIXES.push}:source/:identifier`;
  app.put(path, async (c) => {
    const { source, identifier } = pushedItem(c);
    const intake = intakeFor(c, source);
    refuseParameters(c, ['format']);
    const format = c.req.query('format');
    const bytes = await readRecordBody(c.req.raw);
    if (bytes.length === 0) throw new GarnerError('request.invalid', 'the body is empty');
    const [done] = await intake.push(source, [
      {
        kind: 'put',
        identifier,
        bytes,
        syntax: syntaxOf(bytes, c.req.header('content-type')),
        ...(format !== undefined && { format }),
      },
    ]);
    return c.json(outcomeJson(done), done?.status === 'refused' ? 422 : done?.status === 'added' ? 201 : 200);
  });

  app.delete(path, async (c) => {
    const { source, identifier } = pushedItem(c);
    refuseParameters(c);
    const [done] = await intakeFor(c, source).push(source, [{ kind: 'delete', identifier }]);
    if (done?.status === 'absent')
      throw new GarnerError('item.unknown', `there is no item ${identifier} in ${source}`);
    return c.json(outcomeJson(done));
  });

  app.post(`${ITEM_PREFIXES.push}:source`, async (c) => {
    const source = c.req.param('source');
    const intake = intakeFor(c, source);
    refuseParameters(c);
    const type = c.req.header('content-type') ?? '';
    const changes = /^multipart\/form-data\b/i.test(type)
      ? readParts(c.req.raw)
      : /^application\/(?:x-ndjson|ndjson|jsonl|json-lines)\b/i.test(type)
        ? readLines(c.req.raw)
        : undefined;
    if (!changes)
      throw new GarnerError(
        'request.invalid',
        'content-type: must be application/x-ndjson or multipart/form-data',
      );
    const results: PushOutcome[] = [];
    for await (const chunk of inChunks(changes)) {
      if (results.length + chunk.length > MAX_CHANGES)
        throw new GarnerError(
          'request.invalid',
          `at most ${MAX_CHANGES} changes in one request; the first ${results.length} were taken`,
        );
      results.push(...(await intake.push(source, chunk)));
    }
    const refused = results.filter(({ status }) => status === 'refused').length;
    return c.json({ refused, results: results.map(outcomeJson) }, refused > 0 ? 207 : 200);
  });
}

/** Rights first: without them, even what is wrong with the address is not told. */
function pushedItem(c: HttpContext) {
  demandCurator(c.get('viewer'));
  const ref = itemOf(c, ITEM_PREFIXES.push);
  if (!isIdentifier(ref.identifier))
    throw new GarnerError('record.identifier', 'the identifier must have 1 to 2,000 characters and no NUL');
  return ref;
}

/** A question mark that belongs to an identifier must not cut it short unnoticed. */
function refuseParameters(c: HttpContext, known: readonly string[] = []): void {
  const unknown = Object.keys(c.req.query()).find((name) => !known.includes(name));
  if (unknown !== undefined)
    throw new GarnerError(
      'request.invalid',
      `${unknown}: no parameter of this request; a ? inside of an identifier is written %3F`,
    );
}

/** Up to so many changes, or so many bytes of them. */
async function* inChunks(changes: AsyncIterable<PushChange>): AsyncGenerator<PushChange[]> {
  let chunk: PushChange[] = [];
  let bytes = 0;
  for await (const one of changes) {
    chunk.push(one);
    bytes += one.kind === 'put' ? one.bytes.length : 0;
    if (chunk.length < CHUNK && bytes < MAX_RECORD_BYTES) continue;
    yield chunk;
    chunk = [];
    bytes = 0;
  }
  if (chunk.length > 0) yield chunk;
}

function outcomeJson(done: PushOutcome | undefined) {
  return {
    ...done,
    problems: (done?.problems ?? []).map(({ code, message, line }) => ({
      code,
      message,
      ...(line !== undefined && { line }),
    })),
  };
}
