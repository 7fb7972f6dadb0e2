import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { loadConfig } from '../../core/config.ts';
import { GarnerError } from '../../core/errors.ts';
import { parseCsv } from '../../core/parse-csv.ts';
import { readTopics } from './topic.ts';

const folder = mkdtempSync(join(tmpdir(), 'garner-topics-'));
after(() => rmSync(folder, { recursive: true, force: true }));

function topicsOf(yaml: string, csv?: string) {
  const file = join(folder, 'garner.yaml');
  writeFileSync(file, csv === undefined ? yaml : `${yaml}\ntopicsFile: topics.csv\n`);
  if (csv !== undefined) writeFileSync(join(folder, 'topics.csv'), csv);
  return readTopics(loadConfig(file, {}));
}

test('the query is the title and the acronym, unquoted', () => {
  const topics = topicsOf('topics: { ISCCP: { title: International Satellite Cloud Climatology Project } }');
  assert.deepEqual(topics.get('ISCCP')?.queries, ['International Satellite Cloud Climatology Project ISCCP']);
  assert.equal(topics.get('ISCCP')?.depth, 25);
});

test('templates and further queries are filled, and each is asked once', () => {
  const topics = topicsOf(`
discover: { query: '{acronym} satellite' }
topics:
  SRB: { title: Surface Radiation Budget, queries: ['{title}', '{acronym} satellite'] }
  FIRE: { title: First, query: 'only {title}' }
`);
  assert.deepEqual(topics.get('SRB')?.queries, ['SRB satellite', 'Surface Radiation Budget']);
  assert.deepEqual(topics.get('FIRE')?.queries, ['only First']);
});

test('a CSV file adds topics, with quotes, semicolons and line ends of any kind', () => {
  const topics = topicsOf(
    'data: x',
    '\uFEFFAcronym;Title;Query\r\nA1;"A ""quoted""; title";\r\n\r\nB2;Second;{acronym} only\n',
  );
  assert.deepEqual(
    [...topics.values()].map(({ acronym, title, queries }) => [acronym, title, queries[0]]),
    [
      ['A1', 'A "quoted"; title', 'A "quoted"; title A1'],
      ['B2', 'Second', 'B2 only'],
    ],
  );
});

const mistakeOf = (work: () => unknown): string => {
  try {
    work();
  } catch (error) {
    assert.ok(error instanceof GarnerError && error.code === 'config.invalid', String(error));
    return error.message;
  }
  return assert.fail('no mistake was found');
};

const CONFIG_MISTAKES: readonly (readonly [what: string, yaml: string, told: RegExp])[] = [
  ['without a title', 'topics:\n  A: {}', /:2:\d+: topics\.A\.title: is missing/],
  ['with an illegal acronym', 'topics:\n  "A B": { title: T }', /:2:\d+: topics\..*name of a set/],
  [
    'named like the set of sources',
    'topics:\n  source: { title: T }',
    /:2:\d+: topics\.source: .*set of Garner's own/,
  ],
  [
    'named like the set of types',
    'topics:\n  MIME: { title: T }',
    /:2:\d+: topics\.MIME: .*set of Garner's own/,
  ],
  [
    'named like another but for capitals',
    'topics:\n  AB: { title: T }\n  Ab: { title: U }',
    /:3:\d+: topics\.Ab: there is a topic AB/,
  ],
  [
    'named like a source',
    'sources:\n  AB: { kind: push }\ntopics:\n  AB: { title: T }',
    /:4:\d+: topics\.AB: a source/,
  ],
  [
    'with an engine that is not there',
    'engines:\n  one: { kind: arxiv }\ntopics:\n  A: { title: T, engines: [onne] }',
    /:4:\d+: .*did you mean one/,
  ],
];

for (const [what, yaml, told] of CONFIG_MISTAKES)
  test(`a topic ${what} is a mistake in the config, with its line`, () =>
    assert.match(
      mistakeOf(() => topicsOf(yaml)),
      told,
    ));

test('a provider that needs a key is a mistake without one', () => {
  assert.match(
    mistakeOf(() => topicsOf('engines:\n  b: { kind: brave }')),
    /:2:\d+: engines\.b\.key: is missing/,
  );
});

test('every mistake in the CSV file is told with its line', () => {
  const csv = 'acronym,title\nAB,Good\nA B,Illegal\nCD,\nab,Again\n,Nameless\nsource,Reserved\n';
  const message = mistakeOf(() => topicsOf('data: x', csv));
  for (const line of [3, 4, 5, 6, 7]) assert.match(message, new RegExp(`topics\\.csv:${line}:1: `));
  assert.match(
    mistakeOf(() => topicsOf('data: x', 'name,title\nA,B\n')),
    /topics\.csv:1:1: .*acronym/,
  );
});

test('a line break inside of quotes does not shift the lines', () => {
  assert.deepEqual(
    parseCsv('a,b\n"x\ny",1\nz,2').map(({ line, cells }) => [line, cells[0]]),
    [
      [1, 'a'],
      [2, 'x\ny'],
      [4, 'z'],
    ],
  );
});
