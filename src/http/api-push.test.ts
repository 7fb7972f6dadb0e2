import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { gzipSync, zstdCompressSync } from 'node:zlib';
import { CURATOR, MEMBER, openTestCollection, type TestCollection } from '../../test/portal-collection.ts';
import { OPERATOR } from '../core/access.ts';
import { itemPath } from '../core/identifiers.ts';
import { createExtraction } from '../harvest/extract-record.ts';
import type { Ingest } from '../harvest/ingest.ts';
import { createPushIntake, type PushIntake } from '../harvest/push/index.ts';
import { createHttpApp } from './server.ts';

let collection: TestCollection;
let intake: PushIntake;
let app: ReturnType<typeof createHttpApp>;

let startIntake: (lingerMs: number) => PushIntake;

before(async () => {
  collection = await openTestCollection();
  const extractOne = createExtraction({ formats: collection.deps.formats, validation: 'report' });
  const ingest: Ingest = {
    extract: async (pieces) => {
      const results = pieces.map((piece) => extractOne(piece));
      return {
        records: results.flatMap(({ record }) => (record ? [record] : [])),
        problems: results.flatMap(({ problems }) => problems),
      };
    },
    close: async () => {},
  };
  startIntake = (lingerMs) =>
    createPushIntake({ store: collection.store, createIngest: () => ingest, lingerMs });
  intake = startIntake(30);
  app = createHttpApp({ ...collection.deps, push: { intake, sources: new Set(['clouds']) } });
});
after(async () => {
  await intake.close();
  await collection.close();
});

const token = { authorization: `Bearer ${CURATOR.secret}` };
const dc = (title: string) =>
  `<oai_dc:dc xmlns:oai_dc="http://www.openarchives.org/OAI/2.0/oai_dc/" xmlns:dc="http://purl.org/dc/elements/1.1/"><dc:title>${title}</dc:title><dc:identifier>its-own</dc:identifier></oai_dc:dc>`;

interface Outcome {
  status: string;
  identifier?: string;
  problems: { code: string; message: string; line?: number }[];
}

async function send(
  method: string,
  path: string,
  body?: string | FormData | Blob,
  headers: Record<string, string> = token,
) {
  const response = await app.request(path, { method, headers, ...(body !== undefined && { body }) });
  return {
    status: response.status,
    answer: (await response.json()) as Outcome & { refused: number; results: Outcome[]; code?: string },
  };
}
const put = (identifier: string, body: string, headers = {}) =>
  send('PUT', itemPath('clouds', identifier, '/api/push/'), body, { ...token, ...headers });
const find = (identifier: string) =>
  collection.store.items.findItem({ source: 'clouds', identifier }, OPERATOR);

const listRuns = () => collection.store.runs.listRuns({ source: 'clouds', limit: 100 });

async function runsAreOver(): Promise<void> {
  while ((await listRuns()).some(({ status }) => status === 'running')) await delay(10);
}

test('a record can be put, replaced, put again and withdrawn, under the name of the address', async () => {
  const awkward = 'a/b?c=../d #%';
  assert.equal((await put(awkward, dc('One'))).status, 201);
  assert.equal((await find(awkward))?.title, 'One');
  assert.equal(await find('its-own'), undefined);
  const replaced = await put(awkward, dc('Two'));
  assert.deepEqual([replaced.status, replaced.answer.status], [200, 'updated']);
  assert.equal((await put(awkward, dc('Two'))).answer.status, 'unchanged');
  const path = itemPath('clouds', awkward, '/api/push/');
  assert.equal((await send('DELETE', path)).answer.status, 'deleted');
  assert.equal((await find(awkward))?.status, 'deleted');
  assert.equal((await send('DELETE', path)).status, 404);
});

