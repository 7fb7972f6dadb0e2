import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after, test } from 'node:test';
import type { AccessRule, Viewer } from '../../core/access.ts';
import { mayRead } from '../../core/access-match.ts';
import { createPasswords } from './apache/htpasswd.ts';
import { createFolderAccess } from './folder-access.ts';
import type { FolderSource } from './folder-source.ts';
import { encodeText } from './url-path.ts';
import { FolderWalk } from './walk.ts';

const root = mkdtempSync(join(tmpdir(), 'garner-access-'));
after(() => rmSync(root, { recursive: true, force: true }));

/** `offene Tür` as SHA-1. */
const PASSWORDS = 'anna:{SHA}wJ9Ro2YSwmTR2Eg2ZJBroMsqtko=\nbert:{SHA}wJ9Ro2YSwmTR2Eg2ZJBroMsqtko=\n';

interface Site {
  /** Files below the folder; what is written is their text. */
  readonly files?: Readonly<Record<string, string>>;
  /** ROOT stands for the folder, TOP for the one above it. */
  readonly conf?: string;
  readonly rules?: FolderSource['rules'];
  readonly access?: AccessRule;
}

let number = 0;

function build({ files = {}, conf, rules = [], access = { public: true } }: Site) {
  const top = join(root, String(number++));
  const folder = join(top, 'www');
  mkdirSync(folder, { recursive: true });
  const put = (text: string) => text.replaceAll('ROOT', folder).replaceAll('TOP', top);
  writeFileSync(join(top, 'passwords'), PASSWORDS);
  writeFileSync(join(top, 'groups'), 'staff: anna carl\n');
  for (const [name, text] of Object.entries(files)) {
    const path = name.startsWith('TOP/') ? put(name) : join(folder, name);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, put(text));
  }
  const httpdConf = join(top, 'httpd.conf');
  if (conf !== undefined) writeFileSync(httpdConf, put(conf));
  const passwords = createPasswords();
  const source: FolderSource = {
    name: 'site',
    folder,
    baseUrl: 'https://www.foo.edu/',
    access,
    rules,
    ...(conf !== undefined && { httpdConf }),
    htaccess: true,
    indexNames: ['index.html'],
    sitemaps: [],
    urlLists: [],
    delivery: 'both',
    maxValueBytes: 1000,
    redigestMs: 1000,
    maxDeleteShare: 1,
  };
  const folderAccess = createFolderAccess(source, passwords);
  const decide = async (file: string) => {
    const entry = file.split('/').map(encodeText).join('/');
    const located = await new FolderWalk(folderAccess).locate(entry.slice(0, entry.lastIndexOf('/') + 1));
    assert.ok(located, file);
    return folderAccess.decide(located.rules, entry, file.slice(file.lastIndexOf('/') + 1), 'file');
  };
  return { folder, passwords, folderAccess, decide };
}

const from = (address: string): Viewer => ({ role: 'reader', groups: [], address });

/** Who may read: `all`, `none`, or letters: i inside 10.1.0.0/16, o outside, l loopback, a anna, b bert. */
async function readers(site: Site, file: string): Promise<string> {
  const { passwords, decide } = build(site);
  const { rule } = await decide(file);
  if (!rule) return 'none';
  if (rule.public) return 'all';
  const person = async (name: string): Promise<Viewer> => ({
    role: 'reader',
    groups: (await passwords.groupsOf(name, 'offene Tür')) ?? [],
  });
  const viewers = {
    i: from('10.1.2.3'),
    o: from('192.0.2.1'),
    l: from('127.0.0.1'),
    a: await person('anna'),
    b: await person('bert'),
  };
  return Object.entries(viewers)
    .filter(([, viewer]) => mayRead(rule, viewer))
    .map(([letter]) => letter)
    .join('');
}

const OPEN = '<Directory ROOT>\nRequire all granted\nAllowOverride All\n</Directory>\nDocumentRoot ROOT\n';
const BASIC = 'AuthType Basic\nAuthName x\nAuthUserFile TOP/passwords\nAuthGroupFile TOP/groups\n';
const htaccess = (text: string, folder = ''): Site => ({ files: { [`${folder}.htaccess`]: text } });

