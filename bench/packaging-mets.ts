/** Site model and METS of a captured site: one row of `bench/packaging.ts`, in a process of its own. */
import { closeSync, createWriteStream, openSync, readSync } from 'node:fs';
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { OPERATOR } from '../src/core/access.ts';
import { checkMetsReferences } from '../src/formats/mets/check-references.ts';
import { metsForm } from '../src/packaging/mets/mets-form.ts';
import { createSiteModels } from '../src/packaging/site-model/site-models.ts';
import { readSnapshot } from '../src/packaging/snapshot/read-snapshot.ts';
import { makeSite, openBenchStore } from './packaging-site.ts';

const [task = '', folder = '', text = ''] = process.argv.slice(2);
const target = join(folder, 'site.mets.xml');
const megabytes = (bytes: number): number => Math.round(bytes / 1e6);
/** Peak of this process; `maxRSS` is in kibibytes. */
const peak = (): number => megabytes(process.resourceUsage().maxRSS * 1024);
const tell = (value: unknown): void => {
  process.stdout.write(`${JSON.stringify(value)}\n`);
};

if (task === 'make') tell({ identifier: await makeSite(folder, Number(text)) });

if (task === 'write') {
  await using store = disposable(await openBenchStore(folder));
  const startedAt = performance.now();
  const models = createSiteModels({ store: store.value, dataFolder: folder });
  const item = { source: 'site', identifier: text };
  const model = await models.openSnapshot(await readSnapshot(store.value, item, {}, OPERATOR), OPERATOR);
  const { facts } = model;
  model[Symbol.dispose]();
  const modelledAt = performance.now();
  const publisher = { name: 'Bench', baseUrl: 'http://bench.example', software: 'bench' };
  const form = metsForm({ store: store.value, dataFolder: folder, models, publisher });
  await pipeline(
    Readable.from(await form.write(item, {}, OPERATOR), { objectMode: false }),
    createWriteStream(target),
  );
  const writtenAt = performance.now();
  tell({
    pages: facts.pages,
    links: facts.links.internal,
    modelSeconds: (modelledAt - startedAt) / 1000,
    metsSeconds: (writtenAt - modelledAt) / 1000,
    metsMegabytes: megabytes((await stat(target)).size),
    peakMegabytes: peak(),
  });
}

if (task === 'check') {
  const startedAt = performance.now();
  const problems = checkMetsReferences(readChunks(target));
  tell({ problems: problems.length, seconds: (performance.now() - startedAt) / 1000, peakMegabytes: peak() });
}

function* readChunks(path: string): Generator<Uint8Array> {
  const file = openSync(path, 'r');
  try {
    const bytes = Buffer.alloc(1 << 20);
    for (let read = readSync(file, bytes); read > 0; read = readSync(file, bytes))
      yield bytes.subarray(0, read);
  } finally {
    closeSync(file);
  }
}

function disposable(value: Awaited<ReturnType<typeof openBenchStore>>) {
  return { value, [Symbol.asyncDispose]: () => value.close() };
}
