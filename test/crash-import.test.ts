/** Kill -9 at any moment of an import: the next start recovers by itself and nothing is lost or doubled. */
import assert from 'node:assert/strict';
import { rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { outcomeOf, runGarner, startGarner, temporaryFolder } from './garner-process.ts';
import { dcRecord, writeFiles } from './sample-records.ts';

const KILLS = 50;
const FILES = 150;
const RECORDS_PER_FILE = 100;

test(`after ${KILLS} kills the store holds exactly the input, in one version each, and verifies clean`, async (t) => {
  const folder = temporaryFolder(t);
  const text = 'The quick survey of drifting ice and slow clouds over a cold sea. '.repeat(8);
  for (let file = 0; file < FILES; file++) {
    const records = Array.from({ length: RECORDS_PER_FILE }, (_, i) => {
      const number = file * RECORDS_PER_FILE + i;
      return dcRecord(
        `oai:example.org:${number}`,
        `Record ${number}`,
        `<dc:description>${number} ${text}</dc:description>`,
      );
    });
    writeFiles(folder, {
      [`r/${String(file).padStart(4, '0')}.xml`]: `<records>${records.join('')}</records>`,
    });
  }
  let seed = 20261115;
  const random = () => {
    seed = (seed * 1103515245 + 12345) & 0x7fffffff;
    return seed / 0x7fffffff;
  };

  const checkWhole = async () => {
    const verified = await runGarner(folder, 'verify', '--json');
    assert.equal(verified.code, 0, verified.stdout);
    const { statistics } = JSON.parse(verified.stdout) as {
      statistics: { liveItems: number; versions: number };
    };
    assert.equal(statistics.liveItems, FILES * RECORDS_PER_FILE);
    assert.equal(statistics.versions, FILES * RECORDS_PER_FILE);
    const found = await runGarner(folder, 'search', 'ice', '--json');
    assert.equal((JSON.parse(found.stdout) as { total: number }).total, FILES * RECORDS_PER_FILE);
  };

  let inCheckpoint = 0;
  let imports = 0;
  let longestMs = 500;
  for (let attempt = 0, killed = 0; killed < KILLS; attempt++) {
    const child = startGarner(folder, ['import', 'r', '--source', 's']);
    const outcome = outcomeOf(child);
    // A checkpoint writes the main file; every third kill comes while that is happening.
    if (attempt % 3 === 0) {
      if (await sawCheckpoint(join(folder, 'garner-data', 'garner.sqlite'), child)) inCheckpoint += 1;
    } else await delay(longestMs / 2 + random() * longestMs);
    child.kill('SIGKILL');
    if ((await outcome).signal === 'SIGKILL') {
      killed++;
      continue;
    }
    // A fast machine comes to the end between kills: all must be there, and it begins anew with less time.
    imports++;
    await checkWhole();
    rmSync(join(folder, 'garner-data'), { recursive: true });
    longestMs *= 0.7;
  }
  t.diagnostic(
    `${inCheckpoint} kills during a checkpoint; ${imports} imports came to their end between kills`,
  );

  const last = await runGarner(folder, 'import', 'r', '--source', 's', '--json');
  assert.equal(last.code, 0, last.stderr + last.stdout);
  await checkWhole();
});

async function sawCheckpoint(path: string, child: { readonly exitCode: number | null }): Promise<boolean> {
  const changedAt = () => statSync(path, { throwIfNoEntry: false })?.mtimeMs;
  const before = changedAt();
  for (let i = 0; i < 3000 && child.exitCode === null; i++) {
    await delay(1);
    const now = changedAt();
    if (before !== undefined && now !== before) return true;
  }
  return false;
}
