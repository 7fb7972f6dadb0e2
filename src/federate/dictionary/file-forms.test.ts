import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import fc from 'fast-check';
import { GarnerError } from '../../core/errors.ts';
import { anyDictionary, PLANETARY } from './dictionaries.fixture.ts';
import { DUBLIN_CORE } from './dublin-core.ts';
import { DICTIONARY_FORMS, readDictionaryFile } from './file-forms.ts';

for (const [name, form] of Object.entries(DICTIONARY_FORMS)) {
  test(`any dictionary comes back from ${name} as it was`, () => {
    fc.assert(
      fc.property(anyDictionary, (dictionary) => {
        assert.deepEqual(form.read(Buffer.from(form.write(dictionary))), dictionary);
      }),
      { numRuns: 150 },
    );
  });

  test(`the planetary dictionary and Dublin Core come back from ${name} as they were`, () => {
    for (const dictionary of [PLANETARY, DUBLIN_CORE])
      assert.deepEqual(form.read(Buffer.from(form.write(dictionary))), dictionary);
  });
}

const { xml, csv, json } = DICTIONARY_FORMS;

function mistakesOf(read: () => unknown): readonly string[] {
  try {
    read();
  } catch (error) {
    assert.ok(error instanceof GarnerError);
    assert.equal(error.code, 'dictionary.invalid');
    return error.details.mistakes as string[];
  }
  return assert.fail('nothing was refused');
}

const inXml = (body: string) =>
  Buffer.from(
    `<dataDictionary xmlns="urn:garner:data-dictionary" identifier="x" title="X">\n${body}</dataDictionary>`,
  );

test('XML in another namespace, or with another root, is refused', () => {
  assert.deepEqual(
    mistakesOf(() => xml.read(Buffer.from('<dataDictionary/>'))),
    ['line 1: dataDictionary: expected dataDictionary in the namespace urn:garner:data-dictionary'],
  );
});

test('every mistake of form in XML is told with its line', () => {
  const body = `<dataElement>
<identifying><nam>a</nam><version>2</version><name>b</name></identifying>
<definitional><definition lang="en">d</definition><definition>e</definition></definitional>
<identifying>stray</identifying>
</dataElement>
<element/>
`;
  assert.deepEqual(
    mistakesOf(() => xml.read(inXml(body))),
    [
      'line 3: nam: expected name',
      'line 3: name: may not stand after version',
      'line 4: definition: stands twice',
      'line 4: definition: has no attribute lang',
      'line 5: identifying: may not stand after definitional',
      'line 5: identifying: has text: "stray"',
      'line 7: element: expected dataElement',
    ],
  );
});

test('XML with a DOCTYPE is refused', () => {
  const text = `<!DOCTYPE d [<!ENTITY e "x">]>${xml.write(PLANETARY).replace(/^<\?.*\?>\s*/, '')}`;
  assert.throws(() => xml.read(Buffer.from(text)), { code: 'xml.forbidden' });
});

test('what an element says is judged alike in every form, with its place', () => {
  const dictionary = {
    identifier: 'x',
    title: 'X',
    elements: [{ name: 'angle', definition: 'd', datatype: 'REAL', minimum: '9', maximum: '-9' }],
  };
  assert.deepEqual(
    mistakesOf(() => json.read(Buffer.from(JSON.stringify(dictionary)))),
    ['angle: minimum: is more than -9'],
  );
  const table = 'dictionary,name,definition,datatype,minimum,maximum\r\nx,angle,d,REAL,9,-9\r\n';
  assert.deepEqual(
    mistakesOf(() => csv.read(Buffer.from(table))),
    ['line 2: angle: minimum: is more than -9'],
  );
  const element =
    '<dataElement><identifying><name>angle</name></identifying><definitional><definition>d</definition></definitional><representational><datatype>REAL</datatype><minimum>9</minimum><maximum>-9</maximum></representational></dataElement>';
  assert.deepEqual(
    mistakesOf(() => xml.read(inXml(element))),
    ['line 2: angle: minimum: is more than -9'],
  );
});