test('JSON is known by its type or its look', async () => {
  const record = { type: 'Feature', id: 'own', properties: { title: 'Pushed feature' } };
  assert.equal(
    (await put('feature', JSON.stringify(record), { 'content-type': 'application/geo+json' })).status,
    201,
  );
  assert.equal((await find('feature'))?.schema, 'ogc-record');
  assert.equal((await put('feature', `  ${JSON.stringify(record)}`)).answer.status, 'updated');
});

test('without the token of a curator nothing is taken', async () => {
  const refusals: [Record<string, string>, number][] = [
    [{}, 401],
    [{ authorization: `Bearer ${MEMBER.secret}` }, 403],
  ];
  for (const [headers, status] of refusals) {
    assert.equal((await send('PUT', '/api/push/clouds/x', dc('X'), headers)).status, status);
    assert.equal((await send('POST', '/api/push/clouds', '{}', headers)).status, status);
    assert.equal((await send('DELETE', '/api/push/clouds/x', undefined, headers)).status, status);
  }
  assert.equal(await find('x'), undefined);
});

test('only sources that are meant for it can be pushed to', async () => {
  const { status, answer } = await send('PUT', '/api/push/polar/x', dc('X'));
  assert.deepEqual([status, answer.code], [404, 'source.unknown']);
});

test('a bad record is refused with its reason and leaves nothing behind', async () => {
  const { status, answer } = await put('bad', '<open>');
  assert.equal(status, 422);
  assert.equal(answer.status, 'refused');
  assert.equal(answer.problems[0]?.code, 'xml.malformed');
  assert.equal(await find('bad'), undefined);
  assert.equal((await put('bad', '')).status, 400);
  assert.equal(
    (await put('bad', dc('x'), { 'content-type': 'application/json' })).answer.problems[0]?.code,
    'json.malformed',
  );
});

test('many changes come as lines, each with its own outcome, and in their order', async () => {
  const lines = [
    JSON.stringify({ identifier: 'l1', xml: dc('Line one') }),
    JSON.stringify({ xml: dc('By its own name') }),
    '',
    '{"identifier": "l2", ',
    JSON.stringify({ identifier: 'l3', record: { id: 'z', title: 'Plain JSON' }, format: 'json' }),
    JSON.stringify({ identifier: 'l3', delete: true }),
    JSON.stringify({ identifier: 'l1', xml: dc('Line one, revised') }),
    JSON.stringify({ identifier: 'l4', xml: '<broken' }),
    JSON.stringify({ identifier: 'l5', xlm: 'x' }),
    JSON.stringify({ identifier: 'never', delete: true }),
    JSON.stringify({ record: { title: 'nameless' } }),
    JSON.stringify({ identifier: 'l1', xml: dc('Both'), delete: true }),
    '[]',
  ];
  const { status, answer } = await send('POST', '/api/push/clouds', lines.join('\n'), {
    ...token,
    'content-type': 'application/x-ndjson',
  });
  assert.equal(status, 207);
  assert.deepEqual(
    answer.results.map((result) => [result.identifier, result.status]),
    [
      ['l1', 'added'],
      ['its-own', 'added'],
      [undefined, 'refused'],
      ['l3', 'added'],
      ['l3', 'deleted'],
      ['l1', 'updated'],
      ['l4', 'refused'],
      [undefined, 'refused'],
      ['never', 'absent'],
      [undefined, 'refused'],
      [undefined, 'refused'],
      [undefined, 'refused'],
    ],
  );
  assert.equal(answer.refused, 6);
  assert.match(answer.results[9]?.problems[0]?.message ?? '', /neither the sender nor the record/);
  assert.match(answer.results[10]?.problems[0]?.message ?? '', /xml and delete exclude each other/);
  assert.equal(answer.results[2]?.problems[0]?.line, 4);
  assert.match(answer.results[7]?.problems[0]?.message ?? '', /xlm/);
  assert.equal((await find('l1'))?.title, 'Line one, revised');
  assert.equal((await find('l3'))?.status, 'deleted');
});

