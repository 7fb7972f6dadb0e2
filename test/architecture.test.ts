/** The shape of the source: which folder may import which, and what may stand nowhere. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { findCycles, listImports, readSourceTree, type SourceTree } from './source-tree.ts';

const STAGES = [
  'discover',
  'crawl',
  'harvest',
  'packaging',
  'publish',
  'federate',
  'replay',
  'workflow',
] as const;
const BELOW_STAGES = ['core', 'net', 'xml', 'formats', 'query', 'store', 'archive'] as const;

/** Edges between stages, each with its reason. They meet through what lies below them; this stays short. */
const STAGE_EDGES: Readonly<Record<string, readonly string[]>> = {};

/** What each folder of src/ may import beside itself. docs/architecture.md draws the same table. */
const MAY_IMPORT: Readonly<Record<string, readonly string[]>> = {
  core: [],
  net: ['core'],
  xml: ['core'],
  formats: ['core', 'xml'],
  query: ['core'],
  store: ['core', 'xml', 'query'],
  // xml: its pool of threads, in which PDF files are read with a time limit; formats and query: captures
  // become records that are searched, the same for crawls and imports.
  archive: ['core', 'xml', 'formats', 'query', 'store'],
  ...Object.fromEntries(STAGES.map((stage) => [stage, [...BELOW_STAGES, ...(STAGE_EDGES[stage] ?? [])]])),
  portal: ['core', 'formats', 'query', 'store', ...STAGES],
  http: ['core', 'formats', 'query', 'store', 'portal', 'app', ...STAGES],
  app: [...BELOW_STAGES, ...STAGES],
  cli: ['app', 'http', ...BELOW_STAGES, ...STAGES],
};

/** Implementations of ports: known to their own folder and to the composition root. */
const BACK_ENDS = /^src\/store\/(?:open\.ts$|(?:sqlite|threads|files|opensearch|s3)\/)/;

interface Ban {
  readonly what: string;
  readonly pattern: RegExp;
  /** Paths where it may stand all the same. */
  readonly except?: RegExp;
}

