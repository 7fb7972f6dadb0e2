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
  /** What it can be asked by, and when each record was changed, where that is not long ago. */
  queryables: string[];
  changed: Map<string, string>;
  /** It refuses any condition, or does not heed it. */
  condition?: 'refused' | 'ignored';
}

let catalogue: Catalogue;
let origin: Origin;
let keep: Keep;
let requests = 0;
/** Of each request for records, '' where there is none. */
let conditions: string[] = [];

const record = (id: string) =>
  `<csw:Record><dc:identifier>${id}</dc:identifier><dc:title>Chart ${id}${catalogue.changed.has(id) ? ' anew' : ''}</dc:title></csw:Record>`;

function capabilities(): string {
  const link = (method: string, host: string) => `<ows:${method} xlink:href="${host}/csw?lang=en"/>`;
  return `<csw:Capabilities xmlns:csw="${CSW}" xmlns:ows="${OWS}" xmlns:xlink="http://www.w3.org/1999/xlink" version="2.0.2">
    <ows:OperationsMetadata><ows:Operation name="GetRecords"><ows:DCP><ows:HTTP>
    ${link('Get', origin.url)}${catalogue.post ? link('Post', 'http://inside.invalid:8080') + link('Post', origin.url) : ''}
    </ows:HTTP></ows:DCP><ows:Parameter name="outputSchema">${catalogue.schemas.map((schema) => `<ows:Value>${schema}</ows:Value>`).join('')}</ows:Parameter><ows:Constraint name="SupportedISOQueryables">${catalogue.queryables.map((name) => `<ows:Value>${name}</ows:Value>`).join('')}</ows:Constraint></ows:Operation></ows:OperationsMetadata>
    <ogc:Filter_Capabilities xmlns:ogc="http://www.opengis.net/ogc"><ogc:Scalar_Capabilities><ogc:ComparisonOperators><ogc:ComparisonOperator>GreaterThanEqualTo</ogc:ComparisonOperator></ogc:ComparisonOperators></ogc:Scalar_Capabilities></ogc:Filter_Capabilities></csw:Capabilities>`;
}

const REFUSAL = `<ows:ExceptionReport xmlns:ows="${OWS}"><ows:Exception exceptionCode="InvalidParameterValue"/></ows:ExceptionReport>`;

function results(
  start: number,
  size: number,
  since: string | undefined,
): string | { status: number; body: string } {
  if (since !== undefined && catalogue.condition === 'refused') return REFUSAL;
  const heeded = since !== undefined && catalogue.condition !== 'ignored';
  const ids = heeded
    ? catalogue.ids.filter((id) => (catalogue.changed.get(id) ?? '') >= since)
    : catalogue.ids;
  const first = catalogue.stuck ? 1 : start;
  const wanted = ids.slice(first - 1, first - 1 + size);
  if (wanted.some((_, i) => catalogue.broken.has(first + i)))
    return { status: 500, body: 'cannot write that' };
  const matched = catalogue.claimed ?? ids.length;
  return `<?xml version="1.0"?><csw:GetRecordsResponse xmlns:csw="${CSW}" xmlns:dc="http://purl.org/dc/elements/1.1/">
    <csw:SearchStatus timestamp="2026-01-01T00:00:00Z"/>
    <csw:SearchResults numberOfRecordsMatched="${matched}" numberOfRecordsReturned="${wanted.length}" nextRecord="0" elementSet="full">${wanted.map(record).join('\n')}</csw:SearchResults></csw:GetRecordsResponse>`;
}

