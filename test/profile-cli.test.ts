/** Resource profiles on the command line: in, asked for by DIS, gathered, out again in every form. */
import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { makePlanetaryProducts } from '../src/federate/demo/planetary.ts';
import { writeProfiles } from '../src/formats/oodt-profile/write-xml.ts';
import { runGarner, temporaryFolder } from './garner-process.ts';

const DOCTYPE =
  '<!DOCTYPE profiles PUBLIC "-//JPL//DTD OODT Profile 1.1//EN" "http://unknown.example/prof.dtd">';

test('profiles are taken in, found, gathered, written out, and taken in elsewhere', async (t) => {
  const folder = temporaryFolder(t);
  const garner = async (...args: string[]) => {
    const outcome = await runGarner(folder, ...args);
    assert.equal(outcome.code, 0, outcome.stderr);
    return outcome.stdout;
  };
  writeFileSync(
    join(folder, 'garner.yaml'),
    'federate: { profiles: { levels: [data_set_id], ids: sequence } }\n',
  );
  const products = [...makePlanetaryProducts({ products: 200 })];
  writeFileSync(join(folder, 'in.xml'), writeProfiles(products).replace(/<!DOCTYPE[^>]*>/, DOCTYPE));

  assert.match(await garner('profile', 'import', 'in.xml', '--source', 'planets'), /planets: 200 new/);
  assert.match(
    await garner('profile', 'import', 'in.xml', '--source', 'planets'),
    /planets: 0 new, 0 changed/,
  );

  const found = await garner('query', 'IMAGE_ID=FO43S181 AND RETURN=TARGET_NAME');
  assert.match(
    found,
    /^1 resource\n {2}MGN-V-RDRS-5-DIM-V1\.0:FO43S181\n {4}TARGET_NAME = VENUS\n {4}https:/,
  );
  const answer = JSON.parse(await garner('query', 'TARGET_NAME=IO AND NOT FILTER_NAME=RED', '--json'));
  assert.ok(answer.total > 5);
  assert.equal(answer.profiles[0].profElements[0].elemName, 'DATA_SET_ID');

  const none = await runGarner(folder, 'query', 'FILTER_NAME = NOSUCH');
  assert.deepEqual([none.stdout, none.stderr], ['0 resources\n', ''], 'known before it is gathered');

  const gathered = await garner('profile', 'aggregate');
  assert.match(gathered, /everything: 200 products/);
  assert.match(gathered, /ODY-M-THM-2-IREDR-V1\.0: 60 products/);
  const root = await garner('profile', 'export', '--gathered');
  assert.match(root, /<resClass>system\.profileServer\.all<\/resClass>/);
  assert.match(root, /<profId>G0<\/profId>/);

  for (const file of ['out.ttl', 'out.jsonld', 'out.json']) {
    await garner(
      'profile',
      'export',
      '--query',
      'TARGET_NAME=VENUS',
      '--source',
      'planets',
      '--output',
      file,
    );
    assert.ok(readFileSync(join(folder, file)).length > 1000);
    const source = file.replace('.', '-');
    assert.match(await garner('profile', 'import', file, '--source', source), /: 40 new, 0 changed/);
    assert.match(await garner('query', 'IMAGE_ID=FO43S181', '--source', source), /^1 resource\n/);
  }
  assert.match(await garner('profile', 'build', 'planets', '1.3.6.1.4.1.99999.2.1'), /<Identifier>GO-J/);
});

test('a wrong expression is told with its place, an unknown attribute with the nearest', async (t) => {
  const folder = temporaryFolder(t);
  const wrong = await runGarner(folder, 'query', 'TARGET_NAME = Sea ice');
  assert.equal(wrong.code, 2);
  assert.match(wrong.stderr, /found "ice" \(character 19\)/);
  const unknown = await runGarner(folder, 'query', 'CRETOR = x');
  assert.equal(unknown.code, 0);
  assert.match(unknown.stderr, /no attribute "CRETOR"; did you mean creator/);
  const dictionary = fileURLToPath(new URL('../demo/planetary/dictionary.csv', import.meta.url));
  writeFileSync(join(folder, 'garner.yaml'), `federate: { dictionary: ["${dictionary}"] }\n`);
  const mistyped = await runGarner(folder, 'query', 'FILTR_NAME = RED');
  assert.match(mistyped.stderr, /no attribute "FILTR_NAME"; did you mean FILTER_NAME/);
  assert.equal((await runGarner(folder, 'profile', 'paint')).code, 2);
  assert.equal((await runGarner(folder, 'profile', 'import', 'x.xml')).code, 2);
});
