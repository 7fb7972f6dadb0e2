/**
 * Another process at work on a store, for tests: `commit FOLDER SOURCE BATCHES SIZE` takes in batches of
 * records, `hold FOLDER SOURCE` takes a lease and keeps it, `open FOLDER` only opens. Prints a line for each step.
 */
import { once } from 'node:events';
import { openSqliteStore } from '../../src/store/sqlite/open.ts';
import { FIELDS, makeRecord } from '../contract/store-fixture.ts';

const [action, folder = '', source = '', batches = '0', size = '0'] = process.argv.slice(2);
const store = openSqliteStore({
  folder,
  fields: FIELDS,
  sources: [
    { name: 'samples', access: { public: true } },
    { name: 'others', access: { public: true } },
  ],
  views: [],
  repositoryIdentifier: 'example.org',
});
const say = (line: string) => process.stdout.write(`${line}\n`);

if (action === 'open') say('opened');
else {
  const run = await store.runs.startRun(source, 'import', { resume: true });
  say(`run ${run.id}`);
  // Until the parent lets go of it, or kills it.
  if (action === 'hold') await once(process.stdin.resume(), 'end');
  for (let batch = Number(run.checkpoint ?? 0); batch < Number(batches); batch++) {
    const records = Array.from({ length: Number(size) }, (_, i) => {
      const id = `r${batch}-${i}`;
      return makeRecord(id, `${id} ${'text '.repeat(i % 200)}`, { entry: `e${batch}`, sets: [`s${i % 3}`] });
    });
    const readEntries = [{ entry: `e${batch}`, digest: String(batch), size: 1, modifiedAt: 1 }];
    await store.items.commit({ source, runId: run.id, records, readEntries, checkpoint: batch + 1 });
    say(`committed ${batch}`);
  }
  await store.runs.finishRun(run.id, 'complete');
  say('complete');
}
await store.close();
