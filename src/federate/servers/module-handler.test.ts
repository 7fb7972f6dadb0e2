/** The example of the guide as it stands there, with a driver that tells what it was asked. */
import assert from 'node:assert/strict';
import { copyFile, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { ANONYMOUS, PUBLIC } from '../../core/access.ts';
import { parseDis } from '../../query/dis/parse-dis.ts';
import { loadModuleHandler } from './module-handler.ts';
import type { ProductHandler } from './product.ts';

const EXAMPLE = new URL('../../../docs/examples/postgres-handler.mjs', import.meta.url);
const DRIVER = `
  export default {
    Pool: class {
      constructor({ connectionString }) { this.server = connectionString; }
      async query(text, values) {
        return { rows: values[0] === 'NOWHERE' ? [] : [{ server: this.server, text, values }] };
      }
      async end() { this.server = 'closed'; }
    },
  };
`;

let folder: string;
before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'garner-module-'));
  await mkdir(join(folder, 'node_modules/pg'), { recursive: true });
  await writeFile(join(folder, 'node_modules/pg/package.json'), '{ "main": "index.mjs" }');
  await writeFile(join(folder, 'node_modules/pg/index.mjs'), DRIVER);
  await copyFile(EXAMPLE, join(folder, 'postgres-handler.mjs'));
});
after(() => rm(folder, { recursive: true }));

const load = (file: string, access = PUBLIC) =>
  loadModuleHandler({
    name: 'spectra',
    path: join(folder, file),
    options: { connection: 'postgresql://db', parameters: ['target_name'], query: 'SELECT $1' },
    access,
  });

async function ask(handler: ProductHandler, expression: string): Promise<string[]> {
  const { query, select, from, names } = parseDis(expression);
  const question = { query, select, from, names, accept: [], expression, exact: false };
  const texts: string[] = [];
  for await (const { forms } of handler.find(question, ANONYMOUS))
    for await (const bytes of forms[0]?.open() ?? []) texts.push(Buffer.from(bytes).toString());
  return texts;
}

test('the handler of the example asks its database for the attributes of a question, and for nothing else', async () => {
  const handler = await load('postgres-handler.mjs');
  assert.deepEqual(await ask(handler, 'TARGET_NAME = IO'), [
    '[{"server":"postgresql://db","text":"SELECT $1","values":["IO"]}]\n',
  ]);
  assert.deepEqual(await ask(handler, 'TARGET_NAME = NOWHERE'), []);
  assert.deepEqual(await ask(handler, 'TARGET_NAME = IO AND FILTER_NAME = RED'), []);
  assert.deepEqual(await ask(handler, 'NOT TARGET_NAME = IO'), []);
  await handler.close?.();
});

test('the rule of the config holds for the products of a module', async () => {
  const handler = await load('postgres-handler.mjs', { groups: ['staff'] });
  assert.deepEqual(await ask(handler, 'TARGET_NAME = IO'), []);
});

test('a module that cannot be had, or makes no handler, is a mistake in the config', async () => {
  await writeFile(join(folder, 'empty.mjs'), 'export const nothing = 1;');
  await writeFile(join(folder, 'other.mjs'), 'export const createHandler = () => ({ search() {} });');
  await writeFile(join(folder, 'fails.mjs'), 'throw new Error("no driver");');
  for (const [file, message] of [
    ['none.mjs', /does not load/],
    ['empty.mjs', /exports no function createHandler/],
    ['other.mjs', /without a function find/],
    ['fails.mjs', /does not load: no driver/],
  ] as const)
    await assert.rejects(load(file), { code: 'config.invalid', message }, file);
});
