/** The CDX server API and downloads of captures, over a real archive of a few pages. */
import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { MEMBER, openTestCollection, type TestCollection } from '../../test/portal-collection.ts';
import {
  captureOf,
  openWarcWriter,
  REVISIT_PROFILES,
  type RecordDraft,
  readArchive,
  responseRecord,
  revisitRecord,
  writeHttpHead,
} from '../archive/index.ts';
import { archiveFolder, recordCaptures } from '../archive/items/index.ts';
import type { CaptureEntry } from '../store/index.ts';
import { createHttpApp } from './server.ts';

const HOME = 'http://example.org/';
const HEAD = writeHttpHead('HTTP/1.1 200 OK', [['Content-Type', 'text/html']]);

let collection: TestCollection;
let app: ReturnType<typeof createHttpApp>;
let dataFolder: string;

const response = (url: string, at: string, body: string): RecordDraft =>
  responseRecord({ targetUri: url, at: Date.parse(at) }, { head: HEAD, body: Buffer.from(body) });

async function archive(source: string, drafts: readonly RecordDraft[]): Promise<void> {
  const folder = archiveFolder(dataFolder, source);
  const writer = await openWarcWriter({ folder, prefix: 't', clock: () => 0, info: [['software', 'test']] });
  const file = (await writer.append(...drafts))[0]?.file ?? '';
  await writer.close();
  const captures: CaptureEntry[] = [];
  for await (const event of readArchive(join(folder, file))) {
    const capture = event.kind === 'record' ? captureOf(event, file) : undefined;
    if (capture) captures.push(capture);
  }
  const { store, deps } = collection;
  const { id: runId } = await store.runs.startRun(source, 'import');
  await recordCaptures({ store, fields: deps.formats.fieldSpecs(), folder }, { source, runId }, { captures });
  await store.runs.finishRun(runId, 'complete');
}

before(async () => {
  collection = await openTestCollection();
  dataFolder = await mkdtemp(join(tmpdir(), 'garner-cdx-'));
  app = createHttpApp({ ...collection.deps, dataFolder });
  await archive('polar', [
    response(HOME, '2020-01-01T00:00:00Z', '<p>one'),
    revisitRecord({ targetUri: HOME, at: Date.parse('2020-02-01T00:00:00Z') }, HEAD, {
      profile: REVISIT_PROFILES.identicalPayload,
      targetUri: HOME,
      at: Date.parse('2020-01-01T00:00:00Z'),
    }),
    response(HOME, '2021-06-05T04:03:02Z', '<script>alert(1)</script>two'),
    response(`${HOME}a`, '2020-01-01T00:00:01Z', 'a'),
    response('http://sub.example.org/b', '2020-01-01T00:00:02Z', 'b'),
    responseRecord(
      { targetUri: `${HOME}gone`, at: Date.parse('2020-01-01T00:00:03Z') },
      {
        head: writeHttpHead('HTTP/1.1 404 Gone', [['Content-Type', 'text/plain']]),
        body: Buffer.from('no'),
      },
    ),
  ]);
  await archive('closed', [response(`${HOME}secret`, '2020-01-01T00:00:00Z', 'secret')]);
});
after(async () => {
  await collection.close();
  await rm(dataFolder, { recursive: true, force: true });
});

const ask = (query: string, headers: Record<string, string> = {}): Promise<Response> =>
  Promise.resolve(app.request(`/cdx?${query}`, { headers }));

async function lines(query: string, headers: Record<string, string> = {}): Promise<string[]> {
  const answer = await ask(query, headers);
  const text = await answer.text();
  assert.equal(answer.status, 200, text);
  return text.split('\n').filter((line) => line !== '');
}

test('a URL gives its captures in order, in the columns that clients know', async () => {
  const found = await lines(`url=${HOME}`);
  assert.equal(found.length, 3);
  assert.match(
    found[0] ?? '',
    /^org,example\)\/ 20200101000000 http:\/\/example\.org\/ text\/html 200 [A-Z2-7]{32} \d+$/,
  );
  assert.match(found[1] ?? '', /^org,example\)\/ 20200201000000 \S+ warc\/revisit 200 /);
});

test('prefix, host and domain reach as far as their names say, in either notation', async () => {
  const originals = async (query: string) => lines(`${query}&fl=original`);
  const host = [HOME, HOME, HOME, `${HOME}a`, `${HOME}gone`];
  assert.deepEqual(await originals(`url=example.org&matchType=host`), host);
  assert.deepEqual(await originals(`url=example.org/*`), host);
  assert.deepEqual(await originals(`url=example.org/a&matchType=prefix`), [`${HOME}a`]);
  assert.deepEqual(await originals(`url=*.example.org`), [...host, 'http://sub.example.org/b']);
});

test('from and to take in the whole of what they name', async () => {
  const times = async (query: string) => lines(`url=${HOME}&fl=timestamp&${query}`);
  assert.deepEqual(await times('from=2021'), ['20210605040302']);
  assert.deepEqual(await times('to=202002'), ['20200101000000', '20200201000000']);
  assert.deepEqual(await times('from=2020-02-01&to=2020-02-01'), ['20200201000000']);
});

