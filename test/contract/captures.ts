/** The contract of the capture index. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { ANONYMOUS, OPERATOR } from '../../src/core/access.ts';
import type { CaptureEntry, CaptureIndex, CaptureQuery, StoredCapture } from '../../src/store/index.ts';
import { withCode } from './item-checks.ts';
import {
  importRecords,
  makeRecord,
  type OpenStore,
  openBench,
  type StoreUnderTest,
} from './store-fixture.ts';

type OpenCaptureStore = (
  ...given: Parameters<OpenStore>
) => Promise<StoreUnderTest & { readonly captures: CaptureIndex }>;

const DAY = 86_400_000;
const START = Date.UTC(2026, 0, 1);
const day = (number: number): number => START + number * DAY;

let serial = 0;
const capture = (urlKey: string, at: number, more: Partial<CaptureEntry> = {}): CaptureEntry => ({
  urlKey,
  url: `http://x/${urlKey}`,
  at,
  type: 'response',
  status: 200,
  mediaType: 'text/html',
  digest: 'A',
  file: 'a.warc.gz',
  offset: serial++ * 100,
  length: 100,
  ...more,
});

const times = (captures: readonly StoredCapture[]): number[] => captures.map(({ at }) => (at - START) / DAY);
const keys = (captures: readonly StoredCapture[]): string[] => captures.map(({ urlKey }) => urlKey);

export function capturesContract(name: string, open: OpenCaptureStore): void {
  const check = (
    title: string,
    work: (captures: CaptureIndex, store: StoreUnderTest) => Promise<void>,
  ): void => {
    void test(title, async (t) => {
      let captures: CaptureIndex | undefined;
      const bench = await openBench(async (...given) => {
        const store = await open(...given);
        captures = store.captures;
        return store;
      });
      t.after(() => bench.close());
      assert.ok(captures);
      await work(captures, bench.store);
    });
  };

  void describe(`${name}: captures`, () => {
    check('what goes in comes out, every field of it, once', async (captures) => {
      const entry: CaptureEntry = {
        urlKey: 'org,example)/a',
        url: 'http://example.org/a',
        item: 'a',
        at: day(1) + 123,
        type: 'revisit',
        status: 301,
        mediaType: 'text/plain',
        digest: 'sha256:00',
        redirect: 'http://example.org/b',
        contentLength: 5,
        recordId: '<urn:uuid:1>',
        file: 'x.warc.gz',
        offset: 1,
        inner: 7,
        length: 9,
        refersTo: {
          recordId: '<urn:uuid:0>',
          url: 'http://example.org/',
          urlKey: 'org,example)/',
          at: day(0),
        },
      };
      const bare: CaptureEntry = {
        urlKey: 'org,example)/bare',
        url: 'http://example.org/bare',
        at: day(2),
        type: 'response',
      };
      assert.deepEqual(await captures.add('samples', [entry, bare]), { added: 2, known: 0 });
      assert.deepEqual(await captures.add('samples', [entry, bare]), { added: 0, known: 2 });
      const found = await captures.list({ urlKey: 'org,example)/', match: 'prefix', limit: 10 }, ANONYMOUS);
      assert.deepEqual(
        found.map(({ key: _key, source: _source, ...rest }) => rest),
        [entry, bare],
      );
      assert.deepEqual(await captures.listFiles('samples'), [{ file: 'x.warc.gz', captures: 1, end: 10 }]);
      await assert.rejects(captures.add('nobody', [bare]), withCode('source.unknown'));
    });

    check(
      'exact, prefix, host and domain find what they say, in the order of keys and times',
      async (captures) => {
        const all = [
          'net,a)/',
          'org,example)/',
          'org,example)/a',
          'org,example)/a/b',
          'org,example)/b',
          'org,example,sub)/',
          'org,example-two)/',
          'org,example:8080)/',
          'org,examples)/',
        ];
        await captures.add(
          'samples',
          all.toReversed().map((key) => capture(key, day(1))),
        );
        const find = async (urlKey: string, match: NonNullable<CaptureQuery['match']>) =>
          keys(await captures.list({ urlKey, match, limit: 99 }, ANONYMOUS));
        assert.deepEqual(await find('org,example)/a', 'exact'), ['org,example)/a']);
        assert.deepEqual(await find('org,example)/a', 'prefix'), ['org,example)/a', 'org,example)/a/b']);
        assert.deepEqual(await find('org,example)/a', 'host'), all.slice(1, 5));
        assert.deepEqual(await find('org,example)/', 'domain'), all.slice(1, 6));
        assert.equal((await captures.count({ urlKey: 'org,example)/', match: 'domain' }, ANONYMOUS)).urls, 5);
      },
    );

    check(
      'filters and a range of time narrow a list; pages follow one another both ways',
      async (captures) => {
        await captures.add(
          'samples',
          [1, 2, 3, 4, 5].map((n) =>
            capture('org,a)/', day(n), n === 3 ? { status: 404, digest: 'B', type: 'resource' } : {}),
          ),
        );
        await captures.add('others', [
          capture('org,a)/', day(9), { mediaType: 'image/png', file: 'o.warc.gz' }),
        ]);
        const find = async (query: Partial<CaptureQuery>) =>
          times(await captures.list({ urlKey: 'org,a)/', limit: 99, ...query }, ANONYMOUS));
        assert.deepEqual(await find({ fromAt: day(2), untilAt: day(4) }), [2, 3, 4]);
        assert.deepEqual(await find({ status: 404 }), [3]);
        assert.deepEqual(await find({ digest: 'B' }), [3]);
        assert.deepEqual(await find({ types: ['resource', 'x'] }), [3]);
        assert.deepEqual(await find({ mediaType: 'image/png' }), [9]);
        assert.deepEqual(await find({ sources: ['others'] }), [9]);
        assert.deepEqual(await find({ reverse: true }), [9, 5, 4, 3, 2, 1]);
        for (const reverse of [false, true]) {
          const paged: StoredCapture[] = [];
          for (;;) {
            const last = paged.at(-1);
            const page = await captures.list(
              { urlKey: 'org,a)/', limit: 2, reverse, ...(last && { after: last }) },
              ANONYMOUS,
            );
            paged.push(...page);
            if (page.length < 2) break;
          }
          assert.deepEqual(times(paged), reverse ? [9, 5, 4, 3, 2, 1] : [1, 2, 3, 4, 5, 9]);
        }
      },
    );

    check('the nearest capture is found, the earlier one of two', async (captures) => {
      await captures.add('samples', [
        capture('org,a)/', day(2)),
        capture('org,a)/', day(6), { status: 404 }),
        capture('org,b)/', day(4)),
      ]);
      const nearest = async (at: number, status?: number) =>
        (
          await captures.findClosest('org,a)/', day(at), ANONYMOUS, {
            ...(status !== undefined && { status }),
          })
        )?.at;
      assert.equal(await nearest(0), day(2));
      assert.equal(await nearest(3), day(2));
      assert.equal(await nearest(4), day(2));
      assert.equal(await nearest(4.1), day(6));
      assert.equal(await nearest(99), day(6));
      assert.equal(await nearest(99, 200), day(2));
      assert.equal(await captures.findClosest('org,nothing)/', day(1), ANONYMOUS), undefined);
    });

    check('the nearest capture is the one that a look at all of them finds', async (captures) => {
      const moments = [3, 5, 5.5, 8, 13, 21];
      await captures.add(
        'samples',
        moments.map((n) => capture('org,a)/', day(n))),
      );
      await fc.assert(
        fc.asyncProperty(fc.double({ min: 0, max: 30, noNaN: true }), async (wanted) => {
          const at = Math.round(day(wanted));
          const best = moments.map(day).toSorted((a, b) => Math.abs(a - at) - Math.abs(b - at) || a - b)[0];
          assert.equal((await captures.findClosest('org,a)/', at, ANONYMOUS))?.at, best);
        }),
        { numRuns: 50 },
      );
    });

    check('neighbours that repeat each other are given once, across pages, too', async (captures) => {
      const digests = ['A', 'A', 'B', 'B', 'A', undefined, undefined];
      await captures.add(
        'samples',
        digests.map((digest, n) => {
          const { digest: _digest, ...rest } = capture('org,a)/', day(n));
          return digest === undefined ? rest : { ...rest, digest };
        }),
      );
      await captures.add('samples', [capture('org,b)/', day(0))]);
      const find = async (query: Partial<CaptureQuery>) =>
        captures.list({ urlKey: 'org,', match: 'prefix', limit: 99, ...query }, ANONYMOUS);
      assert.deepEqual(times(await find({ collapse: 'digest' })), [0, 2, 4, 5, 6, 0]);
      assert.deepEqual(keys(await find({ collapse: 'url' })), ['org,a)/', 'org,b)/']);
      assert.deepEqual(times(await find({ collapse: 6 })), [0, 0]);
      assert.deepEqual(times(await find({ collapse: 8 })), [0, 1, 2, 3, 4, 5, 6, 0]);
      const [first] = await find({ collapse: 'digest', limit: 1 });
      assert.deepEqual(
        times(await find({ collapse: 'digest', limit: 2, ...(first && { after: first }) })),
        [2, 4],
      );
    });

    check('a revisit leads to its record by id, then by URL and date, then by digest', async (captures) => {
      const original = capture('org,a)/', day(1), { recordId: '<1>', digest: 'A' });
      const elsewhere = capture('org,b)/', day(2), { recordId: '<2>', digest: 'A' });
      const another = capture('org,c)/', day(3) + 400, { recordId: '<3>', digest: 'C' });
      await captures.add('samples', [original, elsewhere, another]);
      const resolve = async (urlKey: string, more: Partial<CaptureEntry>) => {
        const revisit = capture(urlKey, day(5), { type: 'revisit', ...more });
        await captures.add('samples', [revisit]);
        const [stored] = await captures.list(
          { urlKey, types: ['revisit'], reverse: true, limit: 1 },
          ANONYMOUS,
        );
        assert.ok(stored);
        const found = await captures.resolveRevisit(stored, ANONYMOUS);
        await captures.removeFile('samples', 'revisits');
        return found && [found.by, found.capture.recordId];
      };
      const file = 'revisits';
      assert.deepEqual(await resolve('org,a)/', { file, digest: 'A', refersTo: { recordId: '<2>' } }), [
        'record-id',
        '<2>',
      ]);
      assert.deepEqual(
        await resolve('org,a)/', {
          file,
          digest: 'A',
          refersTo: { recordId: '<gone>', url: 'http://c/', urlKey: 'org,c)/', at: day(3) },
        }),
        ['uri-date', '<3>'],
      );
      assert.deepEqual(await resolve('org,b)/', { file, digest: 'A' }), ['url-digest', '<2>']);
      assert.deepEqual(await resolve('org,z)/', { file, digest: 'C' }), ['digest', '<3>']);
      assert.equal(await resolve('org,z)/', { file, digest: 'Z' }), undefined);
      assert.equal((await captures.findByDigest('samples', 'A', 'org,b)/'))?.recordId, '<2>');
      assert.equal((await captures.findByDigest('samples', 'A'))?.recordId, '<2>');
      assert.equal(await captures.findByDigest('others', 'A'), undefined);
    });

    check(
      'captures of items that a viewer may not see are as if they were not there',
      async (captures, store) => {
        const url = 'http://example.org/closed';
        await importRecords(store, 'samples', [makeRecord(url, 'x', { access: { groups: ['lab'] } })]);
        await captures.add('samples', [
          capture('org,example)/closed', day(1), { url, recordId: '<1>', digest: 'S' }),
          capture('org,example)/open', day(1), { url: 'http://example.org/open' }),
          capture('org,example)/other', day(1), { url: 'http://example.org/other', item: url }),
        ]);
        const query: CaptureQuery = { urlKey: 'org,example)/', match: 'prefix', limit: 9 };
        assert.deepEqual(keys(await captures.list(query, ANONYMOUS)), ['org,example)/open']);
        const member = { role: 'reader', groups: ['lab'] } as const;
        assert.equal((await captures.list(query, member)).length, 3);
        assert.equal((await captures.list(query, OPERATOR)).length, 3);
        assert.equal((await captures.count(query, ANONYMOUS)).captures, 1);
        assert.equal(await captures.findClosest('org,example)/closed', day(1), ANONYMOUS), undefined);
        await captures.add('samples', [
          capture('org,example)/open', day(2), {
            type: 'revisit',
            digest: 'S',
            refersTo: { recordId: '<1>' },
          }),
        ]);
        const [revisit] = await captures.list({ ...query, types: ['revisit'] }, ANONYMOUS);
        assert.ok(revisit);
        assert.equal(await captures.resolveRevisit(revisit, ANONYMOUS), undefined);
        assert.equal((await captures.resolveRevisit(revisit, member))?.by, 'record-id');
      },
    );

    check('captures of a file or a source go at once', async (captures) => {
      await captures.add('samples', [
        capture('org,a)/', day(1)),
        capture('org,a)/', day(2), { file: 'b.warc.gz' }),
      ]);
      await captures.add('others', [capture('org,a)/', day(3))]);
      assert.equal(await captures.removeFile('samples', 'b.warc.gz'), 1);
      assert.deepEqual(
        (await captures.listFiles('samples')).map(({ file }) => file),
        ['a.warc.gz'],
      );
      assert.equal(await captures.removeSource('samples'), 1);
      assert.equal((await captures.list({ urlKey: 'org,a)/', limit: 9 }, ANONYMOUS)).length, 1);
      assert.deepEqual(await captures.count({ urlKey: 'org,none)/' }, ANONYMOUS), { captures: 0, urls: 0 });
    });
  });
}
