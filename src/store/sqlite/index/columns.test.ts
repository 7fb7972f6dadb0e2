import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { OPERATOR } from '../../../core/access.ts';
import { GarnerError } from '../../../core/errors.ts';
import type { QueryNode } from '../../../query/ast.ts';
import { CASE_FIELDS } from '../../../query/case-documents.ts';
import { makeIndexDocument } from '../../../query/index-document.ts';
import { openForReading } from '../database.ts';
import {
  buildBlock,
  COLUMN_KINDS,
  decodeBlock,
  encodeBlock,
  KIND_WIDTH,
  valueBounds,
} from './column-block.ts';
import { decodeDeltas, encodeDelta } from './column-delta.ts';
import { Columns, SOURCE_COLUMN } from './columns.ts';
import { DocSet } from './doc-set.ts';
import { createIndexWriter } from './index.ts';
import { type FixtureDocument, fixtureDocument, IndexFixture } from './index-fixture.ts';
import { verifyIndex } from './verify.ts';

const ALL: QueryNode = { type: 'all' };
const depth = (from: number, to: number): QueryNode => ({
  type: 'range',
  field: 'depth',
  from: { value: String(from), inclusive: true },
  to: { value: String(to), inclusive: true },
});

function document(id: string, number: number, subject = 'ice'): FixtureDocument {
  const fields = { title: [`Title ${id} ${subject}`], depth: [number], subject: [subject] };
  return fixtureDocument(id, makeIndexDocument(fields, CASE_FIELDS, []));
}

async function withIndex(work: (fixture: IndexFixture) => Promise<void> | void): Promise<void> {
  const fixture = new IndexFixture(CASE_FIELDS);
  try {
    await work(fixture);
  } finally {
    fixture.close();
  }
}

describe('blocks', () => {
  const kind = fc.constantFrom(...COLUMN_KINDS);
  const block = kind.chain((kind) => {
    const one = kind === 'ordinal' ? fc.integer({ min: 1, max: 2 ** 32 - 1 }) : fc.double({ noNaN: true });
    const value = fc.array(one, { minLength: KIND_WIDTH[kind], maxLength: KIND_WIDTH[kind] });
    const list = fc.array(value, { maxLength: 3 }).map((values) => values.flat());
    return fc.record({ kind: fc.constant(kind), lists: fc.array(list, { maxLength: 20 }) });
  });

  test('give back every document its values, through bytes too, whatever their alignment', () => {
    fc.assert(
      fc.property(block, fc.boolean(), ({ kind, lists }, shifted) => {
        const bytes = encodeBlock(buildBlock(kind, lists), 7);
        const held = new Uint8Array(bytes.length + 3);
        held.set(bytes, 3);
        const read = decodeBlock(shifted ? held.subarray(3) : bytes);
        for (const [place, list] of lists.entries()) {
          const [from, to] = valueBounds(read, place);
          const width = KIND_WIDTH[kind];
          assert.deepEqual([...read.values.subarray(from * width, to * width)], list);
        }
        assert.deepEqual(valueBounds(read, lists.length), [0, 0]);
      }),
    );
  });

  test('that are cut short are told as damage', () => {
    const bytes = encodeBlock(buildBlock('number', [[1], [2, 3]]), 1);
    for (const length of [0, 10, 24, bytes.length - 8]) {
      assert.throws(
        () => decodeBlock(bytes.slice(0, length)),
        (error) => error instanceof GarnerError && error.code === 'store.corrupt',
      );
    }
    const delta = encodeDelta(
      { keys: Uint32Array.of(1), columns: new Map([[1, buildBlock('number', [[1]])]]) },
      1,
    );
    assert.throws(() => decodeDeltas(delta.slice(0, delta.length - 8)), GarnerError);
  });

  test('sets of documents agree with plain sets', () => {
    const keys = fc.uniqueArray(fc.integer({ min: 0, max: 99 }));
    fc.assert(
      fc.property(keys, keys, (a, b) => {
        const left = new Set(a);
        const right = new Set(b);
        const [x, y] = [DocSet.of(100, a), DocSet.of(100, b)];
        const sorted = (set: Iterable<number>) => [...set].sort((m, n) => m - n);
        assert.deepEqual([...x.and(y).keys()], sorted(left.intersection(right)));
        assert.deepEqual([...x.or(y).keys()], sorted(left.union(right)));
        assert.deepEqual([...x.without(y).keys()], sorted(left.difference(right)));
        assert.equal(x.count(), left.size);
        assert.ok(a.every((key) => x.has(key)) && !x.has(1000));
      }),
    );
  });
});

