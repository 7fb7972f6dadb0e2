/** Handlers as plug-ins: what each finds for a question, and what it keeps to itself. */
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { after, before, test } from 'node:test';
import { ANONYMOUS, PUBLIC, type Viewer } from '../../core/access.ts';
import { GarnerError } from '../../core/errors.ts';
import { parseDis } from '../../query/dis/parse-dis.ts';
import { createFolderHandler } from './folder-handler.ts';
import { createHttpHandler, fillAddress } from './http-handler.ts';
import type { Product, ProductHandler } from './product.ts';
import { createSqlHandler } from './sql-handler.ts';

let top: string;
before(async () => {
  top = await mkdtemp(join(tmpdir(), 'garner-handlers-'));
  await mkdir(join(top, 'products/sub/deep'), { recursive: true });
  await mkdir(join(top, 'outside'));
  await writeFile(join(top, 'outside/secret.txt'), 'secret-4711');
  await writeFile(join(top, 'products/a.csv'), 'x,y\n1,2\n');
  await writeFile(join(top, 'products/.hidden'), 'secret-4711');
  await writeFile(join(top, 'products/sub/b ü.txt'), 'b');
  await writeFile(join(top, 'products/sub/deep/c.txt'), 'c');
  await symlink(join(top, 'outside'), join(top, 'products/out'));
  await symlink(join(top, 'outside/secret.txt'), join(top, 'products/out.txt'));
  await symlink(join(top, 'products/a.csv'), join(top, 'products/within.csv'));
  await symlink(join(top, 'products'), join(top, 'products/sub/circle'));
});
after(() => rm(top, { recursive: true }));

async function ask(
  handler: ProductHandler,
  expression: string,
  viewer: Viewer = ANONYMOUS,
): Promise<Product[]> {
  const { query, select, from, names } = parseDis(expression);
  const question = { query, select, from, names, accept: [], expression, exact: false };
  const found: Product[] = [];
  for await (const product of handler.find(question, viewer)) found.push(product);
  return found;
}

async function read(product: Product | undefined): Promise<string> {
  const [form] = product?.forms ?? [];
  assert.ok(form, 'a product');
  const parts: Uint8Array[] = [];
  for await (const piece of form.open()) parts.push(piece);
  return Buffer.concat(parts).toString();
}

const folder = (more: Partial<Parameters<typeof createFolderHandler>[0]> = {}) =>
  createFolderHandler({ name: 'files', path: join(top, 'products'), access: PUBLIC, ...more });

test('files are given raw, as a digest and as an address', async () => {
  const [raw] = await ask(folder(), 'OFSN=/a.csv AND RT=RAW');
  assert.equal(await read(raw), 'x,y\n1,2\n');
  assert.equal(raw?.forms[0]?.mediaType, 'text/csv');
  assert.equal(raw?.forms[0]?.size, 8);
  assert.equal(
    await read((await ask(folder(), 'ofsn="sub/b ü.txt"'))[0]),
    'b',
    'RAW is what is given without RT',
  );
  const md5 = createHash('md5').update('x,y\n1,2\n').digest('hex');
  assert.equal(await read((await ask(folder(), 'OFSN=/a.csv AND RT=MD5'))[0]), `${md5}\n`);
  const url = await ask(folder({ url: 'https://data.example.org/p/' }), 'OFSN="/sub/b ü.txt" AND RT=url');
  assert.equal(await read(url[0]), 'https://data.example.org/p/sub/b%20%C3%BC.txt\n');
  assert.deepEqual(await ask(folder(), 'OFSN=/a.csv AND RT=URL'), [], 'no web server has it');
});

