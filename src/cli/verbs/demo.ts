import { once } from 'node:events';
import { createServer } from 'node:net';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { filesSources, openGarner } from '../../app.ts';
import { loadConfig } from '../../core/config.ts';
import { takeInPlanets } from '../demo-planets.ts';
import { discoverDemo, markExamples } from '../demo-web/discover-demo.ts';
import { readDemoWeb, readJudgements } from '../demo-web/pages.ts';
import { serveDemoWeb } from '../demo-web/serve-web.ts';
import type { Verb } from '../verb.ts';
import { importOne } from './import.ts';
import { serveUntil } from './serve.ts';

/** Lies beside `src` in the tree and beside `dist` in the published package. */
const DEMO = fileURLToPath(new URL('../../../demo', import.meta.url));
const DEMO_WEB = join(DEMO, 'web');

export const demoVerb: Verb = {
  name: 'demo',
  summary: 'a small collection and a topic, imported, discovered and served, without internet',
  usage: 'demo [--port N]',
  options: { port: { type: 'string', value: 'N', help: 'default: 8080, or a free one when that is taken' } },
  examples: ['garner demo'],
  async run({ values, terminal, signal }) {
    await using web = await serveDemoWeb(readDemoWeb(DEMO_WEB));
    const loaded = loadConfig(join(DEMO, 'garner.yaml'));
    // The package's own folder may be read-only: the store goes to where the user stands.
    const config = { ...loaded, data: resolve('garner-data', 'demo'), net: { hosts: web.hosts } };
    await using garner = await openGarner(config, { threads: true });
    terminal.say('importing the demo collection …');
    for (const source of filesSources(garner, [])) await importOne(garner, source, false, terminal, signal);
    await takeInPlanets(garner);
    markExamples(garner, readJudgements(DEMO_WEB).marks);
    const wanted = values.port === undefined ? config.server.port : Number(values.port);
    await serveUntil(
      garner,
      { host: config.server.host, port: await freePort(wanted, config.server.host) },
      terminal,
      signal,
      (site) => discoverDemo(garner, site, terminal, signal),
    );
    return 0;
  },
};

/** The wanted port, or any free one. */
async function freePort(wanted: number, host: string): Promise<number> {
  const probe = createServer();
  try {
    probe.listen(wanted, host);
    await once(probe, 'listening');
    return wanted;
  } catch {
    return 0;
  } finally {
    probe.close();
  }
}
