import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { type Config, configMistake, defaultConfig, loadConfig, type SourceConfig } from './config.ts';
import { listKeys } from './config-keys.ts';
import { type ConfigMistake, configError, writeMistake } from './config-mistakes.ts';
import { writeConfigTemplate } from './config-template.ts';
import type { Environment } from './environment.ts';
import { GarnerError } from './errors.ts';

const pathOf = (source: SourceConfig | undefined) => (source?.kind === 'files' ? source.path : undefined);

const folder = mkdtempSync(join(tmpdir(), 'garner-config-'));
after(() => rmSync(folder, { recursive: true }));

function load(yaml: string, env: Environment = {}): Config {
  const file = join(folder, 'garner.yaml');
  writeFileSync(file, yaml);
  return loadConfig(file, env);
}

function mistakesOf(yaml: string, env: Environment = {}): string[] {
  try {
    load(yaml, env);
  } catch (error) {
    assert.ok(error instanceof GarnerError);
    assert.equal(error.code, 'config.invalid');
    return (error.details.mistakes as ConfigMistake[]).map(writeMistake);
  }
  return [];
}

test('an empty file gives the defaults', () => {
  const config = load('');
  assert.equal(config.data, join(folder, 'garner-data'));
  assert.deepEqual(config.server, { host: '127.0.0.1', port: 8080, trustedProxies: 0 });
  assert.equal(config.repository.baseUrl, 'http://127.0.0.1:8080');
  assert.equal(config.repository.identifier, 'garner.localhost');
  assert.deepEqual(config.access, { default: { public: true }, tokens: {} });
  assert.deepEqual({ ...config, file: undefined }, { ...defaultConfig(folder, {}, {}), file: undefined });
});

test('a full file is read, with paths relative to it', () => {
  const config = load(`
repository: { name: Polar data, baseUrl: https://data.example.org/, adminEmail: curator@example.org }
data: store
sources:
  samples:
    kind: files
    path: [records, /srv/more.zip]
    xsd: schemas/dif.xsd
    validation: quarantine
    access: { networks: 10.0.0.0/8, groups: [staff] }
formats:
  stations:
    extends: oai_dc
    namespaces: { s: https://example.org/s }
    detect: [{ root: "s:station" }]
    identifier: /s:station/@id
    fields:
      elevation: { paths: //s:elevation, type: number, facet: true }
    dublinCore: { title: name, date: [{ path: //s:date }, { field: date }] }
views:
  high: { title: High places, sources: samples, query: "elevation:[1000 TO *]" }
`);
  assert.equal(config.repository.baseUrl, 'https://data.example.org');
  assert.equal(config.repository.identifier, 'data.example.org');
  assert.equal(config.data, join(folder, 'store'));
  const source = config.sources.samples;
  assert.deepEqual(pathOf(source), [join(folder, 'records'), '/srv/more.zip']);
  assert.ok(source && 'xsd' in source);
  assert.equal(source.xsd, join(folder, 'schemas/dif.xsd'));
  assert.equal(source.maxDeleteShare, 0.2);
  assert.deepEqual(source.access, { networks: ['10.0.0.0/8'], groups: ['staff'] });
  assert.deepEqual(config.formats.stations?.identifier, ['/s:station/@id']);
  assert.deepEqual(config.formats.stations?.fields?.elevation?.paths, ['//s:elevation']);
  assert.deepEqual(config.formats.stations?.dublinCore, {
    title: [{ field: 'name' }],
    date: [{ path: '//s:date' }, { field: 'date' }],
  });
  assert.deepEqual(config.views.high?.sources, ['samples']);
  assert.deepEqual(config.places['views.high.query'], { line: 21, column: 49 });
});