const CASES: readonly [name: string, site: Site, file: string, readers: string][] = [
  ['nothing is said', {}, 'a.txt', 'all'],
  ['all denied', htaccess('Require all denied'), 'a.txt', 'none'],
  ['a folder above denies', htaccess('Require all denied'), 'x/y/a.txt', 'none'],
  [
    'a folder below grants again',
    { files: { '.htaccess': 'Require all denied', 'x/.htaccess': 'Require all granted' } },
    'x/a.txt',
    'all',
  ],
  ['another folder denies', htaccess('Require all denied', 'x/'), 'a.txt', 'all'],
  ['a network', htaccess('Require ip 10.1'), 'a.txt', 'i'],
  ['a network and its mask', htaccess('Require ip 10.1.0.0/255.255.0.0 127.0.0.1'), 'a.txt', 'il'],
  [
    'not a network',
    htaccess('<RequireAll>\nRequire all granted\nRequire not ip 10.1\n</RequireAll>'),
    'a.txt',
    'ol',
  ],
  [
    'only negations let nobody in',
    htaccess('<RequireAll>\nRequire not ip 10.1\n</RequireAll>'),
    'a.txt',
    'none',
  ],
  [
    'none of',
    htaccess(
      '<RequireAll>\nRequire all granted\n<RequireNone>\nRequire ip 10.1\nRequire local\n</RequireNone>\n</RequireAll>',
    ),
    'a.txt',
    'o',
  ],
  ['any of', htaccess('<RequireAny>\nRequire ip 10.1\nRequire local\n</RequireAny>'), 'a.txt', 'il'],
  [
    'all of',
    htaccess('<RequireAll>\nRequire ip 10.0.0.0/8\nRequire ip 10.1.0.0/16\n</RequireAll>'),
    'a.txt',
    'i',
  ],
  ['a host is not looked up', htaccess('Require host example.org'), 'a.txt', 'none'],
  ['a host beside a network', htaccess('Require host example.org\nRequire ip 10.1'), 'a.txt', 'i'],
  [
    'not a host cannot be decided',
    htaccess('<RequireAll>\nRequire all granted\nRequire not host evil.example\n</RequireAll>'),
    'a.txt',
    'none',
  ],
  ['an expression', htaccess('Require expr %{TIME_HOUR} -gt 9'), 'a.txt', 'none'],
  ['valid users', htaccess(`${BASIC}Require valid-user`), 'a.txt', 'ab'],
  ['one user', htaccess(`${BASIC}Require user anna`), 'a.txt', 'a'],
  ['a group of users', htaccess(`${BASIC}Require group staff`), 'a.txt', 'none'],
  ['a user or a network', htaccess(`${BASIC}Require user bert\nRequire ip 10.1`), 'a.txt', 'ib'],
  [
    'a user and a network cannot be said',
    htaccess(`${BASIC}<RequireAll>\nRequire user bert\nRequire ip 10.1\n</RequireAll>`),
    'a.txt',
    'none',
  ],
  ['users without a password file', htaccess('AuthType Basic\nRequire valid-user'), 'a.txt', 'none'],
  [
    'digest authentication',
    htaccess('AuthType Digest\nAuthUserFile TOP/passwords\nRequire valid-user'),
    'a.txt',
    'none',
  ],
  ['deny from all', htaccess('Order deny,allow\nDeny from all'), 'a.txt', 'none'],
  ['deny from all but a network', htaccess('Order deny,allow\nDeny from all\nAllow from 10.1'), 'a.txt', 'i'],
  ['deny a network', htaccess('Order allow,deny\nAllow from all\nDeny from 10.1.0.0/16'), 'a.txt', 'ol'],
  ['order alone: allow,deny denies', htaccess('Order allow,deny'), 'a.txt', 'none'],
  ['order alone: deny,allow allows', htaccess('Order deny,allow'), 'a.txt', 'all'],
  [
    'deny from a host',
    htaccess('Order allow,deny\nAllow from all\nDeny from .evil.example'),
    'a.txt',
    'none',
  ],
  [
    'satisfy any',
    htaccess(`${BASIC}Require valid-user\nOrder deny,allow\nDeny from all\nAllow from 10.1\nSatisfy any`),
    'a.txt',
    'iab',
  ],
  [
    'satisfy all',
    htaccess('Require ip 10.1 127.0.0.1\nOrder deny,allow\nDeny from all\nAllow from 10.1'),
    'a.txt',
    'i',
  ],
  ['a file by wildcard', htaccess('<Files "*.bak">\nRequire all denied\n</Files>'), 'a.bak', 'none'],
  ['another file', htaccess('<Files "*.bak">\nRequire all denied\n</Files>'), 'a.txt', 'all'],
  [
    'files by expression',
    htaccess('<FilesMatch "\\.(?:bak|old)$">\nRequire all denied\n</FilesMatch>'),
    'x/a.old',
    'none',
  ],
  ['files by tilde', htaccess('<Files ~ "^secret">\nDeny from all\n</Files>'), 'secret.txt', 'none'],
  [
    'an expression that cannot be read denies',
    htaccess('<FilesMatch "(?R)">\nRequire all denied\n</FilesMatch>'),
    'a.txt',
    'none',
  ],
  [
    'old and new words for two versions',
    htaccess(
      '<IfModule mod_authz_core.c>\nRequire all denied\n</IfModule>\n<IfModule !mod_authz_core.c>\nDeny from all\n</IfModule>',
    ),
    'a.txt',
    'none',
  ],
  [
    'words for old versions only',
    htaccess('<IfModule !mod_authz_core.c>\nDeny from all\n</IfModule>'),
    'a.txt',
    'all',
  ],
  [
    'rules of a module that may be there',
    htaccess('<IfModule mod_strange.c>\nRequire all granted\n</IfModule>'),
    'a.txt',
    'none',
  ],
  [
    'only other methods are limited',
    htaccess('<Limit POST PUT>\nRequire all denied\n</Limit>'),
    'a.txt',
    'all',
  ],
  [
    'all methods but one are limited',
    htaccess('<LimitExcept POST>\nRequire all denied\n</LimitExcept>'),
    'a.txt',
    'none',
  ],
  [
    'an unknown directive beside a restriction',
    htaccess('Require ip 10.1\nMellonEnable auth'),
    'a.txt',
    'none',
  ],
  ['an unknown directive beside a grant', htaccess('Require all granted\nStrangeThing on'), 'a.txt', 'all'],
  ['an unknown directive alone', htaccess('StrangeThing on'), 'a.txt', 'all'],
  [
    'a condition with rules in it',
    htaccess('<If "%{HTTP_HOST} == \'x\'">\nRequire all denied\n</If>'),
    'a.txt',
    'none',
  ],
  ['a file that is not closed', htaccess('<Files x>\nRequire all denied'), 'a.txt', 'none'],
  [
    'forbidden by rewriting',
    htaccess('RewriteEngine on\nRewriteRule ^private/ - [F,L]'),
    'private/a.txt',
    'none',
  ],
  ['rewriting elsewhere', htaccess('RewriteEngine on\nRewriteRule ^private/ - [F,L]'), 'a.txt', 'all'],
  ['gone by redirect', htaccess('RedirectMatch 410 ^/old/'), 'old/a.txt', 'none'],
  ['run instead of sent', htaccess('AddHandler cgi-script .abc'), 'x.abc', 'none'],
  [
    'not granted by the server',
    { conf: '<Directory />\nRequire all denied\n</Directory>\nDocumentRoot ROOT' },
    'a.txt',
    'none',
  ],
  [
    'granted by the server',
    { conf: `<Directory />\nRequire all denied\n</Directory>\n${OPEN}` },
    'a.txt',
    'all',
  ],
  [
    '.htaccess is not read without AllowOverride',
    { conf: 'DocumentRoot ROOT', files: { '.htaccess': 'Require all denied' } },
    'a.txt',
    'all',
  ],
  [
    '.htaccess is read with it',
    { conf: OPEN, files: { 'x/.htaccess': 'Require all denied' } },
    'x/a.txt',
    'none',
  ],
  [
    'a word that AllowOverride does not grant is an error',
    {
      conf: 'DocumentRoot ROOT\n<Directory ROOT>\nAllowOverride FileInfo\n</Directory>',
      files: { '.htaccess': 'Require all granted' },
    },
    'a.txt',
    'none',
  ],
  [
    'another name for .htaccess',
    { conf: `${OPEN}AccessFileName .acl`, files: { '.acl': 'Require all denied' } },
    'a.txt',
    'none',
  ],
  [
    'a folder by wildcard',
    { conf: `${OPEN}<Directory "ROOT/*/private">\nRequire all denied\n</Directory>` },
    'x/private/a.txt',
    'none',
  ],
  [
    'a wildcard does not cross folders',
    { conf: `${OPEN}<Directory "ROOT/*/private">\nRequire all denied\n</Directory>` },
    'x/y/private/a.txt',
    'all',
  ],
  [
    'a folder by expression',
    { conf: `${OPEN}<DirectoryMatch "/private(?:/|$)">\nRequire all denied\n</DirectoryMatch>` },
    'x/private/y/a.txt',
    'none',
  ],
  [
    'an address',
    { conf: `${OPEN}<Location "/private">\nRequire all denied\n</Location>` },
    'private/a.txt',
    'none',
  ],
  [
    'an address is no prefix of names',
    { conf: `${OPEN}<Location "/private">\nRequire all denied\n</Location>` },
    'private2/a.txt',
    'all',
  ],
  [
    'addresses come last',
    {
      conf: `${OPEN}<Directory ROOT/x>\nRequire all denied\n</Directory>\n<LocationMatch "^/x/">\nRequire ip 10.1\n</LocationMatch>`,
    },
    'x/a.txt',
    'i',
  ],
  [
    'merging with and',
    {
      conf: `${OPEN}<Directory ROOT/x>\nAuthMerging And\nRequire ip 10.1\n</Directory>\n<Directory ROOT/x/y>\nAuthMerging And\nRequire ip 10.1.2.3\n</Directory>`,
    },
    'x/y/a.txt',
    'i',
  ],
  [
    'an included file',
    {
      conf: `${OPEN}Include TOP/conf.d/*.conf`,
      files: { 'TOP/conf.d/a.conf': '<Directory ROOT/x>\nRequire all denied\n</Directory>' },
    },
    'x/a.txt',
    'none',
  ],
  [
    'a variable',
    { conf: `Define where ROOT/x\n${OPEN}<Directory \${where}>\nRequire all denied\n</Directory>` },
    'x/a.txt',
    'none',
  ],
  [
    'our host among others',
    {
      conf: `<VirtualHost *:80>\nServerName other.org\n</VirtualHost>\n<VirtualHost *:80>\nServerName www.foo.edu\n${OPEN}<Location /x>\nRequire all denied\n</Location>\n</VirtualHost>`,
    },
    'x/a.txt',
    'none',
  ],
  [
    'scopes of a condition that cannot be decided are denied',
    { conf: `${OPEN}<IfDefine STRANGE>\n<Directory ROOT/x>\nRequire all granted\n</Directory>\n</IfDefine>` },
    'x/a.txt',
    'none',
  ],
  [
    'what is outside of them is not',
    { conf: `${OPEN}<IfDefine STRANGE>\n<Directory ROOT/x>\nRequire all granted\n</Directory>\n</IfDefine>` },
    'y/a.txt',
    'all',
  ],
  [
    'a module that the configuration does not load',
    {
      conf: `LoadModule dir_module m/mod_dir.so\n${OPEN}<IfModule mod_strange.c>\nRequire all denied\n</IfModule>`,
    },
    'a.txt',
    'all',
  ],
  [
    'what another server answers',
    { conf: `${OPEN}ProxyPass /app http://127.0.0.1:9000/` },
    'app/a.txt',
    'none',
  ],
  ['programs', { conf: `${OPEN}ScriptAlias /cgi-bin/ ROOT/cgi-bin/` }, 'cgi-bin/a.txt', 'none'],
  [
    'a handler for files',
    { conf: `${OPEN}<FilesMatch "\\.abc$">\nSetHandler "proxy:unix:/x"\n</FilesMatch>` },
    'a.abc',
    'none',
  ],
  [
    'another folder at the address of a section',
    { conf: `${OPEN}<Location /x>\nAlias TOP/elsewhere\n</Location>` },
    'x/a.txt',
    'none',
  ],
  [
    'another server at the address of a section',
    { conf: `${OPEN}<Location /x>\nProxyPass http://127.0.0.1:9000/\n</Location>` },
    'x/a.txt',
    'none',
  ],
  [
    'a section for a variable of the running server',
    { conf: `${OPEN}<Directory \${WWW}/private>\nRequire all denied\n</Directory>` },
    'a.txt',
    'none',
  ],
  [
    'a section for a variable, without rules',
    { conf: `${OPEN}<Directory \${WWW}/private>\nOptions -Indexes\n</Directory>` },
    'a.txt',
    'all',
  ],
  ['rules in a file that is not found', { conf: `${OPEN}Include TOP/nothing.conf` }, 'a.txt', 'none'],
  ['rules in files that may be missing', { conf: `${OPEN}IncludeOptional TOP/*.nothing` }, 'a.txt', 'all'],
  [
    'rules in files that a variable names',
    { conf: `${OPEN}IncludeOptional \${CONF}/*.conf` },
    'a.txt',
    'none',
  ],
  [
    'single directives that are allowed',
    {
      conf: `${OPEN}<Directory ROOT>\nAllowOverride None\nAllowOverrideList Require\n</Directory>`,
      ...htaccess('Require ip 10.1'),
    },
    'a.txt',
    'i',
  ],
  [
    'an expression of bytes',
    { ...htaccess('Require all denied\n<FilesMatch "^.{5}$">\nRequire all granted\n</FilesMatch>') },
    'ü.txt',
    'none',
  ],
  [
    'a name with a line break',
    htaccess('<FilesMatch "^a.*$">\nRequire all denied\n</FilesMatch>'),
    'a\nb.txt',
    'none',
  ],
  [
    'a rule of ours',
    { rules: [{ match: 'drafts/**', access: { networks: ['10.1.0.0/16'] } }] },
    'drafts/x/a.txt',
    'i',
  ],
  [
    'a rule of ours opens nothing',
    { ...htaccess('Require all denied'), rules: [{ match: '**', access: { public: true } }] },
    'a.txt',
    'none',
  ],
  [
    'the rule of the source',
    { access: { networks: ['10.1.0.0/16', '127.0.0.1'] }, ...htaccess('Require ip 10') },
    'a.txt',
    'i',
  ],
];

for (const [name, site, file, expected] of CASES) {
  test(`${name}: ${expected === '' ? 'nobody' : expected}`, async () => {
    assert.equal(await readers(site, file), expected);
  });
}

test('what is taken as a denial is reported with its file and line', async () => {
  const { decide } = build(htaccess('# first\nRequire ip 10.1\nMellonEnable auth'));
  const { findings } = await decide('a.txt');
  assert.equal(findings.length, 1);
  assert.match(findings[0]?.file ?? '', /\.htaccess$/);
  assert.equal(findings[0]?.line, 3);
  assert.match(findings[0]?.message ?? '', /mellonenable/);
});

test('a changed server configuration is noticed', () => {
  const { folder, folderAccess } = build({ conf: OPEN });
  assert.equal(folderAccess.isStale(), false);
  writeFileSync(join(folder, '../httpd.conf'), `${OPEN}# more\n`);
  assert.equal(folderAccess.isStale(), true);
});