test('lists name files and folders below, with sizes, without what leads out', async () => {
  const names = async (rt: string, ofsn = '/') => {
    const text = await read((await ask(folder(), `OFSN="${ofsn}" AND RT=${rt}`))[0]);
    assert.doesNotMatch(text, /secret|hidden|out/);
    return [...text.matchAll(/<OFSN>(.*?)<\/OFSN>(?:<fileSize>(\d+)<)?/g)].map(([, name, size]) => [
      name,
      size,
    ]);
  };
  assert.deepEqual(await names('DIRFILELIST1'), [
    ['/a.csv', '8'],
    ['/within.csv', '8'],
  ]);
  assert.deepEqual(await names('DIRLIST1'), [['/sub', undefined]]);
  assert.deepEqual(await names('DIRLIST', '/sub/deep'), []);
  assert.deepEqual(await names('FILE_LIST', '/a.csv'), [['/a.csv', '8']]);
  const all = (await names('DIRFILELIST')).map(([name]) => name);
  assert.ok(all.includes('/sub/deep/c.txt') && all.includes('/sub/b ü.txt'));
});

test('no name leads out of the folder', async () => {
  for (const ofsn of [
    '/../outside/secret.txt',
    '/out/secret.txt',
    '/out.txt',
    '/.hidden',
    '/sub/../../outside/secret.txt',
    '/%2e%2e/outside/secret.txt',
    '\\\\..\\\\outside\\\\secret.txt',
    `${'/x'.repeat(3000)}`,
  ])
    for (const rt of ['RAW', 'MD5', 'FILE_LIST', 'DIRFILELIST', 'FILES'])
      assert.deepEqual(await ask(folder(), `OFSN="${ofsn}" AND RT=${rt}`), [], ofsn);
  assert.equal((await ask(folder(), 'OFSN=/within.csv')).length, 1, 'links within lead somewhere');
});

test('a folder answers only what it understands, and only whom it may', async () => {
  for (const other of [
    'TARGET_NAME=IO',
    'OFSN=/a.csv AND TARGET_NAME=IO',
    'NOT OFSN=/a.csv',
    'OFSN LIKE %',
    'OFSN=/a.csv OR RT=RAW',
  ])
    assert.deepEqual(await ask(folder(), other), [], other);
  const wrong = await ask(folder(), 'OFSN=/a.csv AND RT=DIRLST').catch((error: unknown) => error);
  assert.ok(wrong instanceof GarnerError && wrong.code === 'request.invalid');
  assert.ok(JSON.stringify(wrong.details).includes('DIRLIST'));
  const closed = folder({ access: { groups: ['staff'] } });
  assert.deepEqual(await ask(closed, 'OFSN=/a.csv'), []);
  assert.deepEqual(await ask(closed, 'OFSN=/a.csv AND RT=NONSENSE'), [], 'not even what it understands');
  assert.equal((await ask(closed, 'OFSN=/a.csv', { role: 'reader', groups: ['staff'] })).length, 1);
});

function sqlHandler(
  query: string,
  more: Partial<Parameters<typeof createSqlHandler>[0]> = {},
): ProductHandler {
  return createSqlHandler({
    name: 'db',
    file: join(top, 'products.sqlite'),
    query,
    timeoutMs: 20_000,
    maxRows: 3,
    access: PUBLIC,
    ...more,
  });
}