test('every mistake is told at once, with line, column, key and what would be right', () => {
  assert.deepEqual(
    mistakesOf(`server:
  port: eighty
  hots: 0.0.0.0
repository:
  baseUrl: ftp://example.org
  identifier: localhost
sources:
  bad name: { kind: files, path: x }
  one:
    kind: fils
    path: x
  two:
    kind: files
    maxDeleteShare: 7
    validation: maybe
  three:
    kind: files
    path: [a, 5]
    access: { networks: [10.0.0.0/8, nowhere] }
zzzzzzzz: 1
`).map((line) => line.replace(/(one of files), .*/, '$1, …')),
    [
      'garner.yaml:2:3: server.port: must be a number',
      'garner.yaml:3:3: server.hots: unknown key; did you mean host?',
      'garner.yaml:5:3: repository.baseUrl: must be an http or https address',
      'garner.yaml:6:3: repository.identifier: must look like a domain name, such as data.example.org',
      'garner.yaml:8:3: sources.bad name: a name has letters, digits, - and _, and starts with a letter or digit',
      'garner.yaml:10:5: sources.one.kind: must be one of files, …',
      'garner.yaml:12:3: sources.two.path: must be a text or a list of texts',
      'garner.yaml:14:5: sources.two.maxDeleteShare: must be at most 1',
      'garner.yaml:15:5: sources.two.validation: must be one of report, quarantine, reject',
      'garner.yaml:18:15: sources.three.path[1]: must be a text (put it in quotes)',
      'garner.yaml:19:38: sources.three.access.networks[1]: must be a network such as 10.0.0.0/8 or 2001:db8::/32',
      'garner.yaml:20:1: zzzzzzzz: unknown key; known here: repository, data, server, sources, runs, net, engines, topics, topicsFile, discover, federate, packages, curation, formats, views, access',
    ],
  );
});

test('names must exist and must differ', () => {
  assert.deepEqual(
    mistakesOf(`sources:
  samples: { kind: files, path: x, access: { tokens: [partnr] } }
views:
  samples: { query: ice }
  polar: { sources: [sampels, other] }
access:
  tokens:
    partner: { secret: 0123456789abcdef }
    friend: { secret: 0123456789abcdef }
    short: { secret: abc }
formats:
  mine: { fields: { source: { paths: //x }, "a-b": { paths: //y } }, dublinCore: { titel: name } }
`),
    [
      'garner.yaml:10:14: access.tokens.short.secret: must have at least 16 characters',
      'garner.yaml:12:21: formats.mine.fields.source: is filled by the store; choose another name',
      'garner.yaml:12:45: formats.mine.fields.a-b: a field name has letters, digits and _, and starts with a letter',
      'garner.yaml:12:84: formats.mine.dublinCore.titel: unknown key; did you mean title?',
    ],
  );
  assert.deepEqual(
    mistakesOf(`sources:
  samples: { kind: files, path: x, access: { tokens: [partnr] } }
views:
  samples: { query: ice }
  polar: { sources: [sampels, other] }
access:
  tokens:
    partner: { secret: 0123456789abcdef }
    friend: { secret: 0123456789abcdef }
`),
    [
      'garner.yaml:2:46: sources.samples.access.tokens: there is no token partnr; did you mean partner?',
      'garner.yaml:4:3: views.samples: a source has the same name; sources and views share their names',
      'garner.yaml:5:12: views.polar.sources: there is no source sampels; did you mean samples?',
      'garner.yaml:5:12: views.polar.sources: there is no source other; there are samples',
      'garner.yaml:9:15: access.tokens.friend.secret: is the same as that of partner',
    ],
  );
});

test('variables are taken from the environment, with a default, as the type that the key wants', () => {
  const config = load(
    `
server: { host: "\${HOST:-0.0.0.0}", port: "\${PORT}" }
repository: { name: "Price: $\${NAME} \${NAME}" }
access:
  tokens:
    curator: { role: curator, secret: "\${TOKEN}" }
`,
    { PORT: '9000', NAME: 'Eis', TOKEN: '1234567890123456' },
  );
  assert.deepEqual(config.server, { host: '0.0.0.0', port: 9000, trustedProxies: 0 });
  assert.equal(config.repository.name, 'Price: ${NAME} Eis');
  assert.equal(config.access.tokens.curator?.secret, '1234567890123456');
});

