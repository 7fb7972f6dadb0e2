/**
 * Our reading of Apache's rules against Apache itself, where it is installed: many small sites with random
 * .htaccess files and sections, and odd texts; one server, clients of several addresses and names.
 */
import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { type TestContext, test } from 'node:test';
import fc from 'fast-check';
import type { Viewer } from '../src/core/access.ts';
import { mayRead } from '../src/core/access-match.ts';
import { createPasswords } from '../src/publish/folder/apache/htpasswd.ts';
import { createFolderAccess } from '../src/publish/folder/folder-access.ts';
import { FolderWalk } from '../src/publish/folder/walk.ts';
import { type Client, PASSWORD, skipWithoutApache, startApache } from './apache-server.ts';
import { type Site, site } from './apache-sites.ts';
import { ACCESS_TEXTS } from './apache-texts.ts';
import { temporaryFolder } from './garner-process.ts';

const SITES = 60;

/** Of `PASSWORD`: SHA-1, $apr1$, SHA-crypt, bcrypt; another for the second line of a name. */
const PASSWORDS = `# people
anna:{SHA}wJ9Ro2YSwmTR2Eg2ZJBroMsqtko=
bert:$apr1$gArNeR12$lxNxtNJeIvjgE5zUkqbU8/
carl:$5$gArNeR12$7tEwH38.FFRV/6jmab6.Mb9U06zDIY0ILdHGk8mthu5
dora:$6$gArNeR12$gx4n5Q88uYqJYpnRAx4ZZ1tPWacPSkUA.obP3uD7nNliWrnkUff.yolSXHkt72ImRoOjdtMfx.CmXMe/SDFp3.
emil:$2y$05$GarnerGarnerGarnerGarek.xDIoMhQPkQyPCYGZnKxX0i7.wQEg6
fred:{SHA}2jmj7l5rSw0yVb/vlWAYkK/YBwk=
fred:{SHA}wJ9Ro2YSwmTR2Eg2ZJBroMsqtko=
`;

const CLIENTS: Readonly<Record<string, Client>> = {
  inside: { address: '10.1.2.3' },
  near: { address: '10.200.0.1' },
  outside: { address: '198.51.100.7' },
  six: { address: '2001:db8::1' },
  anna: { address: '198.51.100.8', user: 'anna' },
  bert: { address: '10.1.9.9', user: 'bert' },
};
const MORE_USERS = Object.fromEntries(
  ['carl', 'dora', 'emil', 'fred', 'gone'].map((user): [string, Client] => [
    user,
    { address: '198.51.100.9', user },
  ]),
);

function write(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}

