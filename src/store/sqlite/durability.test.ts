import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, mock, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { databasePath, openForReading, openForWriting } from './database.ts';
import { moveIntoPlace } from './durable-files.ts';

async function inFolder(body: (folder: string) => Promise<void>): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'garner-durable-'));
  try {
    await body(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

const TRACER = 'strace';
const canTrace = () => spawnSync(TRACER, ['-o', '/dev/null', 'true']).status === 0;

describe('durability', () => {
  test('every connection that writes syncs the log at each commit, in 8 KB pages', () =>
    inFolder(async (folder) => {
      const db = openForWriting(databasePath(folder));
      const pragma = (name: string) => Object.values(db.prepare(`PRAGMA ${name}`).get() ?? {})[0];
      assert.equal(pragma('journal_mode'), 'wal');
      assert.equal(pragma('synchronous'), 2, 'FULL');
      assert.equal(pragma('fullfsync'), 1);
      assert.equal(pragma('checkpoint_fullfsync'), 1);
      assert.equal(pragma('page_size'), 8192);
      assert.equal(pragma('busy_timeout'), 10_000);
      db.exec('CREATE TABLE t (x)');
      const reader = openForReading(databasePath(folder));
      assert.throws(() => reader.exec('INSERT INTO t VALUES (1)'), /readonly|read-only/i);
      reader.close();
      db.close();
    }));

  test(
    'the log is synced before a commit is reported',
    { skip: !canTrace() && 'strace is not available here' },
    () =>
      inFolder(async (folder) => {
        const trace = join(folder, 'trace');
        const script = fileURLToPath(new URL('../../../test/processes/store-child.ts', import.meta.url));
        const batches = 5;
        const done = spawnSync(
          TRACER,
          ['-f', '-y', '-s', '20', '-o', trace, '-e', 'trace=fsync,fdatasync,write,writev,pwrite64'].concat(
            [process.execPath, '--disable-warning=ExperimentalWarning', script],
            ['commit', folder, 'samples', String(batches), '3'],
          ),
          { encoding: 'utf8' },
        );
        assert.equal(done.status, 0, done.stderr);
        let reported = 0;
        // W: bytes into the log; S: the log synced. A report must find no write after the last sync.
        let unsynced = false;
        let synced = 0;
        for (const line of (await readFile(trace, 'utf8')).split('\n')) {
          if (/pwrite64\(.*garner\.sqlite-wal/.test(line)) unsynced = true;
          if (/f(data)?sync\(.*garner\.sqlite-wal/.test(line)) {
            unsynced = false;
            synced++;
          }
          if (/writev?\(1<.*committed/.test(line)) {
            reported++;
            assert.equal(unsynced, false, line);
          }
        }
        assert.equal(reported, batches);
        assert.ok(synced >= batches, `${synced} syncs`);
      }),
  );

  test('a file put in place is synced before its new name, and its folder after', () =>
    inFolder(async (folder) => {
      const steps: string[] = [];
      const original = { fsyncSync: fs.fsyncSync, renameSync: fs.renameSync };
      mock.method(fs, 'fsyncSync', (file: number) => {
        steps.push(fs.fstatSync(file).isDirectory() ? 'sync folder' : 'sync file');
        original.fsyncSync(file);
      });
      mock.method(fs, 'renameSync', (from: string, to: string) => {
        steps.push('rename');
        original.renameSync(from, to);
      });
      syncBuiltinESMExports();
      try {
        fs.writeFileSync(join(folder, 'part'), 'x');
        moveIntoPlace(join(folder, 'part'), join(folder, 'whole'));
      } finally {
        mock.restoreAll();
        syncBuiltinESMExports();
      }
      assert.deepEqual(
        steps,
        process.platform === 'win32' ? ['sync file', 'rename'] : ['sync file', 'rename', 'sync folder'],
      );
      assert.equal(await readFile(join(folder, 'whole'), 'utf8'), 'x');
    }));
});
