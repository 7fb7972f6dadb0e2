/** Other people's readers on our files. */
import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { createReadStream } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { WARCParser } from 'warcio';
import { temporaryFolder } from '../samples.fixture.ts';
import {
  REVISIT_PROFILES,
  requestRecord,
  resourceRecord,
  responseRecord,
  revisitRecord,
  writeHttpHead,
} from './record-draft.ts';
import { openWarcWriter } from './warc-writer.ts';

const AT = Date.UTC(2026, 1, 3, 4, 5, 6);
const HEAD = writeHttpHead('HTTP/1.1 200 OK', [
  ['Content-Type', 'text/html'],
  ['Set-Cookie', 'a=1'],
  ['Set-Cookie', 'b=2'],
]);

async function writeSample(t: TestContext): Promise<string> {
  const folder = await temporaryFolder(t);
  const writer = await openWarcWriter({
    folder,
    prefix: 'sample',
    clock: () => AT,
    info: [['software', 'test']],
  });
  const context = { targetUri: 'http://example.org/ä?b=1&a', at: AT, address: '192.0.2.1' };
  const response = responseRecord(context, { head: HEAD, body: Buffer.from('<html>hello</html>') });
  const request = requestRecord(
    { ...context, concurrentTo: [response.recordId] },
    { head: writeHttpHead('GET / HTTP/1.1', [['Host', 'example.org']]) },
  );
  const [written] = await writer.append(response, request);
  await writer.append(
    revisitRecord(context, HEAD, {
      profile: REVISIT_PROFILES.identicalPayload,
      recordId: response.recordId,
      targetUri: context.targetUri,
      at: AT,
      payloadDigest: written?.payloadDigest ?? '',
    }),
    resourceRecord({ ...context, targetUri: 'urn:screenshot' }, 'image/png', Buffer.alloc(5000, 7)),
  );
  await writer.close();
  return join(folder, written?.file ?? '');
}

test('npm warcio reads our files to the end, with the same blocks', async (t) => {
  const path = await writeSample(t);
  const seen: [string | null, string | null, number][] = [];
  for await (const record of new WARCParser(createReadStream(path))) {
    const payload = await record.readFully(false);
    seen.push([record.warcType ?? null, record.warcTargetURI ?? null, payload.length]);
  }
  assert.deepEqual(seen.slice(1), [
    ['response', 'http://example.org/ä?b=1&a', 18],
    ['request', 'http://example.org/ä?b=1&a', 0],
    ['revisit', 'http://example.org/ä?b=1&a', 0],
    ['resource', 'urn:screenshot', 5000],
  ]);
});

const hasPython = spawnSync('python3', ['-c', 'import warcio']).status === 0;

test('Python warcio finds nothing wrong with our files', {
  skip: hasPython ? false : 'Python warcio is not installed',
}, async (t) => {
  const path = await writeSample(t);
  execFileSync('python3', ['-m', 'warcio.cli', 'check', '-v', path], { encoding: 'utf8' });
  const index = execFileSync('python3', ['-m', 'warcio.cli', 'index', '-f', 'warc-type,offset', path], {
    encoding: 'utf8',
  });
  assert.deepEqual(
    index
      .trim()
      .split('\n')
      .map((line) => /"warc-type": "(\w+)"/.exec(line)?.[1]),
    ['warcinfo', 'response', 'request', 'revisit', 'resource'],
  );
});

test('gunzip unpacks our files', async (t) => {
  const path = await writeSample(t);
  const text = execFileSync('gunzip', ['-c', path], { encoding: 'latin1' });
  assert.equal(text.match(/^WARC\/1\.1\r$/gm)?.length, 5);
});
