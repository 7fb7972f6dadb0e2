/** One crawl for `bench/crawl.ts`, in a process of its own. Argument: JSON of what to crawl and how. */
import { resolve } from 'node:path';
import { openGarner } from '../src/app.ts';
import { defaultConfig } from '../src/core/config.ts';
import { parseCrawl } from '../src/core/crawl-schema.ts';
import { completeSettings, crawlSource } from '../src/crawl/index.ts';

const [, , text = '{}'] = process.argv;
const { folder, seeds, crawl, items } = JSON.parse(text) as {
  folder: string;
  seeds: string[];
  crawl: object;
  /** Whether captures become items that can be searched, too. */
  items: boolean;
};
const config = defaultConfig(resolve(folder), { data: folder });
await using garner = await openGarner(config, { threads: items, readers: 1, extraSources: ['web'] });
const report = await crawlSource(
  {
    store: garner.store,
    folder,
    resolveHost: () => Promise.resolve(['127.0.0.1']),
    ...(items && { fields: garner.formats.fieldSpecs() }),
  },
  'web',
  seeds,
  completeSettings(parseCrawl({ allowPrivate: true, ...crawl }), config.repository),
);
process.stdout.write(
  JSON.stringify({ captures: report.captures, status: report.status, elapsedMs: report.elapsedMs }),
);
