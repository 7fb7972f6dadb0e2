import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { FolderWatches } from './watch-folders.ts';

test('a folder that went before it could be watched does not keep others from being watched', (t) => {
  const top = mkdtempSync(join(tmpdir(), 'garner-watches-'));
  const watches = new FolderWatches(
    () => {},
    () => false,
  );
  t.after(() => {
    watches.close();
    rmSync(top, { recursive: true });
  });
  for (const name of ['a', 'b']) mkdirSync(join(top, name));
  watches.add(join(top, 'a'), 'a/');
  if (watches.count === 0) return t.skip('this system gives no more watches');
  for (const name of ['gone', 'b']) watches.add(join(top, name), `${name}/`);
  assert.equal(watches.count, 2);
});
