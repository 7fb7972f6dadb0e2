/** Takes the README's pictures of the demo portal with Chromium: `npm run pictures`, or some with `-- NAME…`. */
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { chromium } from 'playwright-core';
import { openTopicPipeline } from '../src/app/topic-pipeline.ts';
import { createSourceIngest, filesSources, openGarner } from '../src/app.ts';
import { takeInPlanets } from '../src/cli/demo-planets.ts';
import { DEMO_TOPIC, markExamples } from '../src/cli/demo-web/discover-demo.ts';
import { readDemoWeb, readJudgements } from '../src/cli/demo-web/pages.ts';
import { serveDemoWeb } from '../src/cli/demo-web/serve-web.ts';
import { loadConfig } from '../src/core/config.ts';
import { silentLog } from '../src/core/log.ts';
import { importFiles } from '../src/harvest/files/index.ts';
import { serveGarner } from '../src/http/index.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
const PICTURES = [
  { name: 'home', path: '/', width: 1280, height: 800 },
  { name: 'search', path: '/search?q=ice', width: 1280, height: 800 },
  { name: 'item', path: '/items/ocean/nco-ice-drift', width: 1280, height: 800 },
  { name: 'topic', path: `/topics/${DEMO_TOPIC}`, width: 1280, height: 1000 },
  { name: 'guided', path: '/guided?q=MISSION_NAME+%3D+GALILEO', width: 1280, height: 900 },
  { name: 'phone', path: '/search?q=ice', width: 360, height: 740 },
] as const;

const data = mkdtempSync(join(tmpdir(), 'garner-pictures-'));
const target = join(root, 'docs', 'images');
mkdirSync(target, { recursive: true });
const webFolder = join(root, 'demo', 'web');
const web = await serveDemoWeb(readDemoWeb(webFolder));
const garner = await openGarner(
  { ...loadConfig(join(root, 'demo', 'garner.yaml')), data, net: { hosts: web.hosts } },
  { threads: true },
);
for (const source of filesSources(garner, [])) {
  const ingest = createSourceIngest(garner, source.name);
  await importFiles({ store: garner.store, ingest, formats: garner.formats }, source);
  await ingest.close();
}
await takeInPlanets(garner);
markExamples(garner, readJudgements(webFolder).marks);
const pipeline = openTopicPipeline(garner, silentLog);
await pipeline.run(DEMO_TOPIC);
pipeline[Symbol.dispose]();
const wanted = new Set(process.argv.slice(2));
const server = await serveGarner(garner, { host: '127.0.0.1', port: 0, log: () => {} });
// Profiles are gathered a few seconds after the start.
await setTimeout(8000);
const browser = await chromium.launch({
  executablePath: '/usr/bin/chromium',
  args: ['--no-sandbox', '--disable-gpu'],
});
for (const { name, path, width, height } of PICTURES) {
  if (wanted.size > 0 && !wanted.has(name)) continue;
  const page = await browser.newPage({ viewport: { width, height } });
  await page.goto(server.url + path);
  await page.screenshot({ path: join(target, `${name}.png`) });
  await page.close();
  console.log(`docs/images/${name}.png`);
}
await browser.close();
await server.close();
await garner[Symbol.asyncDispose]();
await web[Symbol.asyncDispose]();
rmSync(data, { recursive: true, force: true });