const BANS: readonly Ban[] = [
  { what: 'throw new Error', pattern: /\bthrow new (?:Type|Range)?Error\(/ },
  { what: 'console', pattern: /\bconsole\.\w/, except: /^src\/cli\// },
  { what: 'process.exit', pattern: /\bprocess\.exit\b(?!Code)/, except: /^src\/cli\// },
  {
    what: 'process.env',
    pattern: /\bprocess\.env\b|\benv\b[^'"]*from 'node:process'/,
    except: /^src\/core\/environment\.ts$/,
  },
  {
    what: 'a type escape',
    pattern: /\bas unknown as\b|@ts-(?:ignore|expect-error|nocheck)/,
  },
  { what: 'a lint escape', pattern: /(?:biome|oxlint|eslint)-(?:ignore|disable)/ },
  { what: 'a note of unfinished work', pattern: /\b(?:TODO|FIXME|XXX|HACK)\b/ },
];

const DUMPING_GROUND = /(?:^|\/)(?:utils?|helpers?|common|misc)(?:\/|\.ts$)/;

/** Tests, and what only tests use. */
const isTest = (path: string): boolean => /\.(?:test|fixture)\.ts$/.test(path);
const folderOf = (path: string): string | undefined => /^src\/([^/.]+)/.exec(path)?.[1];

function findViolations(tree: SourceTree): string[] {
  const violations: string[] = [];
  for (const [path, text] of tree) {
    if (DUMPING_GROUND.test(path)) violations.push(`${path}: name the thing, not the drawer`);
    const folder = folderOf(path);
    if (folder === undefined || isTest(path)) continue;
    if (MAY_IMPORT[folder] === undefined) violations.push(`${path}: the folder ${folder} is in no table`);
    for (const { target } of listImports(path, text)) {
      if (target === undefined) continue;
      const other = folderOf(target);
      if (other === undefined || isTest(target)) violations.push(`${path} imports ${target}`);
      else if (other !== folder && !MAY_IMPORT[folder]?.includes(other))
        violations.push(`${path} imports ${target}: ${folder} may not import ${other}`);
      else if (other !== folder && folder !== 'app' && BACK_ENDS.test(target))
        violations.push(`${path} imports ${target}: only app.ts chooses a back end`);
    }
    for (const { what, pattern, except } of BANS)
      if (!except?.test(path) && pattern.test(text)) violations.push(`${path} has ${what}`);
  }
  const source = new Map([...tree].filter(([path]) => path.startsWith('src/') && !isTest(path)));
  for (const cycle of findCycles(source)) violations.push(`import cycle: ${cycle.join(' → ')}`);
  return violations;
}

test('the source keeps to the table of imports and to the bans', () => {
  assert.deepEqual(findViolations(readSourceTree()), []);
});

/** Each is put into the tree in turn, and must be found. */
const PLANTED: readonly (readonly [path: string, text: string, found: RegExp])[] = [
  ['src/core/x.ts', "import { parse } from '../xml/parse.ts';", /core may not import xml/],
  ['src/query/x.ts', "import type { StoredItem } from '../store/index.ts';", /query may not import store/],
  ['src/store/x.ts', "export * from '../formats/format.ts';", /store may not import formats/],
  ['src/harvest/x.ts', "const it = await import('../publish/x.ts');", /harvest may not import publish/],
  ['src/portal/x.ts', "import {\n  a,\n  b,\n} from '../http/x.ts';", /portal may not import http/],
  ['src/formats/x.ts', "import '../app.ts';", /formats may not import app/],
  ['src/http/x.ts', "import { open } from '../store/sqlite/database.ts';", /only app\.ts chooses/],
  ['src/newcomer/x.ts', '', /the folder newcomer is in no table/],
  ['src/core/x.ts', "import { x } from '../../test/source-tree.ts';", /imports test\/source-tree\.ts/],
  ['src/core/x.ts', "throw new Error('no code');", /has throw new Error/],
  ['src/http/x.ts', "console.log('here');", /has console/],
  ['src/app.ts', 'process.exit(1);', /has process\.exit/],
  ['src/cli/x.ts', 'const home = process.env.HOME;', /has process\.env/],
  ['src/core/x.ts', 'const x = y as unknown as string;', /has a type escape/],
  ['src/core/utils.ts', '', /name the thing/],
  ['test/helpers/x.ts', '', /name the thing/],
];

for (const [path, text, found] of PLANTED) {
  test(`planting ${JSON.stringify(text)} in ${path} is found`, () => {
    const violations = findViolations(new Map([...readSourceTree(), [path, text]]));
    assert.ok(
      violations.some((violation) => violation.startsWith(path) && found.test(violation)),
      violations.join('\n'),
    );
  });
}

test('a planted ring of imports is found, a ring of types is not', () => {
  const ring = (keyword: string): SourceTree =>
    new Map([
      ['src/core/x.ts', `import { y } from './y.ts';`],
      ['src/core/y.ts', `${keyword} { x } from './x.ts';`],
    ]);
  assert.deepEqual(findViolations(ring('import')), [
    'import cycle: src/core/x.ts → src/core/y.ts → src/core/x.ts',
  ]);
  assert.deepEqual(findViolations(ring('import type')), []);
});

test('docs/architecture.md draws the same table', () => {
  const page = readFileSync(new URL('../docs/architecture.md', import.meta.url), 'utf8');
  const drawn = Object.fromEntries(
    [...page.matchAll(/^\| `(\w+)` \| ([^|]*) \|/gm)].map(([, folder = '', cell = '']) => [
      folder,
      [...cell.matchAll(/`(\w+)`/g)].map(([, name = '']) => name).sort(),
    ]),
  );
  const expected = Object.fromEntries(
    Object.entries(MAY_IMPORT).map(([folder, others]) => [folder, others.toSorted()]),
  );
  assert.deepEqual(drawn, expected);
});
