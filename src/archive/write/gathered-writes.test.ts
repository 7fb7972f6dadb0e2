import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { GarnerError } from '../../core/errors.ts';
import { readRecordAt } from '../read/read-record-at.ts';
import { requestRecord, responseRecord, writeHttpHead } from './record-draft.ts';
import { openWarcWriter } from './warc-writer.ts';

const HEAD = writeHttpHead('HTTP/1.1 200 OK', [['Content-Type', 'text/plain']]);

for (const blocking of [false, true])
  test(`what is appended at once lies where it says, exchange by exchange, over many files (${blocking ? 'blocking' : 'not blocking'})`, async (t) => {
    const folder = mkdtempSync(join(tmpdir(), 'garner-gathered-'));
    t.after(() => rmSync(folder, { recursive: true, force: true }));
    const writer = await openWarcWriter({
      folder,
      prefix: 'x',
      clock: () => 0,
      maxBytes: 20_000,
      info: [],
      blocking,
    });
    const exchange = (n: number) => {
      const context = { targetUri: `http://example.org/${n}`, at: n * 1000 };
      // Sizes that are packed here, in the pool, and while they are written.
      const body = n % 50 === 7 ? inPieces(n) : Buffer.alloc((n % 5) * 4000, `${n} `);
      return [
        responseRecord(context, { head: HEAD, body }),
        requestRecord(context, { head: writeHttpHead('GET / HTTP/1.1', []) }),
      ];
    };
    const broken = responseRecord(
      { targetUri: 'http://example.org/broken', at: 0 },
      { head: HEAD, body: failing() },
    );
    const waiting = Array.from({ length: 300 }, (_, n) => writer.append(...exchange(n)));
    const failed = writer.append(broken);
    const after = writer.append(...exchange(300));
    await assert.rejects(failed, { code: 'http.interrupted' });
    const all = [...(await Promise.all(waiting)), await after];
    await writer.close();
    const files = new Set<string>();
    for (const [n, written] of all.entries()) {
      const [response, request] = written;
      assert.ok(response && request);
      assert.equal(response.file, request.file, 'one exchange, one file');
      assert.equal(request.offset, response.offset + response.length, 'one behind the other');
      files.add(response.file);
      for (const { file, offset, type } of written) {
        const record = await readRecordAt(join(folder, file), offset);
        assert.deepEqual([record.targetUri, record.type], [`http://example.org/${n}`, type]);
        await record.close();
      }
    }
    assert.ok(files.size > 3, `${files.size} files`);
  });

async function* inPieces(n: number): AsyncGenerator<Buffer> {
  for (let i = 0; i < 5; i++) yield Buffer.from(`${n} ${i}\n`);
}

async function* failing(): AsyncGenerator<Buffer> {
  yield Buffer.from('some');
  throw new GarnerError('http.interrupted', 'the host is gone');
}