describe('commits', () => {
  const total = async (fixture: IndexFixture, query: QueryNode, search = fixture.search) =>
    (await search.search({ query, limit: 0 }, OPERATOR)).total;

  test('are seen by another connection with its next query, folded or not', () =>
    withIndex(async (fixture) => {
      const other = fixture.openSearch();
      assert.equal(await total(fixture, ALL, other), 0);
      fixture.commit([document('a', 1), document('b', 2)]);
      assert.equal(await total(fixture, ALL, other), 2);
      fixture.commit([document('a', 5)], ['b']);
      fixture.writer.optimise();
      assert.equal(await total(fixture, depth(5, 5), other), 1);
      assert.equal(await total(fixture, depth(1, 2), other), 0);
      fixture.commit([document('c', 2)]);
      assert.equal(await total(fixture, depth(2, 5), other), 2);
      // A reader that starts now has only the folded blocks and the delta behind them.
      assert.equal(await total(fixture, depth(2, 5), fixture.openSearch()), 2);
    }));

  test('are seen by another process', () =>
    withIndex((fixture) => {
      fixture.commit([document('a', 1)]);
      fixture.writer.optimise();
      fixture.commit([document('b', 2)]);
      const script = `
        import { openForReading } from ${JSON.stringify(import.meta.resolve('../database.ts'))};
        import { createSearchIndex } from ${JSON.stringify(import.meta.resolve('./index.ts'))};
        import { CASE_FIELDS } from ${JSON.stringify(import.meta.resolve('../../../query/case-documents.ts'))};
        const search = createSearchIndex(openForReading(${JSON.stringify(fixture.path)}), CASE_FIELDS);
        const query = { type: 'range', field: 'depth', from: { value: '2', inclusive: true } };
        const { hits } = await search.search({ query, limit: 9 }, { role: 'operator', groups: [] });
        process.stdout.write(hits.map((hit) => hit.identifier).join());
      `;
      const { stdout, stderr } = spawnSync(
        process.execPath,
        ['--disable-warning=ExperimentalWarning', '--input-type=module', '-e', script],
        { encoding: 'utf8' },
      );
      assert.equal(stdout, 'b', stderr);
    }));

  test('that are rolled back leave nothing behind, in readers or in the writer', () =>
    withIndex(async (fixture) => {
      fixture.commit([document('a', 1)]);
      fixture.db.exec('BEGIN IMMEDIATE');
      fixture.apply([document('b', 2, 'lost value')]);
      assert.equal(await total(fixture, ALL), 1);
      fixture.db.exec('ROLLBACK');
      fixture.writer.reset();
      fixture.commit([document('c', 3, 'lost value'), document('d', 4, 'kept')]);
      assert.equal(await total(fixture, { type: 'value', field: 'subject', value: 'lost value' }), 1);
      assert.equal(await total(fixture, { type: 'wildcard', pattern: '*st' }), 1);
      const { facets } = await fixture.search.search(
        { query: ALL, limit: 0, facets: [{ field: 'subject', limit: 9 }] },
        OPERATOR,
      );
      assert.deepEqual(
        facets.subject?.map(({ value }) => value),
        ['ice', 'kept', 'lost value'],
      );
    }));

  test('of two writers share the dictionary and the list of words', () =>
    withIndex(async (fixture) => {
      fixture.commit([document('a', 1, 'first')]);
      const second = createIndexWriter(fixture.db, CASE_FIELDS);
      fixture.transact(() =>
        second.apply(
          1000,
          [
            {
              key: 9000,
              sourceId: 1,
              formatId: 1,
              accessId: 1,
              setIds: [],
              viewIds: [],
              updatedAt: 0,
              title: undefined,
              fields: { subject: ['second'] },
              words: { '': 'elephants' },
            },
          ],
          [],
        ),
      );
      fixture.commit([document('b', 2, 'third'), document('c', 2, 'second')]);
      const find = fixture.db.prepare(
        'SELECT count(*) AS rows, count(DISTINCT ordinal) AS ordinals FROM value',
      );
      assert.deepEqual({ ...find.get() }, { rows: 3, ordinals: 3 });
      const stem = fixture.db.prepare("SELECT stem FROM term WHERE word = 'elephants'").get();
      assert.equal(stem?.stem, 'eleph');
    }));

  test('fold by themselves when their log grows, so that it stays short', () =>
    withIndex(async (fixture) => {
      const seen = fixture.openSearch();
      const sample = Array.from({ length: 30 }, (_, i) => i);
      const batch = (round: number) =>
        Array.from({ length: 2000 }, (_, i) =>
          fixtureDocument(`d${round * 2000 + i}`, { fields: { depth: [i], sample } }),
        );
      const logBytes = fixture.db.prepare('SELECT coalesce(sum(length(data)), 0) AS bytes FROM column_delta');
      let most = 0;
      let folds = 0;
      for (let round = 0; round < 10; round++) {
        const before = Number(logBytes.get()?.bytes);
        fixture.commit(batch(round));
        const bytes = Number(logBytes.get()?.bytes);
        most = Math.max(most, bytes);
        if (bytes < before) folds++;
        if (round % 4 === 0) assert.equal(await total(fixture, depth(0, 0), seen), round + 1);
      }
      assert.ok(folds > 0 && most < 3 << 20, `${folds} folds, ${most} bytes`);
      assert.equal(await total(fixture, depth(7, 7), seen), 10);
      assert.equal(await total(fixture, depth(7, 7)), 10);
      assert.deepEqual(verifyIndex(fixture.db, CASE_FIELDS, null), []);
    }));

  test('within a commit may come in several parts', () =>
    withIndex(async (fixture) => {
      fixture.commit([document('a', 1), document('b', 1)]);
      const change = (key: number, number: number) => ({
        key,
        sourceId: 1,
        formatId: 1,
        accessId: 1,
        setIds: [],
        viewIds: [],
        updatedAt: 0,
        title: 'x',
        fields: { depth: [number] },
      });
      fixture.transact(() => {
        fixture.writer.apply(50, [change(1, 8)], []);
        fixture.writer.apply(50, [change(2, 9)], []);
      });
      assert.equal(await total(fixture, depth(8, 9)), 2);
      // Their words stayed as they were.
      assert.equal(await total(fixture, { type: 'term', text: 'titles' }), 2);
    }));
});

