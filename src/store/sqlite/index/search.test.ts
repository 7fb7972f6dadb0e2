import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { ANONYMOUS, OPERATOR, type Viewer } from '../../../core/access.ts';
import { GarnerError } from '../../../core/errors.ts';
import type { Fields } from '../../../core/model.ts';
import type { QueryNode } from '../../../query/ast.ts';
import { CASE_FIELDS } from '../../../query/case-documents.ts';
import { createCatalogue } from '../../../query/catalogue.ts';
import { makeIndexDocument } from '../../../query/index-document.ts';
import { parseQuery } from '../../../query/parse.ts';
import type { SearchRequest } from '../../search.ts';
import { type FixtureDocument, fixtureDocument, IndexFixture } from './index-fixture.ts';

const catalogue = createCatalogue(CASE_FIELDS);
const ask = (text: string): QueryNode => parseQuery(text, catalogue);
const ALL: QueryNode = { type: 'all' };

function document(id: string, fields: Fields, more: Partial<FixtureDocument> = {}, rest: string[] = []) {
  return fixtureDocument(id, { ...makeIndexDocument(fields, CASE_FIELDS, rest), ...more });
}

async function withIndex(
  documents: readonly FixtureDocument[],
  work: (fixture: IndexFixture) => Promise<void>,
): Promise<void> {
  const fixture = new IndexFixture(CASE_FIELDS);
  try {
    if (documents.length > 0) fixture.commit(documents);
    await work(fixture);
  } finally {
    fixture.close();
  }
}

async function ids(fixture: IndexFixture, request: Omit<SearchRequest, 'limit'>, viewer: Viewer = OPERATOR) {
  const { hits } = await fixture.search.search({ limit: 100, ...request }, viewer);
  return hits.map((hit) => hit.identifier);
}

const failsWith = (code: string) => (error: unknown) => error instanceof GarnerError && error.code === code;

describe('order', () => {
  const title = (text: string) => ({ title: [text] });

  test('an exact title comes first, however often other documents say the words', () =>
    withIndex(
      [
        document('often', { title: ['Sea level, sea level, sea level'], abstract: ['sea level sea level'] }),
        document('exact', title('Séa  Level!')),
        document('long', { title: ['Rising sea level'], abstract: ['sea level'] }),
      ],
      async (fixture) => {
        assert.equal((await ids(fixture, { query: ask('sea level') }))[0], 'exact');
        assert.equal((await ids(fixture, { query: ask('"sea level"') }))[0], 'exact');
      },
    ));

  test('a hit in a weighty field ranks above one in the rest of the text', () =>
    withIndex(
      [
        document('rest', title('Something else here'), {}, ['a glacier is mentioned']),
        document('title', title('About one glacier')),
      ],
      async (fixture) => assert.deepEqual(await ids(fixture, { query: ask('glacier') }), ['title', 'rest']),
    ));

  test('a boosted word decides the ranking', () =>
    withIndex([document('ice', title('ice here')), document('snow', title('snow here'))], async (fixture) => {
      assert.equal((await ids(fixture, { query: ask('ice^5 OR snow') }))[0], 'ice');
      assert.equal((await ids(fixture, { query: ask('ice OR snow^5') }))[0], 'snow');
    }));

  const mixed = [
    document('b', {
      title: ['Beta'],
      depth: [2],
      date: ['2004'],
      subject: ['Élan'],
      period: [{ end: '1990' }],
    }),
    document('a', {
      title: ['alpha'],
      depth: [-1, 9],
      date: ['1999-05'],
      subject: ['zebra'],
      period: [{ start: '2001' }],
    }),
    document('none', { abstract: ['no values'] }),
    document('c', {
      title: ['«Gamma»'],
      depth: [2],
      date: ['2010'],
      subject: ['apple'],
      abstract: ['early words'],
    }),
    document('void', { abstract: ['as few'] }),
  ];
  for (const [by, ascending] of Object.entries({
    title: ['a', 'b', 'c'],
    depth: ['a', 'b', 'c'],
    date: ['a', 'b', 'c'],
    subject: ['c', 'b', 'a'],
    period: ['b', 'a'],
    abstract: ['void', 'c', 'none'],
  })) {
    test(`by ${by}, documents without a value come last in both directions, equal ones in one order`, () =>
      withIndex(mixed, async (fixture) => {
        const without = mixed.map(({ id }) => id).filter((id) => !ascending.includes(id));
        const descending = by === 'depth' ? ['b', 'c', 'a'] : ascending.toReversed();
        assert.deepEqual(await ids(fixture, { query: ALL, sort: { by, direction: 'asc' } }), [
          ...ascending,
          ...without,
        ]);
        assert.deepEqual(await ids(fixture, { query: ALL, sort: { by, direction: 'desc' } }), [
          ...descending,
          ...without,
        ]);
      }));
  }

  test('without words the newest come first', () =>
    withIndex(
      [
        document('old', {}, { updatedAt: 1000 }),
        document('new', {}, { updatedAt: 3000 }),
        document('mid', {}, { updatedAt: 2000 }),
      ],
      async (fixture) => assert.deepEqual(await ids(fixture, { query: ALL }), ['new', 'mid', 'old']),
    ));

  test('a box cannot be sorted by, an unknown field is named as such', () =>
    withIndex(mixed, async (fixture) => {
      const by = (name: string) => ids(fixture, { query: ALL, sort: { by: name, direction: 'asc' } });
      await assert.rejects(by('colour'), failsWith('query.unknown-field'));
      fixture.commit([document('box', { bbox: [{ west: 0, south: 0, east: 1, north: 1 }] })]);
      await assert.rejects(by('bbox'), failsWith('query.unsupported'));
    }));
});

