/** The published package: packed, installed in an empty folder, used there. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { temporaryFolder } from './garner-process.ts';
import { dcRecord, writeFiles } from './sample-records.ts';

const ROOT = fileURLToPath(new URL('..', import.meta.url));

function run(folder: string, command: string, ...args: readonly string[]) {
  const { status, stdout, stderr } = spawnSync(command, args, {
    cwd: folder,
    encoding: 'utf8',
    shell: process.platform === 'win32',
  });
  return { status, stdout, stderr };
}

const registry = run(ROOT, 'npm', 'view', 'hono', 'version').status === 0;

test('the packed package installs in an empty folder and works there', {
  skip: registry ? false : 'no package registry is reachable',
}, (t) => {
  const folder = temporaryFolder(t);
  const packed = run(ROOT, 'npm', 'pack', '--pack-destination', folder);
  assert.equal(packed.status, 0, packed.stderr);
  const tarball = readdirSync(folder).find((name) => name.endsWith('.tgz'));
  assert.ok(tarball);
  writeFiles(folder, {
    'package.json': '{ "name": "stranger", "private": true }',
    'my-records/1.xml': dcRecord('oai:example.org:1', 'Sea ice seen from a package'),
  });
  const installed = run(folder, 'npm', 'install', '--no-audit', '--no-fund', join(folder, tarball));
  assert.equal(installed.status, 0, installed.stderr);
  for (const args of [['init', './my-records'], ['import'], ['verify']]) {
    const outcome = run(folder, 'npx', 'garner', ...args);
    assert.equal(outcome.status, 0, `${args.join(' ')}: ${outcome.stderr}${outcome.stdout}`);
  }
  const found = run(folder, 'npx', 'garner', 'search', 'ice', '--json');
  assert.equal((JSON.parse(found.stdout) as { total: number }).total, 1, found.stderr);
});
