/**
 * Our reading of Apache's rules against Apache itself, where it is installed: many small folders with random
 * .htaccess files, one server, clients of several addresses and names.
 */
import assert from 'node:assert/strict';
import { execFileSync, spawn } from 'node:child_process';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { test } from 'node:test';
import fc from 'fast-check';
import type { Viewer } from '../src/core/access.ts';
import { mayRead } from '../src/core/access-match.ts';
import { createPasswords } from '../src/publish/folder/apache/htpasswd.ts';
import { createFolderAccess } from '../src/publish/folder/folder-access.ts';
import { FolderWalk } from '../src/publish/folder/walk.ts';
import { temporaryFolder } from './garner-process.ts';

const APACHE = ['/usr/sbin/apache2', '/usr/sbin/httpd'].find((path) => existsSync(path));
const MODULES = ['/usr/lib/apache2/modules', '/usr/lib64/httpd/modules'].find((path) => existsSync(path));
const NEEDED = [
  'mpm_event authn_core authn_file authz_core authz_host authz_user authz_groupfile auth_basic access_compat',
  'dir mime rewrite alias remoteip',
]
  .join(' ')
  .split(' ');
const SITES = 80;
/** `offene Tür` as SHA-1. */
const HASH = '{SHA}wJ9Ro2YSwmTR2Eg2ZJBroMsqtko=';

const address = fc.constantFrom('10.1', '10.0.0.0/8', '10.1.2.3', '192.0.2.0/255.255.255.0', '2001:db8::/32');
const requirement: fc.Arbitrary<string> = fc.oneof(
  fc.constant('Require all granted'),
  fc.constant('Require all denied'),
  address.map((text) => `Require ip ${text}`),
  fc.constant('Require valid-user'),
  fc.constantFrom('anna', 'bert').map((name) => `Require user ${name}`),
  fc.constant('Require group staff'),
  fc.constant('Require method GET'),
);
const negation = fc.oneof(
  address.map((text) => `Require not ip ${text}`),
  fc.constant('Require not user anna'),
);
const container = (inner: fc.Arbitrary<string>): fc.Arbitrary<string> =>
  fc.oneof(
    fc
      .array(inner, { minLength: 1, maxLength: 3 })
      .map((list) => `<RequireAny>\n${list.join('\n')}\n</RequireAny>`),
    fc
      .tuple(fc.array(inner, { minLength: 1, maxLength: 2 }), fc.array(negation, { maxLength: 1 }))
      .map(([list, not]) => `<RequireAll>\n${[...list, ...not].join('\n')}\n</RequireAll>`),
    fc
      .tuple(inner, address)
      .map(
        ([one, text]) =>
          `<RequireAll>\n${one}\n<RequireNone>\nRequire ip ${text}\n</RequireNone>\n</RequireAll>`,
      ),
  );
const rules = fc.oneof(
  {
    weight: 3,
    arbitrary: fc
      .array(fc.oneof(requirement, container(requirement), container(container(requirement))), {
        minLength: 1,
        maxLength: 2,
      })
      .map((list) => list.join('\n')),
  },
  {
    weight: 2,
    arbitrary: fc
      .tuple(
        fc.constantFrom('Order deny,allow', 'Order allow,deny'),
        fc.array(
          fc.oneof(
            fc.constant('Allow from all'),
            address.map((text) => `Allow from ${text}`),
          ),
          { maxLength: 2 },
        ),
        fc.array(
          fc.oneof(
            fc.constant('Deny from all'),
            address.map((text) => `Deny from ${text}`),
          ),
          { maxLength: 2 },
        ),
        fc.constantFrom('', 'Require valid-user\nSatisfy any', 'Require valid-user', 'Satisfy all'),
      )
      .map(([order, allow, deny, more]) => [order, ...allow, ...deny, more].join('\n')),
  },
);
const scoped = fc.oneof(
  rules,
  rules.map((text) => `<Files "*.bak">\n${text}\n</Files>`),
  rules.map((text) => `<FilesMatch "^a\\.(?:txt|html)$">\n${text}\n</FilesMatch>`),
  rules.map((text) => `AuthMerging And\n${text}`),
  rules.map((text) => `<IfModule mod_authz_core.c>\n${text}\n</IfModule>`),
  rules.map((text) => `<IfModule !mod_authz_core.c>\n${text}\n</IfModule>`),
  rules.map((text) => `<Limit POST>\n${text}\n</Limit>`),
  fc.constant('RewriteEngine on\nRewriteRule ^sub/ - [F]'),
  fc.constant('RedirectMatch 410 "/sub/a\\.bak$"'),
);
const tree = fc.record({ top: fc.option(scoped), sub: fc.option(scoped), conf: fc.option(rules) });

const FILES = ['a.txt', 'a.bak', 'sub/a.txt', 'sub/a.bak'];
const CLIENTS: Readonly<Record<string, { readonly address: string; readonly user?: string }>> = {
  inside: { address: '10.1.2.3' },
  near: { address: '10.200.0.1' },
  outside: { address: '198.51.100.7' },
  six: { address: '2001:db8::1' },
  anna: { address: '198.51.100.8', user: 'anna' },
  bert: { address: '10.1.9.9', user: 'bert' },
};

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const bound = server.address();
  await new Promise((resolve) => server.close(resolve));
  return typeof bound === 'object' && bound ? bound.port : 0;
}