test('rows of a database are a table, or products of their own', async (t) => {
  const db = new DatabaseSync(join(top, 'products.sqlite'));
  db.exec(
    "CREATE TABLE p (id TEXT, target TEXT, n INTEGER, b BLOB, t TEXT); INSERT INTO p VALUES ('a','Io',9007199254740993,x'01ff','image/png'),('b','Io',2,NULL,NULL),('c','Mars',3,x'02','no type')",
  );
  db.close();
  const table = sqlHandler("SELECT id, n FROM p WHERE target = :Target_Name AND id <> ':none' ORDER BY id");
  const single = sqlHandler('SELECT b AS content, id AS name, t AS type FROM p WHERE id = :id');
  const writing = sqlHandler('DELETE FROM p WHERE id = :id RETURNING id');
  const broad = sqlHandler('SELECT a.id FROM p a, p b WHERE a.id > :id');
  const endless = sqlHandler(
    'WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i+1 FROM n) SELECT max(i) AS m FROM n WHERE i <> :id',
    { timeoutMs: 300 },
  );
  t.after(async () => {
    for (const handler of [table, single, writing, broad, endless]) await handler.close?.();
  });
  assert.equal(
    await read((await ask(table, 'TARGET_NAME=Io'))[0]),
    '[{"id":"a","n":"9007199254740993"},{"id":"b","n":2}]\n',
  );
  assert.deepEqual(
    await ask(table, 'TARGET_NAME="Io\' OR 1=1 --"'),
    [],
    'a value is never a part of the statement',
  );
  assert.deepEqual(await ask(table, 'TARGET_NAME=Io AND N=2'), [], 'a condition that it has no place for');
  const [picture, ...more] = await ask(single, 'ID=a');
  assert.deepEqual(
    [picture?.name, picture?.forms[0]?.mediaType, picture?.forms[0]?.size, more.length],
    ['a', 'image/png', 2, 0],
  );
  assert.deepEqual(await ask(single, 'ID=b'), [], 'there is no content');
  assert.equal((await ask(single, 'ID=c'))[0]?.forms[0]?.mediaType, 'application/octet-stream');
  await assert.rejects(ask(writing, 'ID=a'), (error: GarnerError) => error.code === 'source.unreadable');
  assert.equal((await ask(single, 'ID=a')).length, 1, 'nothing was deleted');
  await assert.rejects(ask(broad, 'ID=0'), (error: GarnerError) => error.code === 'query.too-broad');
  await assert.rejects(ask(endless, 'ID=0'), (error: GarnerError) => error.code === 'query.too-broad');
});

test('a service on the web is asked by attributes, and only where it may be', async (t) => {
  const asked: string[] = [];
  const server = createServer((request, response) => {
    asked.push(request.url ?? '');
    if (request.url === '/img/404') response.writeHead(404).end('no');
    else if (request.url === '/img/500') response.writeHead(500).end('broken');
    else if (request.url === '/img/away')
      response.writeHead(302, { location: 'http://[::ffff:10.0.0.1]/' }).end();
    else if (request.url === '/img/round') response.writeHead(302, { location: '/img/round' }).end();
    else
      response
        .writeHead(200, {
          'content-type': 'image/png',
          'content-disposition': 'attachment; filename="p.png"',
        })
        .end('x'.repeat(100));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.after(() => new Promise((resolve) => server.close(resolve)));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/img/{image_id}`;
  const make = (more: object = {}) =>
    createHttpHandler({
      name: 'api',
      url,
      timeoutMs: 5000,
      maxBytes: 1000,
      allowPrivate: true,
      userAgent: 'test',
      access: PUBLIC,
      ...more,
    });
  const [product] = await ask(make(), 'IMAGE_ID="a/b?c"');
  assert.equal(await read(product), 'x'.repeat(100));
  assert.deepEqual([product?.name, product?.forms[0]?.mediaType], ['p.png', 'image/png']);
  assert.deepEqual(asked, ['/img/a%2Fb%3Fc'], 'a value stays one part of the path');
  assert.deepEqual(await ask(make(), 'IMAGE_ID=404'), []);
  assert.deepEqual(await ask(make(), 'OTHER=1'), []);
  const fails = async (handler: ProductHandler, expression: string, code: string) =>
    assert.rejects(
      ask(handler, expression).then(([found]) => read(found)),
      (error: GarnerError) => error.code === code,
      code,
    );
  await fails(make(), 'IMAGE_ID=500', 'http.status');
  await fails(make(), 'IMAGE_ID=round', 'http.redirect');
  await fails(make({ maxBytes: 50 }), 'IMAGE_ID=a', 'http.too-large');
  const before = asked.length;
  await fails(make({ allowPrivate: false }), 'IMAGE_ID=a', 'http.address');
  assert.equal(asked.length, before, 'it was not even asked');
  assert.deepEqual(await ask(make({ access: {} }), 'IMAGE_ID=a'), []);
  assert.equal(fillAddress('https://x.org/{a}/y', new Map([['a', '..']])), undefined);
});
