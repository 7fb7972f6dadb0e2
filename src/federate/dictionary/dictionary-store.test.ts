import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { PLANETARY } from './dictionaries.fixture.ts';
import { type DataDictionary, readDictionary } from './dictionary.ts';
import { openDictionaryStore } from './dictionary-store.ts';
import { DUBLIN_CORE } from './dublin-core.ts';
import { DICTIONARY_FORMS } from './file-forms.ts';

function inFolder(body: (folder: string) => void): void {
  const folder = mkdtempSync(join(tmpdir(), 'garner-dictionary-'));
  try {
    body(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const withElements = (
  ...elements: { name: string; version?: string; definition: string }[]
): DataDictionary => readDictionary({ identifier: 'planetary', title: 'Planetary images', elements });

test('what was put in is found by another that opens the folder, state by state', () =>
  inFolder((folder) => {
    const store = openDictionaryStore(folder);
    assert.deepEqual(store.list(), []);
    assert.equal(store.find('planetary'), undefined);
    assert.deepEqual(store.put(PLANETARY, 'merge'), {
      revision: 1,
      added: 6,
      changed: 0,
      removed: 0,
      unchanged: 0,
    });
    const more = withElements(
      { name: 'TARGET_NAME', definition: 'The body.' },
      { name: 'TARGET_NAME', version: '2', definition: 'The body in view.' },
    );
    assert.deepEqual(store.put(more, 'merge'), {
      revision: 2,
      added: 1,
      changed: 1,
      removed: 0,
      unchanged: 0,
    });
    const again = openDictionaryStore(folder);
    assert.deepEqual(again.list(), ['planetary']);
    assert.deepEqual(again.revisions('planetary'), [2, 1]);
    assert.deepEqual(again.find('planetary', 1), PLANETARY);
    assert.equal(again.find('planetary')?.elements.length, 7);
    assert.equal(again.find('planetary', 3), undefined);
    assert.equal(again.find('../planetary'), undefined);
  }));

test('the same content makes no new state, in whatever form it came', () =>
  inFolder((folder) => {
    const store = openDictionaryStore(folder);
    store.put(PLANETARY, 'merge');
    for (const form of Object.values(DICTIONARY_FORMS)) {
      const outcome = store.put(form.read(Buffer.from(form.write(PLANETARY))), 'merge');
      assert.deepEqual(outcome, { revision: 0, added: 0, changed: 0, removed: 0, unchanged: 6 });
    }
    assert.deepEqual(store.revisions('planetary'), [1]);
  }));

test('replacing removes what the new dictionary has not', () =>
  inFolder((folder) => {
    const store = openDictionaryStore(folder);
    store.put(PLANETARY, 'merge');
    const only = withElements({ name: 'TARGET_NAME', definition: 'The body.' });
    assert.equal(store.put(only, 'replace').removed, 5);
    assert.deepEqual(store.find('planetary'), only);
    assert.deepEqual(store.find('planetary', 1), PLANETARY);
  }));

const WRITER = `
  const { openDictionaryStore } = await import(process.argv[1]);
  const [, , folder, name] = process.argv;
  const store = openDictionaryStore(folder);
  for (let i = 0; i < 20; i++) {
    const element = { name: name + i, version: '1', definition: 'd', synonyms: [], classifications: [], keywords: [],
      related: [], permissibleValues: [], registrationStatus: 'recorded' };
    store.put({ identifier: 'shared', title: 'Shared', elements: [element] }, 'merge');
  }
`;

test('of processes that take in at once, none loses what another took in', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'garner-dictionary-'));
  try {
    const module = new URL('./dictionary-store.ts', import.meta.url).href;
    const ended = ['a', 'b', 'c'].map((name) => {
      const child = spawn(
        process.execPath,
        ['--disable-warning=ExperimentalWarning', '--input-type=module', '-e', WRITER, module, folder, name],
        { stdio: ['ignore', 'inherit', 'inherit'] },
      );
      return new Promise((resolve) => child.once('close', resolve));
    });
    assert.deepEqual(await Promise.all(ended), [0, 0, 0]);
    const store = openDictionaryStore(folder);
    assert.equal(store.find('shared')?.elements.length, 60);
    assert.equal(store.revisions('shared').length, 60);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});

test('nothing is left aside, and drafts of a process that died are not read', () =>
  inFolder((folder) => {
    const store = openDictionaryStore(folder);
    store.put(PLANETARY, 'merge');
    const path = join(folder, 'dictionary', 'planetary');
    assert.deepEqual(readdirSync(path), ['1.json']);
    writeFileSync(join(path, '2.json.4711'), '{"shape":1,"dict');
    assert.deepEqual(store.find('planetary'), PLANETARY);
  }));

test('Dublin Core cannot be replaced, and a state of a newer Garner is not guessed at', () =>
  inFolder((folder) => {
    const store = openDictionaryStore(folder);
    assert.throws(() => store.put(DUBLIN_CORE, 'merge'), { code: 'dictionary.invalid' });
    store.put(PLANETARY, 'merge');
    writeFileSync(join(folder, 'dictionary', 'planetary', '2.json'), JSON.stringify({ shape: 9 }));
    assert.throws(() => store.find('planetary'), { code: 'store.newer' });
  }));
