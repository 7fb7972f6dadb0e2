import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { HarvestPage, HarvestRecord } from '../../store/index.ts';
import type { ItemForm } from './item-form.ts';
import { type FormPage, mergePages } from './merge-pages.ts';

const form: ItemForm = { prefix: 'x', schema: 'x', namespace: 'x', content: 'raw', render: () => '<x/>' };

const recordAt = (key: number, status: HarvestRecord['status'] = 'live'): HarvestRecord => ({
  source: 's',
  identifier: String(key),
  oaiIdentifier: `oai:x:${key}`,
  key,
  datestampAt: Math.floor(key / 3) * 1000,
  status,
  sets: [],
  start: 0,
  size: 0,
});

const pageOf = (records: readonly HarvestRecord[], limit: number, after = -1): FormPage => {
  const rest = records.filter(({ key }) => key > after);
  const page: HarvestPage = {
    records: rest.slice(0, limit),
    bytes: new Uint8Array(),
    more: rest.length > limit,
    completeUntilAt: 9000,
  };
  return { form, page };
};

test('lists of several formats, read page by page, give every record once and in order', () => {
  const keys = fc.uniqueArray(fc.nat(60));
  fc.assert(
    fc.property(keys, keys, fc.integer({ min: 1, max: 7 }), (first, second, limit) => {
      const lists = [first, second].map((list) => list.toSorted((a, b) => a - b).map((key) => recordAt(key)));
      const seen: number[] = [];
      for (let after = -1; ; ) {
        const merged = mergePages(
          lists.map((list) => pageOf(list, limit, after)),
          limit,
        );
        assert.ok(merged.entries.length <= limit);
        seen.push(...merged.entries.map(({ record }) => record.key));
        after = seen.at(-1) ?? after;
        if (!merged.more) break;
        assert.ok(merged.entries.length > 0, 'a page that is not the last has records');
      }
      assert.deepEqual(
        seen,
        [...new Set([...first, ...second])].toSorted((a, b) => a - b),
      );
    }),
  );
});

test('of an item that is withdrawn in one format and there in another, the live record is listed', () => {
  const gone = pageOf([recordAt(4, 'deleted')], 5);
  const live = pageOf([recordAt(4)], 5);
  for (const pages of [
    [gone, live],
    [live, gone],
  ])
    assert.deepEqual(
      mergePages(pages, 5).entries.map(({ record }) => record.status),
      ['live'],
    );
});
