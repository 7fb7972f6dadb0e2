/** Product servers as the config names them, over real HTTP. */
import assert from 'node:assert/strict';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { test } from 'node:test';
import { exposeSite } from './expose-site.ts';

test('folders, databases and services of the config answer at /prod, each to whom it may', async () => {
  const top = await mkdtemp(join(tmpdir(), 'garner-products-'));
  const service = createServer((request, response) => {
    response.writeHead(200, { 'content-type': 'text/plain' }).end(`asked ${request.url}`);
  });
  try {
    await mkdir(join(top, 'files'));
    await writeFile(join(top, 'files/a.txt'), 'a file');
    await writeFile(join(top, 'files/large.bin'), Buffer.alloc(20_000_000, 'x'));
    const database = new DatabaseSync(join(top, 'db.sqlite'));
    database.exec("CREATE TABLE t (target TEXT, n); INSERT INTO t VALUES ('Io', 1), ('Io', 2), ('Mars', 3)");
    database.close();
    await new Promise<void>((resolve) => service.listen(0, '127.0.0.1', resolve));
    const { port } = service.address() as AddressInfo;
    const query = 'SELECT n FROM t WHERE target = :target_name ORDER BY n';
    const url = `http://127.0.0.1:${port}/{image_id}`;
    const named = `http://named.example/{named_id}`;
    await using site = await exposeSite(
      {},
      {},
      {
        access: { tokens: { anna: { secret: 'anna-secret-0123456789', role: 'reader', groups: ['staff'] } } },
        net: { hosts: { 'named.example': `127.0.0.1:${port}` } },
        federate: {
          servers: {
            files: { kind: 'folder', path: join(top, 'files') },
            db: { kind: 'sql', file: join(top, 'db.sqlite'), query, access: { groups: ['staff'] } },
            api: { kind: 'http', url, allowPrivate: true },
            named: { kind: 'http', url: named, allowPrivate: true },
            guarded: { kind: 'http', url: `http://127.0.0.1:${port}/{other_id}` },
          },
        },
      },
    );
    const ask = (expression: string, more = '', headers: Record<string, string> = {}) =>
      site.get(`/prod?q=${encodeURIComponent(expression)}${more}`, headers);
    // Whoever goes away early leaves the server as it was.
    const controller = new AbortController();
    const going = await fetch(new URL('/prod?q=OFSN%3D/large.bin', site.url), { signal: controller.signal });
    await going.body?.getReader().read();
    controller.abort();
    assert.equal((await ask('OFSN=/a.txt AND RT=RAW')).text, 'a file');
    assert.equal((await ask('OFSN=/a.txt AND RT=RAW AND FROM=api')).status, 404, 'another one was meant');
    const anna = { authorization: 'Bearer anna-secret-0123456789' };
    assert.equal((await ask('TARGET_NAME=Io')).status, 404);
    assert.equal((await ask('TARGET_NAME=Io', '', anna)).text, '[{"n":1},{"n":2}]\n');
    assert.equal((await ask('TARGET_NAME=Io', '&mime=text/csv', anna)).text, 'n\r\n1\r\n2\r\n');
    assert.equal((await ask('IMAGE_ID="x y"')).text, 'asked /x%20y');
    assert.equal((await ask('NAMED_ID=z')).text, 'asked /z', 'names lead where `net.hosts` says');
    const refused = await ask('OTHER_ID=x');
    assert.equal(refused.status, 403);
    const part = await ask('OFSN=/large.bin', '', { range: 'bytes=19999998-' });
    assert.deepEqual([part.status, part.text], [206, 'xx']);
  } finally {
    service.closeAllConnections();
    await new Promise((resolve) => service.close(resolve));
    await rm(top, { recursive: true });
  }
});