describe('a change of the field definitions', () => {
  test('keeps what is of the same kind and leaves behind what is not', () =>
    withIndex(async (fixture) => {
      fixture.commit([document('a', 3)]);
      const fields = CASE_FIELDS.map((field) =>
        field.name === 'subject'
          ? { ...field, facet: false, label: 'Topic' }
          : field.name === 'depth'
            ? { ...field, type: 'string' as const }
            : field,
      );
      const idOf = (name: string) => fixture.db.prepare('SELECT id FROM field WHERE name = ?').get(name)?.id;
      const before = { subject: idOf('subject'), depth: idOf('depth') };
      createIndexWriter(fixture.db, fields);
      assert.equal(idOf('subject'), before.subject);
      assert.notEqual(idOf('depth'), before.depth);
      fixture.writer.optimise();
      const columns = new Columns(openForReading(fixture.path));
      columns.refresh();
      assert.equal(columns.get(Number(idOf('depth'))), undefined);
      assert.ok(columns.get(SOURCE_COLUMN));
    }));

  test('to more than 32 fields of words is refused with the name of the field', () =>
    withIndex((fixture) => {
      const more = Array.from({ length: 30 }, (_, i) => ({ ...CASE_FIELDS[0]!, name: `text${i}` }));
      assert.throws(
        () => createIndexWriter(fixture.db, [...CASE_FIELDS, ...more]),
        (error) =>
          error instanceof GarnerError && error.code === 'config.invalid' && /text28.*32/.test(error.message),
      );
      assert.equal(fixture.db.isTransaction, false);
    }));
});

