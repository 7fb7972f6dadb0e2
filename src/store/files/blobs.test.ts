import assert from 'node:assert/strict';
import fsPromises, { mkdtemp, open, readdir, rm } from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { mock, test } from 'node:test';
import { blobStoreContract } from '../../../test/contract/blobs.ts';
import { createFileBlobs } from './blobs.ts';

async function inFolder(body: (folder: string) => Promise<void>): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'garner-blobs-'));
  try {
    await body(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

blobStoreContract('files', (body) => inFolder((folder) => body(createFileBlobs(folder))));

async function* once(text: string): AsyncGenerator<Uint8Array> {
  yield Buffer.from(text);
}

test('a blob lies under two levels of folders, and nothing is left aside', () =>
  inFolder(async (folder) => {
    const { digest } = await createFileBlobs(folder).put(once('x'));
    assert.deepEqual(await readdir(join(folder, digest.slice(0, 2), digest.slice(2, 4))), [digest]);
    assert.deepEqual(await readdir(join(folder, 'incoming')), []);
  }));

test('a blob is synced before it gets its name, and its folder after', () =>
  inFolder(async (folder) => {
    const steps: string[] = [];
    const probe = await open(folder, 'r');
    const handles = Object.getPrototypeOf(probe) as { sync: (this: typeof probe) => Promise<void> };
    const { sync } = handles;
    const { rename } = fsPromises;
    await probe.close();
    mock.method(handles, 'sync', async function (this: typeof probe) {
      steps.push((await this.stat()).isDirectory() ? 'sync folder' : 'sync file');
      return sync.call(this);
    });
    mock.method(fsPromises, 'rename', async (from: string, to: string) => {
      steps.push('rename');
      return rename(from, to);
    });
    syncBuiltinESMExports();
    try {
      await createFileBlobs(folder).put(once('x'));
    } finally {
      mock.restoreAll();
      syncBuiltinESMExports();
    }
    const named = steps.indexOf('rename');
    assert.equal(steps[0], 'sync file');
    assert.ok(named > 0);
    if (process.platform !== 'win32') assert.equal(steps.at(-1), 'sync folder');
    assert.ok(process.platform === 'win32' || steps.length > named + 1);
  }));