describe('paging', () => {
  const many = Array.from({ length: 30 }, (_, i) =>
    document(`d${i}`, {
      title: [`Ice ${String.fromCharCode(97 + (i % 7))}`],
      subject: [`s${i % 4}`],
      ...(i % 5 === 0 ? {} : { depth: [i % 6] }),
      ...(i % 6 === 0 ? {} : { period: i % 2 ? [{ end: '1990' }] : [{ start: `19${90 - i}` }] }),
    }),
  );

  async function* pages(fixture: IndexFixture, request: SearchRequest) {
    for (let after: string | undefined; ; ) {
      const answer = await fixture.search.search({ ...request, ...(after && { after }) }, OPERATOR);
      yield answer.hits.map((hit) => hit.identifier);
      if (answer.next === undefined) return;
      assert.match(answer.next, /^[A-Za-z0-9._~-]+$/);
      after = answer.next;
    }
  }

  async function collect<T>(list: AsyncIterable<T>): Promise<T[]> {
    const all: T[] = [];
    for await (const part of list) all.push(part);
    return all;
  }

  for (const by of ['depth', 'title', 'subject', 'period', 'updated', 'abstract']) {
    for (const direction of ['asc', 'desc'] as const) {
      test(`by ${by} ${direction}, the pages together are the whole list`, () =>
        withIndex(many, async (fixture) => {
          const whole = await ids(fixture, { query: ALL, sort: { by, direction } });
          const paged = (
            await collect(pages(fixture, { query: ALL, sort: { by, direction }, limit: 4 }))
          ).flat();
          assert.deepEqual(paged, whole);
          assert.equal(paged.length, many.length);
        }));

      test(`by ${by} ${direction}, unchanged documents are neither lost nor repeated while others change`, () =>
        withIndex(many, async (fixture) => {
          const seen: string[] = [];
          let round = 0;
          for await (const page of pages(fixture, { query: ALL, sort: { by, direction }, limit: 4 })) {
            seen.push(...page);
            // Some leave, some move to either end, some are new.
            fixture.commit(
              [
                document(`d${round}`, {
                  title: [round % 2 ? 'Aaa' : 'Zzz'],
                  depth: [round % 2 ? -9 : 99],
                  subject: [`x${round}`],
                }),
                document(`new${round}`, { title: [`Ice n${round}`], depth: [3], subject: ['s2'] }),
              ],
              [`d${10 + round}`],
            );
            if (round === 2) fixture.writer.optimise();
            round++;
          }
          const unchanged = many
            .map(({ id }) => id)
            .filter((id) => {
              const number = Number(id.slice(1));
              return number >= round && !(number >= 10 && number < 10 + round);
            });
          for (const id of unchanged) assert.equal(seen.filter((other) => other === id).length, 1, id);
          assert.ok(unchanged.length > 5);
        }));
    }
  }

  test('a ranking goes on as long as the index stays, and says when it did not', () =>
    withIndex(many, async (fixture) => {
      const request = { query: ask('ice'), limit: 7 };
      const whole = await ids(fixture, { query: request.query });
      assert.deepEqual((await collect(pages(fixture, request))).flat(), whole);
      const { next } = await fixture.search.search(request, OPERATOR);
      fixture.commit([document('later', { title: ['Ice'] })]);
      await assert.rejects(
        fixture.search.search({ ...request, ...(next && { after: next }) }, OPERATOR),
        failsWith('cursor.expired'),
      );
    }));

  test('what is no cursor of this list is refused', () =>
    withIndex(many, async (fixture) => {
      const request = { query: ALL, sort: { by: 'depth', direction: 'asc' as const }, limit: 3 };
      const { next = '' } = await fixture.search.search(request, OPERATOR);
      const forged = (parts: unknown) => Buffer.from(JSON.stringify(parts)).toString('base64url');
      for (const after of [
        '',
        '%%%',
        'AAAA',
        `${next}AAAA`,
        forged(['f', 'depth', 'asc', 'text', 1]),
        forged(['f', 'depth', 'asc', 1, -1]),
        forged({}),
      ]) {
        await assert.rejects(
          fixture.search.search({ ...request, after }, OPERATOR),
          failsWith('cursor.invalid'),
          after,
        );
      }
      await assert.rejects(
        fixture.search.search(
          { ...request, sort: { by: 'depth', direction: 'desc' }, after: next },
          OPERATOR,
        ),
        failsWith('cursor.invalid'),
      );
    }));
});

