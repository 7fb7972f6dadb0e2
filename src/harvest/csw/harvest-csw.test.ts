import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, test } from 'node:test';
import { type Keep, type Origin, openKeep, startOrigin } from '../remote/origin.fixture.ts';
import { type CswSource, harvestCsw } from './harvest-csw.ts';

const CSW = 'http://www.opengis.net/cat/csw/2.0.2';
const OWS = 'http://www.opengis.net/ows';

interface Catalogue {
  ids: string[];
  /** Positions (from 1) that the catalogue cannot write. */
  broken: Set<number>;
  /** What the answer claims. */
  claimed?: number;
  /** Every page is the first one. */
  stuck?: boolean;
  /** Answers instead of records, by number of request. */
  instead?: (request: number) => string | undefined;
  schemas: string[];
  post: boolean;
}

let catalogue: Catalogue;
let origin: Origin;
let keep: Keep;
let requests = 0;

const record = (id: string) =>
  `<csw:Record><dc:identifier>${id}</dc:identifier><dc:title>Chart ${id}</dc:title></csw:Record>`;

function capabilities(): string {
  const link = (method: string, host: string) => `<ows:${method} xlink:href="${host}/csw?lang=en"/>`;
  return `<csw:Capabilities xmlns:csw="${CSW}" xmlns:ows="${OWS}" xmlns:xlink="http://www.w3.org/1999/xlink" version="2.0.2">
    <ows:OperationsMetadata><ows:Operation name="GetRecords"><ows:DCP><ows:HTTP>
    ${link('Get', origin.url)}${catalogue.post ? link('Post', 'http://inside.invalid:8080') + link('Post', origin.url) : ''}
    </ows:HTTP></ows:DCP><ows:Parameter name="outputSchema">${catalogue.schemas.map((schema) => `<ows:Value>${schema}</ows:Value>`).join('')}</ows:Parameter></ows:Operation></ows:OperationsMetadata></csw:Capabilities>`;
}

function results(start: number, size: number): string | { status: number; body: string } {
  const first = catalogue.stuck ? 1 : start;
  const wanted = catalogue.ids.slice(first - 1, first - 1 + size);
  if (wanted.some((_, i) => catalogue.broken.has(first + i)))
    return { status: 500, body: 'cannot write that' };
  const matched = catalogue.claimed ?? catalogue.ids.length;
  return `<?xml version="1.0"?><csw:GetRecordsResponse xmlns:csw="${CSW}" xmlns:dc="http://purl.org/dc/elements/1.1/">
    <csw:SearchStatus timestamp="2026-01-01T00:00:00Z"/>
    <csw:SearchResults numberOfRecordsMatched="${matched}" numberOfRecordsReturned="${wanted.length}" nextRecord="0" elementSet="full">${wanted.map(record).join('\n')}</csw:SearchResults></csw:GetRecordsResponse>`;
}

beforeEach(async () => {
  requests = 0;
  catalogue = { ids: ['a', 'b', 'c', 'd', 'e'], broken: new Set(), schemas: [CSW], post: true };
  keep = await openKeep();
  origin = await startOrigin((target, request, body) => {
    const query = new URL(target, origin.url).searchParams;
    if (query.get('request') === 'GetCapabilities') return { type: 'application/xml', body: capabilities() };
    const instead = catalogue.instead?.(++requests);
    if (instead !== undefined) return instead;
    const number = (name: string) =>
      Number(request.method === 'POST' ? new RegExp(`${name}="(\\d+)"`).exec(body)?.[1] : query.get(name));
    const answer = results(number('startPosition'), number('maxRecords'));
    return typeof answer === 'string' ? { type: 'application/xml', body: answer } : answer;
  });
});
afterEach(async () => {
  await origin.close();
  await keep.close();
});

const harvest = (more: Partial<CswSource> = {}, signal?: AbortSignal) =>
  harvestCsw(
    { ...keep, client: origin.client },
    {
      name: 'there',
      url: `${origin.url}/csw`,
      typeNames: 'csw:Record',
      pageSize: 2,
      maxDeleteShare: 0.5,
      ...more,
    },
    signal ? { signal } : {},
  );

