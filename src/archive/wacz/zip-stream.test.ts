import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { test } from 'node:test';
import { promisify } from 'node:util';
import { type Entry, fromBuffer, type ZipFile } from 'yauzl';
import { type StreamedEntry, streamZip } from './zip-stream.ts';

const openZip = promisify<Buffer, { lazyEntries: true }, ZipFile>(fromBuffer);

async function* pieces(...texts: readonly string[]): AsyncGenerator<Uint8Array> {
  for (const text of texts) yield Buffer.from(text);
}

async function* samples(): AsyncGenerator<StreamedEntry> {
  yield { name: 'whole.txt', bytes: Buffer.from('all there') };
  yield { name: 'ä/streamed.txt', bytes: pieces('piece ', 'by ', 'piece'.repeat(20_000)) };
  yield { name: 'empty', bytes: pieces() };
  yield { name: 'last', bytes: Buffer.from('z') };
}

async function readZip(bytes: Buffer): Promise<Record<string, string>> {
  const zip = await openZip(bytes, { lazyEntries: true });
  const found: Record<string, string> = {};
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const read = async (entry: Entry) => {
    const stream = await promisify<Entry, NodeJS.ReadableStream>(zip.openReadStream.bind(zip))(entry);
    found[entry.fileName] = (await buffer(stream)).toString();
    zip.readEntry();
  };
  zip.on('entry', (entry: Entry) => void read(entry).catch(reject));
  zip.on('end', resolve).on('error', reject);
  zip.readEntry();
  await promise;
  return found;
}

test('entries of unknown length are written as they come, and read back', async () => {
  const bytes = await buffer(streamZip(samples(), Date.UTC(2020, 1, 2)));
  assert.ok(bytes.length < 10_000, 'repetition is packed');
  assert.deepEqual(await readZip(bytes), {
    'whole.txt': 'all there',
    'ä/streamed.txt': `piece by ${'piece'.repeat(20_000)}`,
    empty: '',
    last: 'z',
  });
});

test('another program reads it as well', async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'garner-zip-'));
  try {
    const file = join(folder, 'x.zip');
    await writeFile(file, await buffer(streamZip(samples(), 0)));
    try {
      execFileSync('python3', ['--version']);
    } catch {
      return t.skip('no Python');
    }
    const script = 'import sys,zipfile;z=zipfile.ZipFile(sys.argv[1]);print(z.testzip(),len(z.namelist()))';
    assert.equal(execFileSync('python3', ['-c', script, file]).toString().trim(), 'None 4');
  } finally {
    await rm(folder, { recursive: true });
  }
});

test('a stream that breaks off breaks the file off', async () => {
  async function* broken(): AsyncGenerator<StreamedEntry> {
    yield {
      name: 'x',
      bytes: (async function* () {
        yield Buffer.from('a');
        throw new RangeError('gone');
      })(),
    };
  }
  await assert.rejects(buffer(streamZip(broken(), 0)), /gone/);
});