describe('facets', () => {
  const documents = [
    document('1', { subject: ['Ice', 'Sea'], date: ['2004-05', '2004-07'], depth: [1] }, { sets: ['x'] }),
    document('2', { subject: ['ice', 'ICE'], date: ['2004', '2005'] }, { source: 'other', sets: ['x', 'y'] }),
    document(
      '3',
      { subject: ['Sea', 'Wind'], author: ['Doe'] },
      { access: { groups: ['staff'] }, schema: 'iso' },
    ),
    document('4', { title: ['nothing'] }),
  ];
  const facet = (field: string, limit = 10) => ({ field, limit });

  test('count every match once per folded value, not only those of the page', () =>
    withIndex(documents, async ({ search }) => {
      const facets = [facet('subject'), facet('date'), facet('source'), facet('schema'), facet('set')];
      const answer = await search.search({ query: ALL, limit: 1, facets }, OPERATOR);
      assert.deepEqual(answer.facets, {
        subject: [
          { value: 'Ice', count: 2 },
          { value: 'Sea', count: 2 },
          { value: 'Wind', count: 1 },
        ],
        date: [
          { value: '2004', count: 2 },
          { value: '2005', count: 1 },
        ],
        source: [
          { value: 'test', count: 3 },
          { value: 'other', count: 1 },
        ],
        schema: [
          { value: 'dc', count: 3 },
          { value: 'iso', count: 1 },
        ],
        set: [
          { value: 'x', count: 2 },
          { value: 'y', count: 1 },
        ],
      });
      assert.equal(answer.total, 4);
    }));

  test('a click on a facet finds as many as it counted', () =>
    withIndex(documents, async (fixture) => {
      const found = await ids(fixture, { query: { type: 'value', field: 'subject', value: 'Ice' } });
      assert.deepEqual(found.sort(), ['1', '2']);
    }));

  test('totals, facets, suggestions and similar items leave out what the viewer may not read', () =>
    withIndex(documents, async ({ search }) => {
      const staff: Viewer = { role: 'reader', groups: ['staff'] };
      const count = async (viewer: Viewer) => {
        const answer = await search.search(
          { query: ALL, limit: 10, facets: [facet('subject'), facet('schema')] },
          viewer,
        );
        return [
          answer.total,
          answer.facets.subject?.find(({ value }) => value === 'Sea')?.count,
          answer.facets.schema?.length,
        ];
      };
      assert.deepEqual(await count(ANONYMOUS), [3, 1, 1]);
      assert.deepEqual(await count(staff), [4, 2, 2]);
      assert.deepEqual(await search.suggest('wi', { limit: 5 }, ANONYMOUS), []);
      assert.deepEqual(await search.suggest('wi', { limit: 5 }, staff), [
        { text: 'Wind', field: 'subject', count: 1 },
      ]);
      assert.equal((await search.suggest('sea', { limit: 5 }, ANONYMOUS))[0]?.count, 1);
      await assert.rejects(
        search.listSimilar({ source: 'test', identifier: '3' }, 5, ANONYMOUS),
        failsWith('item.unknown'),
      );
    }));

  test('the limit keeps the most frequent, then the first by text', () =>
    withIndex(documents, async ({ search }) => {
      const answer = await search.search({ query: ALL, limit: 0, facets: [facet('subject', 1)] }, OPERATOR);
      assert.deepEqual(answer.facets.subject, [{ value: 'Ice', count: 2 }]);
      assert.deepEqual(answer.hits, []);
    }));

  test('a field that is no facet is refused', () =>
    withIndex(documents, async ({ search }) => {
      const count = (field: string) =>
        search.search({ query: ALL, limit: 0, facets: [facet(field)] }, OPERATOR);
      await assert.rejects(count('code'), failsWith('query.unsupported'));
      await assert.rejects(count('colour'), failsWith('query.unknown-field'));
    }));
});

