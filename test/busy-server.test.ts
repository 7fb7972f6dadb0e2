/** The event loop stays free: /health answers while an import and heavy queries run in the same server. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createSourceIngest, filesSources, openGarner } from '../src/app.ts';
import { defaultConfig } from '../src/core/config.ts';
import { importFiles } from '../src/harvest/files/index.ts';
import { serveGarner } from '../src/http/index.ts';
import { temporaryFolder } from './garner-process.ts';
import { dcRecord, writeFiles } from './sample-records.ts';

test('/health answers throughout a heavy import and heavy queries, without waiting for either', async (t) => {
  const folder = temporaryFolder(t);
  const text = 'broad words about ice and clouds over the sea with many more words to index '.repeat(10);
  const records = Array.from({ length: 20_000 }, (_, i) =>
    dcRecord(`oai:example.org:${i}`, `Record ${i}`, `<dc:description>${i} ${text}</dc:description>`),
  );
  writeFiles(folder, { 'r/many.xml': `<records>${records.join('')}</records>` });
  const config = defaultConfig(folder, { sources: { r: { kind: 'files', path: 'r' } } });
  await using garner = await openGarner(config, { threads: true });
  const server = await serveGarner(garner, { host: '127.0.0.1', port: 0, log: () => {} });
  const ingest = createSourceIngest(garner, 'r');
  try {
    const [source] = filesSources(garner, ['r']);
    assert.ok(source);
    let importing = true;
    const imported = importFiles({ store: garner.store, ingest, formats: garner.formats }, source).finally(
      () => {
        importing = false;
      },
    );
    const queries = (async () => {
      let answered = 0;
      while (importing) {
        const answers = await Promise.all(
          ['ice OR clouds OR sea OR words', 'w*', 'clou~2'].map((q) =>
            fetch(`${server.url}/api/search?q=${encodeURIComponent(q)}&facet=subject`).then(
              (answer) => answer.status,
            ),
          ),
        );
        for (const status of answers) assert.equal(status, 200);
        answered += answers.length;
      }
      return answered;
    })();
    const waits: number[] = [];
    while (importing) {
      const started = performance.now();
      const answer = await fetch(`${server.url}/health`);
      assert.equal(answer.status, 200);
      await answer.arrayBuffer();
      waits.push(performance.now() - started);
    }
    const report = await imported;
    assert.equal(report.counts.added, 20_000);
    assert.ok((await queries) > 0, 'queries were answered during the import');
    waits.sort((a, b) => a - b);
    const at = (share: number) => (waits[Math.floor((waits.length - 1) * share)] ?? 0).toFixed(1);
    t.diagnostic(`${waits.length} health checks: p50 ${at(0.5)} ms, p95 ${at(0.95)} ms, longest ${at(1)} ms`);
    // Not a timing test: had the store shared this thread, only a handful of checks would have fitted in.
    assert.ok(waits.length > 100, `${waits.length} health checks were answered during the import`);
  } finally {
    await ingest.close();
    await server.close();
  }
});