test('a run with refused changes is not complete', async () => {
  await runsAreOver();
  await put('refused', '<open>');
  await runsAreOver();
  const [run] = await listRuns();
  assert.equal(run?.status, 'incomplete');
  assert.match(run?.message ?? '', /1 record could not be taken in/);
});

test('bodies may be packed, and what cannot be unpacked is told', async () => {
  const packed = (body: Uint8Array, coding: string) =>
    send('PUT', '/api/push/clouds/packed', new Blob([new Uint8Array(body)]), {
      ...token,
      'content-encoding': coding,
      'content-type': 'application/xml',
    });
  assert.equal((await packed(gzipSync(dc('Packed')), 'gzip')).status, 201);
  assert.equal((await find('packed'))?.title, 'Packed');
  assert.equal((await packed(zstdCompressSync(dc('Packed')), 'zstd')).answer.status, 'unchanged');
  const broken = await packed(gzipSync(dc('Packed')).subarray(0, 40), 'gzip');
  assert.deepEqual([broken.status, broken.answer.code], [400, 'request.invalid']);
  assert.equal((await packed(Buffer.from(dc('Packed')), 'compress')).status, 400);
  const lines = gzipSync(`${JSON.stringify({ identifier: 'packed', delete: true })}\n`);
  const bulk = await send('POST', '/api/push/clouds', new Blob([lines]), {
    ...token,
    'content-encoding': 'gzip',
    'content-type': 'application/x-ndjson',
  });
  assert.deepEqual([bulk.status, bulk.answer.results[0]?.status], [200, 'deleted']);
});

test('an identifier is not cut short at a question mark', async () => {
  const { status, answer } = await send('PUT', '/api/push/clouds/https://x.example/a?page=1', dc('Cut'));
  assert.deepEqual([status, answer.code], [400, 'request.invalid']);
  assert.equal(await find('https://x.example/a'), undefined);
  assert.equal((await send('DELETE', '/api/push/clouds/its-own?x=1')).status, 400);
  assert.equal((await put('typed', dc('Typed'), {})).status, 201);
  assert.equal((await send('PUT', '/api/push/clouds/typed?format=oai_dc', dc('Typed'))).status, 200);
});

test('many records come as the parts of a form', async () => {
  const form = new FormData();
  form.append('p/1', new Blob([dc('Part one')], { type: 'application/xml' }), 'one.xml');
  form.append('record', JSON.stringify({ id: 'p2', title: 'Part two' }));
  const { status, answer } = await send('POST', '/api/push/clouds', form);
  assert.equal(status, 200);
  assert.deepEqual(
    answer.results.map((result) => [result.identifier, result.status]),
    [
      ['p/1', 'added'],
      ['p2', 'added'],
    ],
  );
  assert.equal(
    (await send('POST', '/api/push/clouds', 'x', { ...token, 'content-type': 'text/plain' })).status,
    400,
  );
});

test('requests that come together share one run, and all are answered', async () => {
  await runsAreOver();
  const before = await listRuns();
  const patient = startIntake(600_000);
  const patientApp = createHttpApp({
    ...collection.deps,
    push: { intake: patient, sources: new Set(['clouds']) },
  });
  const answers = await Promise.all(
    Array.from({ length: 40 }, async (_, i) =>
      patientApp.request(`/api/push/clouds/many-${i}`, {
        method: 'PUT',
        headers: token,
        body: dc(`Many ${i}`),
      }),
    ),
  );
  assert.ok(answers.every(({ status }) => status === 201));
  await patient.close();
  const runs = await listRuns();
  assert.equal(runs.length, before.length + 1);
  assert.equal(runs[0]?.status, 'complete');
});

test('while another run works on the source, senders are told so', async () => {
  await runsAreOver();
  const { id } = await collection.store.runs.startRun('clouds', 'import');
  const { status, answer } = await put('later', dc('Later'));
  assert.deepEqual([status, answer.code], [409, 'store.leased']);
  await collection.store.runs.finishRun(id, 'complete');
  assert.equal((await put('later', dc('Later'))).status, 201);
});
