import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { parseDis } from '../query/dis/parse-dis.ts';
import { writeDis } from '../query/dis/write-dis.ts';
import { PLANETARY } from './dictionary/dictionaries.fixture.ts';
import { openDictionaries } from './dictionary/dictionaries.ts';
import { DUBLIN_CORE } from './dictionary/dublin-core.ts';
import { expandQuery } from './ontology/expand-query.ts';
import { loadTurtle, SPACE_TURTLE, SYSTEMS_TURTLE } from './ontology/ontologies.fixture.ts';
import { createVocabulary } from './vocabulary.ts';

async function inFolder(body: (folder: string) => Promise<void> | void): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'garner-vocabulary-'));
  try {
    await body(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

test('Dublin Core is there without anything', () =>
  inFolder((folder) => {
    const dictionaries = openDictionaries(folder, []);
    assert.deepEqual(dictionaries.index().dictionaries, [DUBLIN_CORE]);
    assert.equal(dictionaries.getElements('Title')[0]?.entry.dictionary, 'dublin-core');
  }));

test('what another process takes in is there at the next call, and nothing is made twice', () =>
  inFolder((folder) => {
    const dictionaries = openDictionaries(folder, []);
    const before = dictionaries.index();
    assert.equal(dictionaries.index(), before);
    openDictionaries(folder, []).take(PLANETARY, 'merge');
    assert.equal(dictionaries.getElements('filter_name').length, 1);
    assert.deepEqual(dictionaries.getDictionary('planetary', 1), PLANETARY);
  }));

test('a name that is not known is told with the nearest', () =>
  inFolder((folder) => {
    const dictionaries = openDictionaries(folder, [PLANETARY]);
    assert.throws(() => dictionaries.getElements('FILTR_NAME'), {
      code: 'dictionary.unknown',
      message: 'no dictionary has an element "FILTR_NAME"; did you mean FILTER_NAME?',
    });
    assert.throws(() => dictionaries.getDictionary('planetry'), /did you mean planetary/);
    assert.throws(() => dictionaries.getDictionary('planetary', 4), /in state 4/);
  }));

test('a file of the configuration hides what was taken in under its name, and is not taken in', () =>
  inFolder((folder) => {
    openDictionaries(folder, []).take({ ...PLANETARY, title: 'Older' }, 'merge');
    const dictionaries = openDictionaries(folder, [PLANETARY]);
    assert.equal(dictionaries.getDictionary('planetary').title, 'Planetary images');
    assert.throws(() => dictionaries.take(PLANETARY, 'merge'), { code: 'dictionary.invalid' });
  }));

test('queries expand by ontology and dictionary, but only to fields that there are', () =>
  inFolder(async (folder) => {
    const vocabulary = createVocabulary(
      openDictionaries(folder, [PLANETARY]),
      await loadTurtle(SPACE_TURTLE + SYSTEMS_TURTLE),
      { hops: 1 },
    );
    const expand = (dis: string, fields: string[]) =>
      writeDis(expandQuery(parseDis(dis).query, vocabulary.expansions(fields)));
    assert.equal(
      expand('integration_time > 60', ['Exposure_Duration', 'target_name']),
      'integration_time > 60 OR Exposure_Duration > 60',
    );
    assert.equal(expand('integration_time > 60', []), 'integration_time > 60');
    assert.equal(expand('EXPOSURE_DURATION > "0.1 s"', []), 'EXPOSURE_DURATION > 100');
    assert.equal(
      expand('NOT integration_time <= 2min', ['Exposure_Duration']),
      'NOT (integration_time <= 120000 OR Exposure_Duration <= 120000)',
    );
    assert.equal(expand('EXPOSURE_DURATION > "3 km"', []), 'EXPOSURE_DURATION > "3 km"');
    const unix = expand('os = "UNIX compatible"', []);
    for (const name of ['Linux', 'Solaris']) assert.match(unix, new RegExp(`os = ${name}`));
    assert.doesNotMatch(unix, /Windows/);
    const image = vocabulary.findClass('Image');
    assert.ok(image);
    assert.deepEqual(
      vocabulary
        .inferAttributes(image.iri)
        .filter(({ path }) => path.length > 0)
        .map(({ attribute }) => attribute.name),
      ['target_name', 'filter_name', 'exposure_duration'],
    );
    assert.equal(vocabulary.findClass('filter_name'), undefined);
  }));