describe('verification', () => {
  test('finds nothing in a sound index', () =>
    withIndex((fixture) => {
      fixture.commit([document('a', 1), document('b', 2)]);
      fixture.commit([document('a', 3)], ['b']);
      assert.deepEqual(verifyIndex(fixture.db, CASE_FIELDS, null), []);
      fixture.writer.optimise();
      assert.deepEqual(verifyIndex(fixture.db, CASE_FIELDS, null), []);
    }));

  for (const [damage, sql] of Object.entries({
    'a live item has no doc values': 'DELETE FROM column_delta; DELETE FROM column_block',
    'doc values of an item that is not live': 'UPDATE item SET live = 0 WHERE key = 1',
    'a live item has no words in the index': 'DELETE FROM word_segment',
    'a title of an item that is not live': "INSERT INTO title VALUES (77, 'x', 1)",
    'the index has another source or access rule than the item':
      'UPDATE item SET access_id = 99 WHERE key = 1',
    'is not in the dictionary': 'DELETE FROM value',
  })) {
    test(`tells: ${damage}`, () =>
      withIndex((fixture) => {
        fixture.commit([document('a', 1), document('b', 2, 'sea')]);
        fixture.db.exec(sql);
        assert.ok(
          verifyIndex(fixture.db, CASE_FIELDS, null).some(({ what }) => what.includes(damage)),
          JSON.stringify(verifyIndex(fixture.db, CASE_FIELDS, null)),
        );
      }));
  }

  test('tells of damaged words and damaged blocks', () =>
    withIndex((fixture) => {
      fixture.commit([document('a', 1)]);
      fixture.db.exec('UPDATE column_delta SET data = substr(data, 1, 40)');
      assert.match(verifyIndex(fixture.db, CASE_FIELDS, null)[0]?.what ?? '', /damaged/);
      fixture.db.exec('DELETE FROM column_delta; UPDATE word_chunk SET data = substr(data, 1, 20)');
      assert.ok(verifyIndex(fixture.db, CASE_FIELDS, null).some(({ where }) => where.startsWith('words')));
    }));

  test('tells of words that are not those of the document', () =>
    withIndex((fixture) => {
      fixture.commit([document('a', 1), document('b', 2)]);
      fixture.transact(() => fixture.writer.restoreWords([{ key: 2, words: { title: 'other words' } }]));
      assert.deepEqual(verifyIndex(fixture.db, CASE_FIELDS, null), [
        { what: 'the index has other words than the document', where: 'item key 2' },
      ]);
      assert.deepEqual(verifyIndex(fixture.db, CASE_FIELDS, 'another extraction'), []);
    }));
});

test('term counts follow the documents, and optimisation makes them exact', () =>
  withIndex((fixture) => {
    const words = (id: string) => fixtureDocument(id, { words: { '': 'shared shared only' } });
    fixture.commit(Array.from({ length: 300 }, (_, i) => words(`d${i}`)));
    const count = () => Number(fixture.db.prepare("SELECT df FROM term WHERE word = 'shared'").get()?.df);
    assert.equal(count(), 300);
    fixture.commit(
      [],
      Array.from({ length: 100 }, (_, i) => `d${i}`),
    );
    assert.equal(count(), 300);
    fixture.writer.optimise();
    assert.equal(count(), 200);
    fixture.commit(Array.from({ length: 100 }, (_, i) => words(`more${i}`)));
    assert.equal(count(), 200, 'not worth a write');
    fixture.commit(Array.from({ length: 150 }, (_, i) => words(`still more${i}`)));
    assert.equal(count(), 450);
  }));