const skip =
  APACHE && MODULES && NEEDED.every((name) => existsSync(`${MODULES}/mod_${name}.so`))
    ? false
    : 'Apache is not installed';

test('whom we let in Apache lets in, and where we are sure the same ones', { skip }, async (t) => {
  const top = temporaryFolder(t);
  const root = join(top, 'www');
  const sites = fc.sample(tree, { numRuns: SITES, seed: 42 });
  const port = await freePort();
  const basic = `AuthType Basic\nAuthName x\nAuthUserFile ${top}/passwords\nAuthGroupFile ${top}/groups\n`;
  writeFileSync(join(top, 'passwords'), `anna:${HASH}\nbert:${HASH}\n`);
  writeFileSync(join(top, 'groups'), 'staff: anna\n');
  let conf = `ServerRoot ${top}\nServerName localhost\nListen 127.0.0.1:${port}\nPidFile ${top}/pid\nErrorLog ${top}/error.log\nDefaultRuntimeDir ${top}\nDocumentRoot ${root}\n`;
  conf += NEEDED.map((name) => `LoadModule ${name}_module ${MODULES}/mod_${name}.so\n`).join('');
  conf +=
    'User www-data\nGroup www-data\nRemoteIPHeader X-Forwarded-For\nRemoteIPInternalProxy 127.0.0.1\nTypesConfig /dev/null\n';
  conf += `<Directory />\nRequire all denied\n</Directory>\n<Directory ${root}>\nRequire all granted\nAllowOverride All\n${basic}</Directory>\n`;
  for (const [i, site] of sites.entries()) {
    mkdirSync(join(root, `s${i}/sub`), { recursive: true });
    for (const file of FILES) writeFileSync(join(root, `s${i}`, file), 'x');
    if (site.top !== null) writeFileSync(join(root, `s${i}/.htaccess`), site.top);
    if (site.sub !== null) writeFileSync(join(root, `s${i}/sub/.htaccess`), site.sub);
    if (site.conf !== null) conf += `<Location /s${i}/sub>\n${site.conf}\n</Location>\n`;
  }
  const httpdConf = join(top, 'httpd.conf');
  writeFileSync(httpdConf, conf);
  execFileSync('chmod', ['-R', 'a+rX', top]);
  const server = spawn(APACHE ?? '', ['-X', '-f', httpdConf], { stdio: ['ignore', 'inherit', 'inherit'] });
  const ended = new Promise((resolve) => server.once('exit', resolve));
  t.after(async () => {
    server.kill('SIGTERM');
    await ended;
  });

  const passwords = createPasswords();
  const access = createFolderAccess(
    {
      name: 'site',
      folder: root,
      baseUrl: 'http://localhost/',
      access: { public: true },
      rules: [],
      httpdConf,
      htaccess: true,
      indexNames: ['index.html'],
      sitemaps: [],
      urlLists: [],
      delivery: 'both',
      maxValueBytes: 0,
      redigestMs: 0,
      maxDeleteShare: 1,
    },
    passwords,
  );
  const answers = async (path: string, client: { address: string; user?: string }): Promise<boolean> => {
    const credentials = Buffer.from(`${client.user}:offene Tür`).toString('base64');
    const response = await fetch(`http://127.0.0.1:${port}${path}`, {
      headers: {
        'x-forwarded-for': client.address,
        ...(client.user && { authorization: `Basic ${credentials}` }),
      },
    });
    await response.arrayBuffer();
    return response.status === 200;
  };
  for (let tries = 0; ; tries++) {
    if (await fetch(`http://127.0.0.1:${port}/`).catch(() => undefined)) break;
    assert.ok(tries < 100, 'Apache did not start');
    await new Promise((resolve) => setTimeout(resolve, 100));
  }

  let same = 0;
  let stricter = 0;
  for (const [i, site] of sites.entries()) {
    for (const file of FILES) {
      const entry = `s${i}/${file}`;
      const cut = entry.lastIndexOf('/') + 1;
      const folder = await new FolderWalk(access).locate(entry.slice(0, cut));
      assert.ok(folder);
      const { rule } = access.decide(folder.rules, entry, entry.slice(cut), 'file');
      for (const [name, client] of Object.entries(CLIENTS)) {
        const groups =
          client.user === undefined ? [] : ((await passwords.groupsOf(client.user, 'offene Tür')) ?? []);
        const viewer: Viewer = { role: 'reader', groups, address: client.address };
        const ours = rule !== undefined && mayRead(rule, viewer);
        const theirs = await answers(`/${entry}`, client);
        const story = `${name} at ${file}: Apache ${theirs}, we ${ours} (${JSON.stringify(rule)})\n${JSON.stringify(site, null, 1)}`;
        assert.ok(theirs || !ours, story);
        if (ours === theirs) same++;
        else stricter++;
      }
    }
  }
  t.diagnostic(`${same} decisions alike, ${stricter} stricter than Apache`);
  assert.ok(
    stricter <= same / 10,
    `${stricter} of ${same + stricter} decisions are stricter than they need be`,
  );
});