test('elements that cannot be are refused, each with its reason', () => {
  const cases: readonly (readonly [Record<string, unknown>, string])[] = [
    [{ definition: ' ' }, 'a: definition: must not be empty'],
    [{ name: '--' }, '--: name: must have a letter or a digit'],
    [{ minimumSize: 5, maximumSize: 4 }, 'a: minimumSize: is more than the maximum size, 4'],
    [{ layout: "A'b" }, 'a: layout: a quote is not closed'],
    [{ datatype: 'INTEGER', minimum: 'few' }, 'a: minimum: "few" is not of the datatype INTEGER'],
    [{ datatype: 'boolean', maximum: 'true' }, 'a: maximum: values of boolean have no order'],
    [{ permissibleValues: [{ value: 'R' }, { value: 'R' }] }, 'a: permissibleValues: has R twice'],
    [{ comments: 'a\u0001b' }, 'a: comments: has a character that XML cannot hold'],
    [{ comments: 'a\ud800b' }, 'a: comments: has a character that XML cannot hold'],
  ];
  for (const [own, message] of cases) {
    const value = { identifier: 'x', title: 'X', elements: [{ name: 'a', definition: 'd', ...own }] };
    assert.deepEqual(
      mistakesOf(() => json.read(Buffer.from(JSON.stringify(value)))),
      [message],
    );
  }
});

test('a status that the standard does not know, and a key that is none, are refused', () => {
  const element = { name: 'a', definition: 'd', registrationStatus: 'fine', units: 'm' };
  const value = { identifier: 'x', title: 'X', elements: [element] };
  const mistakes = mistakesOf(() => json.read(Buffer.from(JSON.stringify(value))));
  assert.equal(mistakes.length, 2);
  assert.match(mistakes.join('\n'), /registrationStatus/);
  assert.match(mistakes.join('\n'), /units/);
});

test('one version of an element stands once, however its name is written', () => {
  const table = 'dictionary,name,definition\r\nx,Filter Name,d\r\nx,FILTER_NAME,e\r\n';
  assert.deepEqual(
    mistakesOf(() => csv.read(Buffer.from(table))),
    ['line 3: FILTER_NAME: version 1 stands twice'],
  );
});

test('a table of a spreadsheet may have its columns in any order, and names wrong ones', () => {
  const table = 'definition;name;dictionary\r\n"The ""main"" body; or a moon";TARGET_NAME;x\r\n';
  const dictionary = csv.read(Buffer.from(`\uFEFF${table}`));
  assert.equal(dictionary.elements[0]?.definition, 'The "main" body; or a moon');
  assert.equal(dictionary.title, 'x');
  assert.deepEqual(
    mistakesOf(() => csv.read(Buffer.from('dictionary,name,definitoin,name\r\nx,a,b,c\r\n'))),
    [
      'line 1: there is no column "definitoin"; did you mean definition?',
      'line 1: the column name stands twice',
      'line 1: the column definition is missing',
    ],
  );
  assert.deepEqual(
    mistakesOf(() => csv.read(Buffer.from('dictionary,name,definition\r\nx,a,b,c\r\ny,b,d\r\n'))),
    ['line 2: "c" is behind the last column', 'line 3: dictionary must be the same in all rows'],
  );
});

test('a file is read by its ending, and its mistakes bear its name', () => {
  const folder = mkdtempSync(join(tmpdir(), 'garner-dictionary-'));
  try {
    for (const [ending, form] of Object.entries(DICTIONARY_FORMS)) {
      writeFileSync(join(folder, `d.${ending}`), form.write(PLANETARY));
      assert.deepEqual(readDictionaryFile(join(folder, `d.${ending}`)), PLANETARY);
    }
    writeFileSync(join(folder, 'bad.json'), '{');
    assert.throws(() => readDictionaryFile(join(folder, 'bad.json')), {
      code: 'dictionary.invalid',
      message: /^bad\.json: no JSON/,
    });
    assert.throws(() => readDictionaryFile(join(folder, 'd.txt')), /must end in \.xml, \.csv or \.json/);
    assert.throws(() => readDictionaryFile(join(folder, 'none.csv')), { code: 'dictionary.invalid' });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