test('filters let through whole values that match, and collapse keeps the first of equal neighbours', async () => {
  const all = 'url=example.org&matchType=host&fl=original';
  assert.deepEqual(await lines(`${all}&filter=statuscode:404`), [`${HOME}gone`]);
  assert.deepEqual(await lines(`${all}&filter=!mimetype:text/html|warc/.*`), [`${HOME}gone`]);
  assert.deepEqual(await lines(`${all}&filter=original:.*/a`), [`${HOME}a`]);
  assert.deepEqual(await lines(`${all}&collapse=urlkey`), [HOME, `${HOME}a`, `${HOME}gone`]);
  assert.deepEqual(await lines(`url=${HOME}&fl=timestamp&collapse=timestamp:4`), [
    '20200101000000',
    '20210605040302',
  ]);
});

test('limits count from either end, and the nearest come first when asked for', async () => {
  const times = async (query: string) => lines(`url=${HOME}&fl=timestamp&${query}`);
  assert.deepEqual(await times('limit=1'), ['20200101000000']);
  assert.deepEqual(await times('limit=-1'), ['20210605040302']);
  assert.deepEqual(await times('sort=reverse&limit=1'), ['20210605040302']);
  assert.deepEqual(await times('sort=closest&closest=20200125&limit=2'), [
    '20200201000000',
    '20200101000000',
  ]);
});

test('an answer that was cut short goes on from its key', async () => {
  const query = 'url=example.org&matchType=host&fl=timestamp,original&limit=2&showResumeKey=true';
  const gathered: string[] = [];
  let key = '';
  for (let page = 0; page < 5; page++) {
    const found = await lines(`${query}${key === '' ? '' : `&resumeKey=${key}`}`);
    const last = found.at(-1) ?? '';
    key = last.includes(' ') || last === '' ? '' : last;
    gathered.push(...found.filter((line) => line.includes(' ')));
    if (key === '') break;
  }
  assert.deepEqual(gathered, await lines('url=example.org&matchType=host&fl=timestamp,original'));
});

test('JSON has a row of names first, CDXJ a JSON block per line', async () => {
  const json: unknown = await (await ask(`url=${HOME}a&output=json&fl=timestamp,statuscode`)).json();
  assert.deepEqual(json, [
    ['timestamp', 'statuscode'],
    ['20200101000001', '200'],
  ]);
  assert.deepEqual(await (await ask(`url=${HOME}never&output=json`)).json(), []);
  assert.match(
    (await lines(`url=${HOME}a&output=cdxj`))[0] ?? '',
    /^org,example\)\/a 20200101000001 \{"url":/,
  );
});

test('what only a group may read is in no answer for others', async () => {
  const staff = { authorization: `Bearer ${MEMBER.secret}` };
  assert.equal((await lines(`url=${HOME}secret`)).length, 0);
  assert.equal((await lines(`url=${HOME}secret`, staff)).length, 1);
  const path = `/cdx/content?url=${HOME}secret`;
  assert.equal((await app.request(path)).status, 404);
  assert.equal(await (await app.request(path, { headers: staff })).text(), 'secret');
});

test('a capture is a download and never a page of this site', async () => {
  const answer = await app.request(`/cdx/content?url=${HOME}&at=2021`);
  assert.equal(answer.status, 200);
  assert.equal(answer.headers.get('content-type'), 'application/octet-stream');
  assert.match(answer.headers.get('content-disposition') ?? '', /^attachment;/);
  assert.match(answer.headers.get('content-security-policy') ?? '', /^sandbox;/);
  assert.equal(answer.headers.get('x-content-type-options'), 'nosniff');
  assert.equal(await answer.text(), '<script>alert(1)</script>two');
  const revisit = await app.request(`/cdx/content?url=${HOME}&at=20200201`);
  assert.equal(await revisit.text(), '<p>one');
});

test('a wrong parameter is named, and no pattern takes for ever', async () => {
  for (const query of [
    '',
    `url=${HOME}&from=x`,
    `url=${HOME}&filter=nothing:1`,
    `url=${HOME}&filter=original:(a%2B)%2B$`,
    `url=${HOME}&output=xml`,
    `url=${HOME}&resumeKey=%7B`,
    `url=${HOME}&matchType=all`,
  ])
    assert.equal((await ask(query, { accept: 'application/json' })).status, 400, query);
});

test('the page of an item lists its captures, and leads to downloads only', async () => {
  const answer = await app.request(`/items/polar/${encodeURIComponent(HOME)}`);
  const text = await answer.text();
  assert.equal(answer.status, 200, text);
  assert.equal(text.match(/>download<\/a>/g)?.length, 3);
  assert.match(
    text,
    /href="\/cdx\/content\?url=http%3A%2F%2Fexample\.org%2F&amp;at=20210605040302&amp;source=polar" download/,
  );
  assert.doesNotMatch(await (await app.request('/items/polar/ice-1979')).text(), /id="captures"/);
});