describe('sources and views', () => {
  const documents = [
    document('1', { title: ['ice'] }, { source: 'north', views: ['polar', 'secret'] }),
    document('2', { title: ['ice'] }, { source: 'south', views: ['polar'] }),
    document('3', { title: ['ice'] }, { source: 'east' }),
  ];

  test('narrow the search', () =>
    withIndex(documents, async (fixture) => {
      const sorted = async (more: Partial<SearchRequest>) =>
        (await ids(fixture, { query: ask('ice'), ...more })).sort();
      assert.deepEqual(await sorted({ sources: ['north', 'east'] }), ['1', '3']);
      assert.deepEqual(await sorted({ view: 'polar' }), ['1', '2']);
      assert.deepEqual(await sorted({ view: 'polar', sources: ['south'] }), ['2']);
      await assert.rejects(sorted({ view: 'tropical' }), failsWith('view.unknown'));
      await assert.rejects(sorted({ sources: ['west'] }), failsWith('source.unknown'));
    }));

  test('a view that the viewer may not see does not exist for him', () =>
    withIndex([], async (fixture) => {
      fixture.defineView('secret', { tokens: ['boss'] });
      fixture.commit(documents);
      const boss: Viewer = { role: 'reader', groups: [], token: 'boss' };
      assert.deepEqual(await ids(fixture, { query: ALL, view: 'secret' }, boss), ['1']);
      assert.deepEqual(await ids(fixture, { query: ask('view:secret') }, boss), ['1']);
      await assert.rejects(
        ids(fixture, { query: ALL, view: 'secret' }, ANONYMOUS),
        failsWith('view.unknown'),
      );
      assert.deepEqual(await ids(fixture, { query: ask('view:secret') }, ANONYMOUS), []);
      const facets = [{ field: 'view', limit: 5 }];
      const answer = await fixture.search.search({ query: ALL, limit: 0, facets }, ANONYMOUS);
      assert.deepEqual(answer.facets.view, [{ value: 'polar', count: 2 }]);
    }));
});

describe('what a hit shows', () => {
  const long = `${'Nothing of note stands here at all. '.repeat(10)}The drilled ice cores are old, and drilling goes on. ${'More follows. '.repeat(20)}`;
  const documents = [
    document(
      'a/b',
      { title: ['Ice cores & drilling'], abstract: [long], author: ['Smith, John'], depth: [3] },
      { updatedAt: 5000 },
    ),
  ];

  test('identity, stored fields and the raw bytes when asked', () =>
    withIndex(documents, async ({ search }) => {
      const { hits } = await search.search(
        { query: ask('ice'), limit: 1, fields: ['depth'], raw: true },
        OPERATOR,
      );
      const [hit] = hits;
      assert.deepEqual(
        { ...hit, score: undefined, raw: undefined },
        {
          key: 1,
          source: 'test',
          identifier: 'a/b',
          oaiIdentifier: 'test a/b',
          schema: 'dc',
          updatedAt: 5000,
          title: 'Ice cores & drilling',
          fields: { depth: [3] },
          score: undefined,
          raw: undefined,
        },
      );
      assert.ok((hit?.score ?? 0) > 0);
      assert.equal(JSON.parse(new TextDecoder().decode(hit?.raw)).title[0], 'Ice cores & drilling');
    }));

  test('highlights mark the words that were found, by stem, prefix and phrase', () =>
    withIndex(documents, async ({ search }) => {
      const marked = async (query: string) => {
        const { hits } = await search.search({ query: ask(query), limit: 1, highlight: true }, OPERATOR);
        return Object.fromEntries(
          Object.entries(hits[0]?.highlights ?? {}).map(([field, [snippet]]) => [
            field,
            snippet?.marks.map(([start, end]) => snippet.text.slice(start, end)),
          ]),
        );
      };
      assert.deepEqual(await marked('drill'), { title: ['drilling'], abstract: ['drilled', 'drilling'] });
      assert.deepEqual(await marked('"drilling"'), { title: ['drilling'], abstract: ['drilling'] });
      assert.deepEqual(await marked('smi*'), { author: ['Smith'] });
      assert.deepEqual(await marked('title:core'), { title: ['cores'] });
      assert.deepEqual(await marked('"ice cores are"'), { abstract: ['ice', 'cores', 'are'] });
      assert.deepEqual(await marked('smith -penguin'), { author: ['Smith'] });
    }));

  test('a title is shown whole, a long text by a piece cut at words', () =>
    withIndex(documents, async ({ search }) => {
      const { hits } = await search.search(
        { query: ask('drilled ice'), limit: 1, highlight: true },
        OPERATOR,
      );
      const { title, abstract } = hits[0]?.highlights ?? {};
      assert.equal(title?.[0]?.text, 'Ice cores & drilling');
      const text = abstract?.[0]?.text ?? '';
      assert.match(text, /^…\S.*The drilled ice cores.*\S…$/);
      assert.ok(text.length <= 204, String(text.length));
      assert.ok(long.includes(text.slice(1, -1)));
    }));
});

