import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ANONYMOUS, type Viewer } from '../../core/access.ts';
import { MATCH_ALL } from '../../query/ast.ts';
import { cacheForms } from './form-cache.ts';

function countingForms(total: number) {
  const state = { now: 0, version: 1, counted: 0 };
  const formOf = cacheForms(
    async () => {
      state.counted++;
      return { total, attributes: [] };
    },
    { clock: () => state.now, version: () => state.version },
  );
  const ask = async (viewer: Viewer = ANONYMOUS) => {
    await formOf(MATCH_ALL, viewer);
    return state.counted;
  };
  return { state, ask };
}

test('a form of many matches is counted again after a change or a minute, not before', async () => {
  const { state, ask } = countingForms(50_000);
  assert.deepEqual([await ask(), await ask()], [1, 1]);
  state.version++;
  assert.deepEqual([await ask(), await ask()], [2, 2]);
  state.now += 60_000;
  assert.equal(await ask(), 3);
});

test('forms of few matches, and those for members, are always counted', async () => {
  const few = countingForms(10);
  assert.deepEqual([await few.ask(), await few.ask()], [1, 2]);
  const many = countingForms(50_000);
  const member: Viewer = { ...ANONYMOUS, groups: ['staff'], token: 'ada' };
  assert.deepEqual([await many.ask(member), await many.ask(member)], [1, 2]);
});
