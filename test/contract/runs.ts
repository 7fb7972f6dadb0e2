/** The contract of items and runs: runs. */
import assert from 'node:assert/strict';
import { describe } from 'node:test';
import { ANONYMOUS } from '../../src/core/access.ts';
import { at, checks, withCode } from './item-checks.ts';
import { importRecords, makeRecord, type OpenStore } from './store-fixture.ts';

export function runsContract(name: string, open: OpenStore): void {
  const check = checks(open);

  void describe(`${name}: runs`, () => {
    check(
      "a second run on a source is refused with the holder's name; other sources are free",
      async ({ store, now }) => {
        const { id } = await store.runs.startRun('samples', 'import');
        await assert.rejects(store.runs.startRun('samples', 'import'), (error: Error) => {
          withCode('store.leased')(error);
          assert.match(error.message, new RegExp(`${process.pid}@.*${new Date(now()).toISOString()}`));
          return true;
        });
        await store.runs.startRun('others', 'import');
        await assert.rejects(store.runs.startRun('no', 'import'), withCode('source.unknown'));
        await store.runs.finishRun(id, 'complete', 'well done');
        const run = await store.runs.findRun(id);
        assert.deepEqual([run?.status, run?.message, run?.endedAt], ['complete', 'well done', now()]);
        await store.runs.startRun('samples', 'import');
        await assert.rejects(store.runs.finishRun(id, 'complete'), withCode('store.lease-lost'));
        await assert.rejects(store.runs.finishRun(999, 'complete'), withCode('run.unknown'));
        return undefined;
      },
    );

    check(
      'a run knows its problems by kind, what was mended, and what it left as it was',
      async ({ store }) => {
        const { id } = await store.runs.startRun('samples', 'import');
        const problem = (code: string, identifier: string) => ({ code, message: 'x', identifier });
        assert.equal((await store.runs.findRun(id))?.repaired, 0);
        await store.items.commit({
          source: 'samples',
          runId: id,
          records: [makeRecord('a', 'x'), makeRecord('b', 'x')],
          problems: [
            problem('record.repaired', 'a'),
            problem('value.date', 'a'),
            problem('record.repaired', 'b'),
          ],
        });
        assert.equal((await store.runs.findRun(id))?.repaired, 2);
        await store.items.commit({
          source: 'samples',
          runId: id,
          records: [makeRecord('c', 'x')],
          problems: [problem('record.repaired', 'c')],
        });
        await store.runs.finishRun(id, 'complete', undefined, 40);
        const run = await store.runs.findRun(id);
        assert.deepEqual([run?.repaired, run?.counts.unchanged, run?.counts.added], [3, 40, 3]);
        assert.deepEqual(await store.runs.countProblemsOfRun(id), [
          { code: 'record.repaired', count: 3 },
          { code: 'value.date', count: 1 },
        ]);
        assert.deepEqual(
          (await store.runs.listProblems({ runId: id, code: 'value.date', limit: 9 })).map(
            ({ identifier }) => identifier,
          ),
          ['a'],
        );
        assert.deepEqual(await store.runs.countProblemsOfRun(999), []);
        return undefined;
      },
    );

    check(
      'a silent holder loses its lease, and then can neither commit nor beat',
      async ({ store, wait }) => {
        const { id: old } = await store.runs.startRun('samples', 'import');
        wait(59);
        await store.runs.heartbeat(old);
        wait(59);
        await assert.rejects(store.runs.startRun('samples', 'import'), withCode('store.leased'));
        await store.items.commit({ source: 'samples', runId: old, records: [makeRecord('a', 'x')] });
        wait(59);
        await assert.rejects(store.runs.startRun('samples', 'import'), withCode('store.leased'));
        wait(2);
        assert.equal((await store.runs.findRun(old))?.status, 'interrupted');
        const { id: next } = await store.runs.startRun('samples', 'import');
        assert.ok(next > old);
        const late = { source: 'samples', runId: old, records: [makeRecord('b', 'x')] };
        await assert.rejects(store.items.commit(late), withCode('store.lease-lost'));
        await assert.rejects(store.items.deleteVanished('samples', old), withCode('store.lease-lost'));
        await assert.rejects(store.items.dropSource('samples', old), withCode('store.lease-lost'));
        await assert.rejects(
          store.items.rollback(at('a'), { version: 1 }, old),
          withCode('store.lease-lost'),
        );
        await assert.rejects(store.items.reindexRecords('samples', old, []), withCode('store.lease-lost'));
        await assert.rejects(store.runs.heartbeat(old), withCode('store.lease-lost'));
        assert.equal(await store.items.findItem(at('b'), ANONYMOUS), undefined);
        return undefined;
      },
    );

    check(
      'a checkpoint is kept with its batch and handed to the run that goes on, not to others',
      async ({ store, wait }) => {
        const { id } = await store.runs.startRun('samples', 'harvest');
        await store.items.commit({ source: 'samples', runId: id, checkpoint: { token: 'a' } });
        await store.items.commit({ source: 'samples', runId: id, records: [makeRecord('a', 'x')] });
        wait(61);
        const other = await store.runs.startRun('samples', 'import', { resume: true });
        assert.equal(other.checkpoint, undefined);
        await store.runs.finishRun(other.id, 'complete');
        const killed = await store.runs.startRun('samples', 'harvest', { resume: true });
        assert.deepEqual(killed.checkpoint, { token: 'a' });
        wait(61);
        const next = await store.runs.startRun('samples', 'harvest', { resume: true });
        assert.deepEqual(
          next.checkpoint,
          { token: 'a' },
          'a run that ended before its first commit loses nothing',
        );
        await store.runs.finishRun(next.id, 'complete');
        assert.equal(
          (await store.runs.startRun('samples', 'harvest', { resume: true })).checkpoint,
          undefined,
        );
        return undefined;
      },
    );

    check('counts and problems of a run add up and can be listed', async ({ store, wait, now }) => {
      const { id } = await store.runs.startRun('samples', 'import');
      const problems = [
        { code: 'xml.malformed', message: 'bad', where: 'a.xml', line: 3 },
        { code: 'xml.malformed', message: 'worse', where: 'a.xml', line: 3 },
        { code: 'value', message: 'doubtful', where: 'b.xml', identifier: 'ok' },
      ];
      await store.items.commit({
        source: 'samples',
        runId: id,
        records: [makeRecord('ok', 'x'), makeRecord('two', 'x')],
        problems,
      });
      await store.items.commit({
        source: 'samples',
        runId: id,
        records: [makeRecord('ok', 'y'), makeRecord('two', 'x')],
      });
      await store.runs.finishRun(id, 'incomplete');
      const run = await store.runs.findRun(id);
      assert.deepEqual(run?.counts, { added: 2, updated: 1, unchanged: 1, deleted: 0, invalid: 1 });
      assert.equal(run.problems, 3);
      const listed = await store.runs.listProblems({ runId: id, limit: 10 });
      assert.deepEqual(
        listed.map(({ code, message, where, line, identifier }) => ({
          code,
          message,
          ...(where && { where }),
          ...(line && { line }),
          ...(identifier && { identifier }),
        })),
        problems,
      );
      assert.equal(listed[0]?.at, now());
      const only = async (filter: object) =>
        (await store.runs.listProblems({ limit: 10, ...filter })).map((problem) => problem.message);
      assert.deepEqual(await only({ identifier: 'ok' }), ['doubtful']);
      assert.deepEqual(await only({ where: 'a.xml' }), ['bad', 'worse']);
      assert.deepEqual(await only({ after: listed[0]?.id }), ['worse', 'doubtful']);
      assert.deepEqual(await only({ runId: id + 1 }), []);

      wait(1);
      await store.runs.startRun('others', 'import');
      const all = await store.runs.listRuns({ limit: 10 });
      assert.deepEqual(
        all.map((one) => [one.source, one.status]),
        [
          ['others', 'running'],
          ['samples', 'incomplete'],
        ],
      );
      assert.deepEqual(
        (await store.runs.listRuns({ source: 'samples', limit: 10 })).map((one) => one.id),
        [id],
      );
      assert.deepEqual((await store.runs.listRuns({ before: id, limit: 10 })).length, 0);
      assert.equal(await store.runs.findRun(999), undefined);
      return undefined;
    });

    check('statistics count what is there', async ({ store }) => {
      await importRecords(store, 'samples', [makeRecord('a', 'x'), makeRecord('b', 'x')]);
      const { id } = await store.runs.startRun('samples', 'import');
      await store.items.commit({ source: 'samples', runId: id, deletions: [{ identifier: 'a' }] });
      const { bytes, schemaVersion, ...counts } = await store.admin.statistics();
      assert.deepEqual(counts, { seq: 2, items: 2, liveItems: 1, versions: 3 });
      assert.ok(bytes > 0);
      assert.ok(schemaVersion >= 1);
      return undefined;
    });
  });
}