describe('suggestions', () => {
  const documents = [
    document('1', { title: ['Sea ice of the Arctic'], subject: ['Sea ice', 'Arctic'] }),
    document('2', { title: ['Sea ice of the Arctic'], subject: ['Sea ice'], author: ['Seaman, Bo'] }),
    document('3', { title: ['Deep sea drilling'], subject: ['Érosion', 'Undersea'] }),
  ];

  test('are values and titles of which some word begins so, the most frequent first', () =>
    withIndex(documents, async ({ search }) => {
      assert.deepEqual(await search.suggest('sea', { limit: 10 }, ANONYMOUS), [
        { text: 'Sea ice', field: 'subject', count: 2 },
        { text: 'Sea ice of the Arctic', field: 'title', count: 2 },
        { text: 'Deep sea drilling', field: 'title', count: 1 },
        { text: 'Seaman, Bo', field: 'author', count: 1 },
      ]);
      assert.deepEqual(await search.suggest('ero', { field: 'subject', limit: 3 }, ANONYMOUS), [
        { text: 'Érosion', field: 'subject', count: 1 },
      ]);
      assert.deepEqual(await search.suggest('sea ice of the a', { limit: 3 }, ANONYMOUS), [
        { text: 'Sea ice of the Arctic', field: 'title', count: 2 },
      ]);
      assert.deepEqual(await search.suggest('  ', { limit: 3 }, ANONYMOUS), []);
    }));
});

test('similar items share rare words; the item itself is not among them', () =>
  withIndex(
    [
      document('1', { title: ['Foraminifera of the Weddell Sea'] }),
      document('2', { title: ['Planktonic foraminifera in Weddell cores'] }),
      document('3', { title: ['Trade in the North Sea'] }),
      document('4', { title: ['A sea of clouds'] }),
      document('5', { title: ['Bread'] }),
    ],
    async ({ search }) => {
      const similar = await search.listSimilar({ source: 'test', identifier: '1' }, 3, ANONYMOUS);
      assert.equal(similar[0]?.identifier, '2');
      assert.ok(!similar.some(({ identifier }) => identifier === '1' || identifier === '5'));
      assert.deepEqual(await search.listSimilar({ source: 'test', identifier: '5' }, 3, ANONYMOUS), []);
    },
  ));