beforeEach(async () => {
  requests = 0;
  conditions = [];
  catalogue = {
    ids: ['a', 'b', 'c', 'd', 'e'],
    broken: new Set(),
    schemas: [CSW],
    post: true,
    queryables: [],
    changed: new Map(),
  };
  keep = await openKeep();
  origin = await startOrigin((target, request, body) => {
    const query = new URL(target, origin.url).searchParams;
    if (query.get('request') === 'GetCapabilities') return { type: 'application/xml', body: capabilities() };
    const instead = catalogue.instead?.(++requests);
    if (instead !== undefined) return instead;
    const number = (name: string) =>
      Number(request.method === 'POST' ? new RegExp(`${name}="(\\d+)"`).exec(body)?.[1] : query.get(name));
    const constraint = request.method === 'POST' ? body : (query.get('constraint') ?? '');
    const since = /Modified(?:<\/ogc:PropertyName><ogc:Literal>| >= ')([\d-]+)/.exec(constraint)?.[1];
    conditions.push(since === undefined ? '' : constraint);
    const answer = results(number('startPosition'), number('maxRecords'), since);
    return typeof answer === 'string' ? { type: 'application/xml', body: answer } : answer;
  });
});
afterEach(async () => {
  await origin.close();
  await keep.close();
});

let now = Date.UTC(2026, 0, 10, 12);
const harvest = (more: Partial<CswSource> = {}, signal?: AbortSignal, full = false) =>
  harvestCsw(
    { ...keep, client: origin.client, clock: () => now },
    {
      name: 'there',
      url: `${origin.url}/csw`,
      typeNames: 'csw:Record',
      pageSize: 2,
      maxDeleteShare: 0.5,
      fullEveryDays: 7,
      ...more,
    },
    { full, ...(signal && { signal }) },
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

describe('harvesting what changed in a catalogue', () => {
  beforeEach(() => {
    now = Date.UTC(2026, 0, 10, 12);
    catalogue.queryables = ['Title', 'Modified'];
    catalogue.ids = Array.from({ length: 20 }, (_, i) => `r${String(i).padStart(2, '0')}`);
  });
  const asked = () => conditions.splice(0);
  const later = (days: number) => {
    now += days * 24 * 60 * 60 * 1000;
  };

  test('asks only for what was changed since, with an overlap', async () => {
    assert.equal((await harvest()).counts.added, 20);
    asked();
    later(1);
    catalogue.changed.set('r03', '2026-01-11').set('r04', '2026-01-01');
    catalogue.ids.push('new');
    catalogue.changed.set('new', '2026-01-09');
    const report = await harvest();
    assert.equal(report.status, 'complete', report.message);
    assert.deepEqual(report.counts, { added: 1, updated: 1, unchanged: 0, deleted: 0, invalid: 0 });
    assert.equal((await keep.fields('r04')).title?.[0], 'Chart r04', 'older than what was asked for');
    const [all, ...others] = asked();
    assert.equal(all, '');
    assert.equal(others.length, 2, 'how many, and one page of them');
    assert.match(
      others[1] ?? '',
      /<csw:Constraint version="1.1.0"><ogc:Filter [^>]*><ogc:PropertyIsGreaterThanOrEqualTo><ogc:PropertyName>apiso:Modified<\/ogc:PropertyName><ogc:Literal>2026-01-08</,
    );
  });

  test('nothing new costs three requests', async () => {
    await harvest();
    origin.asked.length = 0;
    later(3);
    const report = await harvest();
    assert.equal(report.status, 'complete');
    assert.equal(origin.asked.length, 3, 'capabilities, all, changed');
    later(3);
    asked();
    await harvest();
    assert.match(
      asked()[1] ?? '',
      /<ogc:Literal>2026-01-11</,
      'from the last harvest on, not from the first',
    );
  });

  test('a condition of the operator is kept, in its own language', async () => {
    const more = { cql: `dc:title LIKE 'Chart%'`, method: 'get' as const };
    await harvest(more);
    later(1);
    asked();
    await harvest(more);
    assert.deepEqual(asked()[1], `(dc:title LIKE 'Chart%') AND apiso:Modified >= '2026-01-08'`);
  });

  test('a record that is gone, or came with an old date, makes it compare all', async () => {
    await harvest();
    later(1);
    catalogue.ids.shift();
    assert.equal((await harvest()).counts.deleted, 1);
    catalogue.ids.push('old');
    const report = await harvest();
    assert.deepEqual([report.status, report.counts.added], ['complete', 1]);
    catalogue.ids.splice(0, 18);
    assert.equal((await harvest()).code, 'source.shrink', 'the guard holds here as well');
  });

  test('all is compared after some days, when wanted, and for another question', async () => {
    const readsAll = async (...call: Parameters<typeof harvest>) => {
      asked();
      await harvest(...call);
      return asked().filter((condition) => condition === '').length > 2;
    };
    await harvest();
    assert.equal(await readsAll(), false);
    assert.equal(await readsAll({}, undefined, true), true);
    assert.equal(await readsAll({ cql: 'true' }), true);
    later(6);
    assert.equal(await readsAll(), true, 'the answer to the other question replaced the first');
    later(7);
    assert.equal(await readsAll(), true);
    later(300);
    assert.equal(await readsAll({ fullEveryDays: 0 }), false);
  });

  for (const condition of ['refused', 'ignored'] as const)
    test(`a catalogue by which the condition is ${condition} is compared as a whole`, async () => {
      catalogue.condition = condition;
      await harvest();
      later(1);
      catalogue.changed.set('r03', '2026-01-11');
      const report = await harvest();
      assert.deepEqual(report.counts, { added: 0, updated: 1, unchanged: 19, deleted: 0, invalid: 0 });
    });

  test('a catalogue that announces no such property is not asked for it', async () => {
    catalogue.queryables = ['Title'];
    await harvest();
    asked();
    await harvest();
    assert.deepEqual(new Set(asked()), new Set(['']));
  });

  test('an interrupted list of changes is taken up where it stopped', async () => {
    await harvest();
    later(1);
    for (const id of catalogue.ids.slice(0, 6)) catalogue.changed.set(id, '2026-01-11');
    const stop = new AbortController();
    const before = requests;
    catalogue.instead = (request) => {
      if (request === before + 4) stop.abort();
      return undefined;
    };
    assert.equal((await harvest({}, stop.signal)).status, 'interrupted');
    catalogue.instead = () => undefined;
    asked();
    later(1);
    const report = await harvest();
    assert.equal(report.status, 'complete', report.message);
    const [, ...changes] = asked();
    assert.equal(changes.length, 3, 'how many, and the two pages that were left');
    assert.match(changes[2] ?? '', /<ogc:Literal>2026-01-08</, 'of the same list');
    assert.equal((await keep.fields('r05')).title?.[0], 'Chart r05 anew');
  });
});