test('a variable that is not set is a mistake with its line, told once', () => {
  assert.deepEqual(mistakesOf('server:\n  port: ${PORT}\n  host: ${HOST}-${PORT}\n', { HOST: '' }), [
    'garner.yaml:2:9: server.port: the environment variable PORT is not set; set it, or write ${PORT:-default}',
    'garner.yaml:3:9: server.host: the environment variable HOST is not set; set it, or write ${HOST:-default}',
    'garner.yaml:3:9: server.host: the environment variable PORT is not set; set it, or write ${PORT:-default}',
  ]);
});

test('a variable’s value is never taken for YAML', () => {
  const config = load('repository:\n  name: ${NAME}\n', { NAME: 'x\nserver: { port: 1 }' });
  assert.equal(config.repository.name, 'x\nserver: { port: 1 }');
  assert.equal(config.server.port, 8080);
});

test('GARNER_… overrides single keys, and is named when it is wrong', () => {
  const config = load('server: { port: 1 }', { GARNER_SERVER_PORT: '9000', GARNER_REPOSITORY_NAME: '7' });
  assert.equal(config.server.port, 9000);
  assert.equal(config.repository.name, '7');
  assert.deepEqual(mistakesOf('', { GARNER_SERVER_PORT: 'x' }), [
    'GARNER_SERVER_PORT: server.port: must be a number',
  ]);
});

test('broken YAML is told with its line, and how to write variables in braces', () => {
  const [mistake = '', ...rest] = mistakesOf('server: { host: ${HOST} }\n');
  assert.match(mistake, /^garner\.yaml:1:\d+: .*write "\$\{NAME\}" in quotes/);
  assert.ok(rest.every((other) => other.startsWith('garner.yaml:')));
  assert.match(mistakesOf('data: a\ndata: b\n')[0] ?? '', /^garner\.yaml:2:1: /);
  assert.deepEqual(mistakesOf('- a\n- b\n'), ['garner.yaml:1:1: must be a map of keys']);
});

test('secrets are not repeated in messages', () => {
  assert.ok(!mistakesOf('access: { tokens: { a: { secret: tooshort } } }').join().includes('tooshort'));
});

test('a missing file is not the same as a wrong one', () => {
  assert.throws(() => loadConfig(join(folder, 'absent.yaml'), {}), { code: 'config.missing' });
  assert.throws(() => loadConfig(folder, {}), { code: 'config.invalid' });
});

test('a caller can report a mistake that only it could see, with its line', () => {
  const config = load('views:\n  polar:\n    query: "bbox:["\n');
  const error = configError([configMistake(config, ['views', 'polar', 'query'], 'expected a number')]);
  assert.equal(
    error.message,
    'the config has a mistake:\n  garner.yaml:3:5: views.polar.query: expected a number',
  );
});

test('the template is a valid config, with and without sources, however they are named', () => {
  assert.deepEqual(load(writeConfigTemplate()).sources, {});
  const path = './we "love" ${HOME} #1: ';
  const config = load(writeConfigTemplate({ repositoryName: 'true', sources: { samples: path, '7': '.' } }));
  assert.equal(config.repository.name, 'true');
  assert.deepEqual(pathOf(config.sources.samples), [join(folder, path)]);
  assert.deepEqual(pathOf(config.sources['7']), [folder]);
});

test('everything that the template offers in comments is valid, too', () => {
  const uncommented = writeConfigTemplate().replace(/^(\s*)# (?=\s*(?:[A-Za-z]+:(?:\s|$)|- root))/gm, '$1');
  assert.match(uncommented, /^formats:$/m);
  const config = load(uncommented.replace(/^(?:Fields|Saved|Readers|The|Every|Where|Garner).*$/gm, ''), {
    GARNER_CURATOR_TOKEN: 'a secret of some length',
  });
  assert.ok(config.views.polar && config.formats.stations?.fields?.elevation && config.sources.records);
  assert.equal(config.access.tokens.curator?.role, 'curator');
});

test('every key is documented', () => {
  for (const { path, doc } of listKeys())
    assert.ok(doc || path.at(-2) === 'dublinCore' || path.includes('[]'), path.join('.'));
});