describe('bounds', () => {
  test('a pattern for too many words takes the most frequent and says so', () =>
    withIndex(
      [
        document('often', { title: ['x0y'] }),
        document('often too', { title: ['x0y'] }),
        document('many', {}, {}, [Array.from({ length: 2500 }, (_, i) => `x${i}y`).join(' ')]),
      ],
      async (fixture) => {
        const answer = await fixture.search.search({ query: ask('*y'), limit: 10 }, OPERATOR);
        assert.equal(answer.total, 3);
        assert.match(answer.notes.join(), /2000 most frequent/);
      },
    ));

  test('what would take too long is refused before it starts, or shown unranked with a note', () =>
    withIndex(
      [document('1', { title: ['broad other'] }), document('2', { title: ['broad'] }, { updatedAt: 9 })],
      async (fixture) => {
        const pretend = (word: string, df: number) =>
          fixture.transact(() => fixture.db.prepare('UPDATE term SET df = ? WHERE word = ?').run(df, word));
        pretend('broad', 5_000_000);
        const answer = await fixture.search.search({ query: ask('broad'), limit: 10 }, OPERATOR);
        assert.deepEqual(answer.notes, []);
        // Just enough for finding, too much for ranking.
        pretend('broad', 30_000_000);
        const unranked = await fixture.search.search({ query: ask('broad'), limit: 1 }, OPERATOR);
        assert.match(unranked.notes.join(), /newest first/);
        assert.equal(unranked.hits[0]?.identifier, '2');
        const rest = await fixture.search.search(
          { query: ask('broad'), limit: 1, ...(unranked.next && { after: unranked.next }) },
          OPERATOR,
        );
        assert.deepEqual([rest.hits[0]?.identifier, rest.next], ['1', undefined]);
        pretend('broad', 90_000_000);
        await assert.rejects(ids(fixture, { query: ask('broad') }), failsWith('query.too-broad'));
        await assert.rejects(ids(fixture, { query: ask('br*') }), failsWith('query.too-broad'));
        await assert.rejects(ids(fixture, { query: ask('other -broad') }), failsWith('query.too-broad'));
        assert.deepEqual(await ids(fixture, { query: ask('other') }), ['1']);
      },
    ));

  test('hundreds of words are answered, deeply nested ones too', () =>
    withIndex([document('1', { title: ['w7 w300'] })], async (fixture) => {
      const words = Array.from({ length: 400 }, (_, i) => `w${i}`);
      assert.deepEqual(await ids(fixture, { query: ask(words.join(' OR ')) }), ['1']);
      assert.deepEqual(await ids(fixture, { query: ask(words.join(' ')) }), []);
      assert.deepEqual(
        await ids(fixture, {
          query: ask(
            `w7 ${words
              .slice(8, 200)
              .map((word) => `-${word}`)
              .join(' ')}`,
          ),
        }),
        ['1'],
      );
      let nested: QueryNode = ask('w7');
      for (let i = 0; i < 120; i++) {
        nested = i % 2 ? { type: 'or', of: [nested, ask('w300')] } : { type: 'and', of: [nested, ask('w7')] };
      }
      assert.deepEqual(await ids(fixture, { query: nested }), ['1']);
      const many: QueryNode = { type: 'or', of: Array.from({ length: 501 }, () => ask('w7')) };
      await assert.rejects(ids(fixture, { query: many }), failsWith('query.too-broad'));
    }));

  test('limit and offset have bounds', () =>
    withIndex([document('1', {})], async ({ search }) => {
      for (const bad of [{ limit: -1 }, { limit: 1.5 }, { limit: 1e9 }, { limit: 1, offset: 1e9 }]) {
        await assert.rejects(search.search({ query: ALL, ...bad }, OPERATOR), failsWith('request.invalid'));
      }
    }));

  test('an empty store answers with nothing', () =>
    withIndex([], async (fixture) => {
      for (const query of [ALL, ask('ice'), ask('-ice'), ask('depth:[1 TO 2]'), ask('"a b"~2')]) {
        const answer = await fixture.search.search(
          { query, limit: 5, facets: [{ field: 'subject', limit: 3 }] },
          OPERATOR,
        );
        assert.deepEqual({ total: answer.total, subject: answer.facets.subject }, { total: 0, subject: [] });
      }
      assert.deepEqual(await fixture.search.suggest('a', { limit: 3 }, OPERATOR), []);
    }));

  test('nothing in a word can be read as the syntax of some other language', () =>
    withIndex([document('1', { title: ['near not and or c0'] })], async (fixture) => {
      for (const text of [
        'NEAR',
        'near(',
        'c0:',
        '"c0" OR',
        'not*',
        '^near',
        '{c0}',
        '-- ; DROP TABLE words',
        '"',
      ]) {
        const query: QueryNode = {
          type: 'or',
          of: [
            { type: 'term', text: `near ${text}` },
            { type: 'phrase', text, slop: 0 },
          ],
        };
        await fixture.search.search({ query, limit: 1 }, OPERATOR).catch((error) => {
          assert.ok(failsWith('query.syntax')(error), String(error));
        });
      }
    }));
});
