/** Writes records into the folder of its argument until it is killed, and prints the URI of each synced one. */
import { writeSync } from 'node:fs';
import { responseRecord, writeHttpHead } from './record-draft.ts';
import { openWarcWriter } from './warc-writer.ts';

const [, , folder = ''] = process.argv;
const writer = await openWarcWriter({
  folder,
  prefix: 'endless',
  clock: () => Date.now(),
  maxBytes: 200_000,
  info: [['software', 'test']],
});
const head = writeHttpHead('HTTP/1.1 200 OK', []);
for (let i = 0; ; i++) {
  const uri = `http://example.org/${process.pid}/${i}`;
  const body = Buffer.from(Array.from({ length: 3000 }, (_, j) => (i * j * 31) % 251));
  await writer.append(responseRecord({ targetUri: uri, at: Date.now() }, { head, body }));
  await writer.sync();
  writeSync(1, `${uri}\n`);
}
