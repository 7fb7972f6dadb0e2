import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { openFolders, openGarner } from '../../app.ts';
import { type Config, defaultConfig } from '../../core/config.ts';
import { GarnerError } from '../../core/errors.ts';
import { NAME_PATTERN } from '../../core/identifiers.ts';
import { holdHeaps } from '../memory.ts';
import { readConfig } from '../open.ts';
import { showProgress, tellScan } from '../published-folder.ts';
import { tellUpdate } from '../tell-update.ts';
import { type ExitCode, listOption, type OptionValues, textOption, type Verb } from '../verb.ts';

export const exposeVerb: Verb = {
  name: 'expose',
  summary: 'publish the folder of a web site as a repository that can be harvested',
  usage: 'expose FOLDER --url URL [--port N] | expose [SOURCE…] [--once]',
  options: {
    url: { type: 'string', value: 'URL', help: 'the address of the folder on the web' },
    data: {
      type: 'string',
      value: 'FOLDER',
      help: 'where to remember what was published; without it a folder that goes away at the end',
    },
    source: { type: 'string', value: 'NAME', help: 'the name of the source (default: site)' },
    'httpd-conf': { type: 'string', value: 'FILE', help: 'the configuration of the Apache web server' },
    sitemap: {
      type: 'string',
      multiple: true,
      value: 'URL',
      help: 'a sitemap whose pages are published, too',
    },
    'allow-private': { type: 'boolean', help: 'the live site may have a private or loopback address' },
    once: { type: 'boolean', help: 'scan once and end' },
    force: { type: 'boolean', help: 'delete what is gone, however much that is' },
    host: { type: 'string', value: 'ADDRESS', help: 'where to listen (default: 127.0.0.1)' },
    port: { type: 'string', value: 'N', help: 'default: 8080; 0 takes a free one' },
  },
  examples: [
    'garner expose ./public --url https://www.foo.edu/',
    'garner expose /var/www/html --url https://www.foo.edu/ --httpd-conf /etc/apache2/apache2.conf --data ./garner-data',
    'garner expose website --once',
  ],
  async run({ positionals, values, terminal, signal }) {
    const url = textOption(values, 'url');
    const temporary =
      url !== undefined && values.data === undefined ? mkdtempSync(join(tmpdir(), 'garner-')) : undefined;
    try {
      const config =
        url === undefined ? readConfig(values) : folderConfig(positionals, url, values, temporary);
      const names = url === undefined ? positionals : [];
      holdHeaps();
      // The store's threads start while this one still reads the code of the server.
      const [opened, { readPort, serveUntil }, { stderrLog }] = await Promise.all([
        openGarner(config, { threads: true, readers: 1, onUpdate: tellUpdate(terminal) }),
        import('./serve.ts'),
        import('../../http/index.ts'),
      ]);
      await using garner = opened;
      if (!Object.values(config.sources).some(({ kind }) => kind === 'folder'))
        throw new GarnerError(
          'usage.invalid',
          `the config has no source of kind folder; say which: garner ${this.usage}`,
        );
      if (values.once !== true) {
        const port = readPort(textOption(values, 'port')) ?? config.server.port;
        const host = textOption(values, 'host') ?? config.server.host;
        await serveUntil(garner, { host, port }, terminal, signal);
        return 0;
      }
      const folders = openFolders(garner, stderrLog(), names);
      let worst: ExitCode = 0;
      for (const folder of folders.list) {
        const onProgress = showProgress(folder, terminal);
        const report = await folder.scan({ force: values.force === true, signal, onProgress });
        tellScan(folder.source.name, report, terminal);
        if (report.status !== 'complete') worst = 3;
      }
      await folders.stop();
      return worst;
    } finally {
      if (temporary !== undefined) rmSync(temporary, { recursive: true, force: true });
    }
  },
};

/** The one-command form needs no config file. */
function folderConfig(
  positionals: readonly string[],
  url: string,
  values: OptionValues,
  temporary: string | undefined,
): Config {
  const [folder, ...more] = positionals;
  if (folder === undefined || more.length > 0)
    throw new GarnerError('usage.invalid', 'which folder? One, please: garner expose FOLDER --url URL');
  if (!statSync(folder, { throwIfNoEntry: false })?.isDirectory())
    throw new GarnerError('usage.invalid', `${folder} is no folder`);
  const name = textOption(values, 'source') ?? 'site';
  if (!NAME_PATTERN.test(name)) throw new GarnerError('usage.invalid', `"${name}" is no name for a source`);
  const httpdConf = textOption(values, 'httpd-conf');
  return defaultConfig(process.cwd(), {
    repository: { name: URL.parse(url)?.host ?? 'Garner' },
    data: resolve(textOption(values, 'data') ?? temporary ?? 'garner-data'),
    sources: {
      [name]: {
        kind: 'folder',
        path: resolve(folder),
        url,
        sitemaps: [...listOption(values, 'sitemap')],
        allowPrivate: values['allow-private'] === true,
        ...(httpdConf !== undefined && { httpdConf: resolve(httpdConf) }),
      },
    },
  });
}
