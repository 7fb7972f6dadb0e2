import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { REFERENCE_PAGES } from '../scripts/reference-pages.ts';
import { listKeys } from '../src/core/config-keys.ts';
import { ERROR_KINDS } from '../src/core/errors.ts';

const read = (path: string) =>
  readFileSync(new URL(`../${path}`, import.meta.url), 'utf8').replaceAll('\r\n', '\n');

for (const [path, write] of Object.entries(REFERENCE_PAGES)) {
  test(`${path} is what the code says; \`npm run docs\` writes it`, () => {
    assert.equal(read(path), write());
  });
}

test('the config reference names every key, and the errors page every code', () => {
  const config = read('docs/reference/config.md');
  for (const { path } of listKeys())
    assert.ok(config.includes(`\`${path.join('.').replaceAll('.[]', '[]')}\``), path.join('.'));
  const errors = read('docs/errors.md');
  for (const code of Object.keys(ERROR_KINDS)) assert.ok(errors.includes(`| \`${code}\` |`), code);
});
