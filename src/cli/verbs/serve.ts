import { startWorkflow } from '../../app/run-source.ts';
import { type Garner, openFolders, openGarner } from '../../app.ts';
import { GarnerError } from '../../core/errors.ts';
import { serveGarner, stderrLog } from '../../http/index.ts';
import { holdHeaps } from '../memory.ts';
import { readConfig } from '../open.ts';
import { watchFolder } from '../published-folder.ts';
import { tellUpdate } from '../tell-update.ts';
import type { Terminal } from '../terminal.ts';
import { textOption, type Verb } from '../verb.ts';

export const serveVerb: Verb = {
  name: 'serve',
  summary: 'open the portal and the API',
  usage: 'serve [--host ADDRESS] [--port N]',
  options: {
    host: { type: 'string', value: 'ADDRESS', help: 'default: server.host of the config' },
    port: { type: 'string', value: 'N', help: 'default: server.port of the config; 0 takes a free one' },
  },
  examples: ['garner serve', 'garner serve --port 9000'],
  async run({ values, terminal, signal }) {
    const config = readConfig(values);
    const port = readPort(textOption(values, 'port')) ?? config.server.port;
    holdHeaps();
    await using garner = await openGarner(config, { threads: true, onUpdate: tellUpdate(terminal) });
    await serveUntil(
      garner,
      { host: textOption(values, 'host') ?? config.server.host, port },
      terminal,
      signal,
    );
    return 0;
  },
};

export function readPort(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const port = Number(text);
  if (!Number.isInteger(port) || port < 0 || port > 65535)
    throw new GarnerError('usage.invalid', `"${text}" is no port number`);
  return port;
}

/** Serves until the signal comes, then lets answers under way end, and `beside`, which must not fail. */
export async function serveUntil(
  garner: Garner,
  where: { readonly host: string; readonly port: number },
  terminal: Terminal,
  signal: AbortSignal,
  beside?: (site: string) => Promise<void>,
): Promise<void> {
  const log = stderrLog();
  const folders = openFolders(garner, log);
  const server = await serveGarner(garner, { ...where, log, folders });
  terminal.event({ event: 'serve.listening', url: server.url, archiveUrl: server.archiveUrl });
  terminal.say(`portal   ${server.url}/`);
  terminal.say(`search   ${server.url}/search?q=ice`);
  terminal.say(`API      ${server.url}/api/openapi.json`);
  terminal.say(`OAI-PMH  ${server.url}/oai (for people: ${server.url}/repository)`);
  terminal.say(`archive  ${server.archiveUrl}/ (archived pages alone)`);
  terminal.say('Ctrl-C stops.');
  const besides = beside?.(server.url);
  const workflow = startWorkflow(garner, log);
  for (const folder of folders.list) void watchFolder(folder, terminal);
  if (!signal.aborted)
    await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }));
  await besides;
  await workflow.stop();
  await folders.stop();
  await server.close();
}
