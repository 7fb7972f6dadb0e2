/** Apache itself, where it is installed, as the judge of how we read its rules. */
import assert from 'node:assert/strict';
import { execFileSync, spawn } from 'node:child_process';
import { existsSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import type { TestContext } from 'node:test';

const APACHE = ['/usr/sbin/apache2', '/usr/sbin/httpd'].find((path) => existsSync(path));
const MODULES = ['/usr/lib/apache2/modules', '/usr/lib64/httpd/modules'].find((path) => existsSync(path));
const NEEDED = [
  'mpm_event authn_core authn_file authz_core authz_host authz_user authz_groupfile auth_basic access_compat',
  'dir mime rewrite alias remoteip',
]
  .join(' ')
  .split(' ');

export const skipWithoutApache =
  APACHE && MODULES && NEEDED.every((name) => existsSync(`${MODULES}/mod_${name}.so`))
    ? false
    : 'Apache is not installed';

export interface Client {
  readonly address: string;
  readonly user?: string;
}

export const PASSWORD = 'offene Tür';

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const bound = server.address();
  await new Promise((resolve) => server.close(resolve));
  return typeof bound === 'object' && bound ? bound.port : 0;
}

/** Writes `httpd.conf` into the folder, with what a server needs before `conf`, and starts one on it. */
export async function startApache(
  t: TestContext,
  folder: string,
  conf: string,
): Promise<{
  readonly httpdConf: string;
  /** Whether this client gets this content at the path. */
  readonly grants: (path: string, content: string, client: Client) => Promise<boolean>;
}> {
  const httpdConf = join(folder, 'httpd.conf');
  const configure = (port: number) =>
    [
      `ServerRoot ${folder}`,
      'ServerName localhost',
      `Listen 127.0.0.1:${port}`,
      `PidFile ${folder}/pid`,
      `ErrorLog ${folder}/error.log`,
      `DefaultRuntimeDir ${folder}`,
      ...NEEDED.map((name) => `LoadModule ${name}_module ${MODULES}/mod_${name}.so`),
      'User www-data',
      'Group www-data',
      'RemoteIPHeader X-Forwarded-For',
      'RemoteIPInternalProxy 127.0.0.1',
      'TypesConfig /dev/null',
      conf,
    ].join('\n');
  // Somebody else may take the port that was free; then Apache ends, and another one is tried.
  const start = async (tries: number): Promise<number> => {
    const port = await freePort();
    writeFileSync(httpdConf, configure(port));
    execFileSync('chmod', ['-R', 'a+rX', folder]);
    const server = spawn(APACHE ?? '', ['-X', '-f', httpdConf], { stdio: ['ignore', 'inherit', 'inherit'] });
    const ended = new Promise((resolve) => server.once('exit', resolve));
    t.after(async () => {
      server.kill('SIGTERM');
      await ended;
    });
    const pidFile = join(folder, 'pid');
    while (server.exitCode === null && server.signalCode === null) {
      // Whoever else answers at that port does not write the file.
      if (existsSync(pidFile) && (await fetch(`http://127.0.0.1:${port}/`).catch(() => undefined)))
        return port;
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
    assert.ok(tries > 1, 'Apache does not start');
    return start(tries - 1);
  };
  const port = await start(5);
  return {
    httpdConf,
    grants: async (path, content, { address, user }) => {
      const credentials = Buffer.from(`${user}:${PASSWORD}`).toString('base64');
      const response = await fetch(`http://127.0.0.1:${port}${path}`, {
        redirect: 'manual',
        headers: {
          'x-forwarded-for': address,
          ...(user !== undefined && { authorization: `Basic ${credentials}` }),
        },
      });
      const given = await response.text();
      return response.status === 200 && given === content;
    },
  };
}