/** Asks Apache and us for every file that we find. Each file holds its own path below `www`. */
async function compare(
  t: TestContext,
  top: string,
  conf: string,
  { clients, story }: { clients: Readonly<Record<string, Client>>; story: (entry: string) => string },
): Promise<{ same: number; stricter: number }> {
  write(join(top, 'passwords'), PASSWORDS);
  write(join(top, 'groups'), 'staff: anna\n');
  const { httpdConf, grants } = await startApache(
    t,
    top,
    [
      `DocumentRoot ${top}/www`,
      '<Directory />\nRequire all denied\n</Directory>',
      ...['www', 'elsewhere'].map(
        (folder) => `<Directory ${top}/${folder}>
          Require all granted
          AuthType Basic
          AuthName x
          AuthUserFile ${top}/passwords
          AuthGroupFile ${top}/groups
        </Directory>`,
      ),
      conf,
    ].join('\n'),
  );
  const passwords = createPasswords();
  const access = createFolderAccess(
    {
      name: 'site',
      folder: join(top, 'www'),
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
  const leaks: string[] = [];
  let same = 0;
  let stricter = 0;
  for await (const file of new FolderWalk(access).walk({ from: '', descend: () => true })) {
    if (file.kind !== 'file') continue;
    const { entry, name, rules, isLink, isIndex } = file;
    const { rule } = access.decide(rules, entry, name, isLink ? 'link' : 'file');
    const url = `/${isIndex ? entry.replace(/[^/]*$/, '') : entry}`;
    for (const [who, client] of Object.entries(clients)) {
      const groups =
        client.user === undefined ? [] : ((await passwords.groupsOf(client.user, PASSWORD)) ?? []);
      const viewer: Viewer = { role: 'reader', groups, address: client.address };
      const ours = rule !== undefined && mayRead(rule, viewer);
      const theirs = await grants(url, entry, client);
      if (ours && !theirs)
        leaks.push(`${who} gets ${url} from us by ${JSON.stringify(rule)}:\n${story(entry)}`);
      if (ours === theirs) same++;
      else stricter++;
    }
  }
  assert.deepEqual(leaks, []);
  t.diagnostic(`${same} decisions alike, ${stricter} stricter than Apache`);
  return { same, stricter };
}

/** The files of one site, and what the server's configuration says of it. */
function makeSite(top: string, number: number, { accessFiles, overrides, sections }: Site): string {
  const root = join(top, `www/s${number}`);
  const target = join(top, `elsewhere/s${number}`);
  for (const file of ['a.txt', 'a.bak', 'b.txt', 'sub/a.txt', 'sub/a.bak', 'sub/index.html'])
    write(join(root, file), `s${number}/${file}`);
  // In the place of the alias: nobody ever gets it.
  write(join(root, 'aliased/a.txt'), 'hidden');
  write(join(target, 'a.txt'), `s${number}/aliased/a.txt`);
  for (const [folder, text] of Object.entries(accessFiles))
    if (text !== null)
      write(folder === 'aliased/' ? join(target, '.htaccess') : join(root, folder, '.htaccess'), text);
  const put = (text: string) =>
    text.replaceAll('ROOT', root).replaceAll('TARGET', target).replaceAll('URL', `/s${number}`);
  return [
    `Alias /s${number}/aliased ${target}`,
    ...[root, target].map((path) => `<Directory ${path}>\n${overrides}\n</Directory>`),
    ...sections.map(put),
  ].join('\n');
}

const numberOf = (entry: string): number => Number(/\d+/.exec(entry)?.[0]);

test('whom we let in Apache lets in, and mostly the same ones', { skip: skipWithoutApache }, async (t) => {
  const top = temporaryFolder(t);
  const sites = fc.sample(site, { numRuns: SITES, seed: 42 });
  const conf = sites.map((one, i) => makeSite(top, i, one)).join('\n');
  const { same, stricter } = await compare(t, top, conf, {
    clients: CLIENTS,
    story: (entry) => JSON.stringify(sites[numberOf(entry)], null, 1),
  });
  assert.ok(
    stricter <= same / 5,
    `${stricter} of ${same + stricter} decisions are stricter than they need be`,
  );
});

test('no .htaccess file is read more generously than by Apache', { skip: skipWithoutApache }, async (t) => {
  const top = temporaryFolder(t);
  for (const [i, text] of ACCESS_TEXTS.entries()) {
    write(join(top, `www/t${i}/.htaccess`), text);
    for (const name of ['a.txt', 'b.txt', 'index.html'])
      write(join(top, `www/t${i}/${name}`), `t${i}/${name}`);
  }
  const { same, stricter } = await compare(
    t,
    top,
    `<Directory ${top}/www>\nAllowOverride All\n</Directory>`,
    {
      clients: {
        inside: { address: '10.1.2.3' },
        outside: { address: '198.51.100.7' },
        ...CLIENTS,
        ...MORE_USERS,
      },
      story: (entry) => ACCESS_TEXTS[numberOf(entry)] ?? entry,
    },
  );
  assert.ok(
    stricter <= same / 5,
    `${stricter} of ${same + stricter} decisions are stricter than they need be`,
  );
});