describe('harvesting a catalogue service', () => {
  test('takes in every page, though nextRecord says that there is none', async () => {
    const report = await harvest();
    assert.equal(report.status, 'complete');
    assert.deepEqual(await keep.identifiers(), ['a', 'b', 'c', 'd', 'e']);
    assert.equal(report.counts.added, 5);
    assert.deepEqual((await keep.fields('c')).title, ['Chart c']);
    assert.deepEqual(
      origin.asked.slice(1),
      Array.from({ length: 3 }, () => 'POST /csw?lang=en'),
      'the announced address of the same host, not the one behind the proxy',
    );
  });

  test('asks by GET where only that is offered, and for ISO 19139 where that is', async () => {
    catalogue.post = false;
    catalogue.schemas = [CSW, 'http://www.isotc211.org/2005/gmd'];
    await harvest();
    assert.match(origin.asked.at(-1) ?? '', /^GET .*outputSchema=http%3A%2F%2Fwww.isotc211.org%2F2005%2Fgmd/);
    assert.deepEqual(await keep.identifiers(), ['a', 'b', 'c', 'd', 'e']);
  });

  test('deletes what is gone, and says nothing changed when nothing did', async () => {
    await harvest();
    catalogue.ids = ['a', 'b', 'c', 'e'];
    const second = await harvest();
    assert.deepEqual(second.counts, { added: 0, updated: 0, unchanged: 4, deleted: 1, invalid: 0 });
    assert.deepEqual(await keep.identifiers(), ['a', 'b', 'c', 'e']);
  });

  test('a record that the catalogue cannot write costs itself only, and nothing is deleted', async () => {
    await harvest();
    catalogue.ids = ['a', 'b', 'x', 'd'];
    catalogue.broken = new Set([3]);
    const report = await harvest({ pageSize: 4 });
    assert.equal(report.status, 'incomplete');
    assert.equal(report.code, 'source.unreadable');
    assert.match(report.message ?? '', /1 of 4 records/);
    assert.deepEqual(await keep.identifiers(), ['a', 'b', 'c', 'd', 'e']);
    const [problem] = await keep.store.runs.listProblems({ runId: report.runId, limit: 5 });
    assert.match(problem?.message ?? '', /record 3 of the catalogue/);
  });

  test('fewer records than announced make the run incomplete', async () => {
    catalogue.claimed = 9;
    const report = await harvest();
    assert.equal(report.status, 'incomplete');
    assert.match(report.message ?? '', /4 of 9 records/);
  });

  test('a catalogue that repeats its first page is noticed', async () => {
    catalogue.stuck = true;
    const report = await harvest();
    assert.equal(report.status, 'incomplete');
    assert.match(report.message ?? '', /same records again/);
    assert.ok(origin.asked.length < 6);
  });

  test('a login page, an exception or nothing at all fails the run and wipes nothing', async () => {
    await harvest();
    for (const answer of [
      '<html><body>Please sign in</body></html>',
      `<ows:ExceptionReport xmlns:ows="${OWS}"><ows:Exception exceptionCode="NoApplicableCode"><ows:ExceptionText>database down</ows:ExceptionText></ows:Exception></ows:ExceptionReport>`,
      '',
    ]) {
      catalogue.instead = () => answer;
      await assert.rejects(harvest(), { code: 'source.answer' });
      const [run] = await keep.store.runs.listRuns({ limit: 1 });
      assert.equal(run?.status, 'failed');
    }
    assert.match((await keep.store.runs.listRuns({ limit: 2 }))[1]?.message ?? '', /database down/);
    catalogue.instead = () => undefined;
    catalogue.ids = [];
    const empty = await harvest();
    assert.equal(empty.status, 'incomplete');
    assert.equal(empty.code, 'source.empty');
    assert.equal((await keep.identifiers()).length, 5);
  });

  test('an interrupted harvest goes on with the next page', async () => {
    const stop = new AbortController();
    catalogue.instead = (request) => {
      if (request === 2) stop.abort();
      return undefined;
    };
    assert.equal((await harvest({}, stop.signal)).status, 'interrupted');
    const before = requests;
    catalogue.instead = () => undefined;
    const report = await harvest();
    assert.equal(report.status, 'complete');
    assert.equal(requests - before, 2, 'the first page is not asked for again');
    assert.deepEqual(await keep.identifiers(), ['a', 'b', 'c', 'd', 'e']);
  });
});
