/** Random sites for Apache: .htaccess files, sections of the server's configuration, an aliased folder. */
import fc from 'fast-check';

const address = fc.constantFrom('10.1', '10.0.0.0/8', '10.1.2.3', '192.0.2.0/255.255.255.0', '2001:db8::/32');
const requirement: fc.Arbitrary<string> = fc.oneof(
  fc.constant('Require all granted'),
  fc.constant('Require all denied'),
  address.map((text) => `Require ip ${text}`),
  fc.constant('Require valid-user'),
  fc.constantFrom('anna', 'bert').map((name) => `Require user ${name}`),
  fc.constant('Require group staff'),
  fc.constantFrom('Require method GET', 'Require method POST', 'Require expr "%{REQUEST_URI} =~ /a/"'),
);
const negation = fc.oneof(
  address.map((text) => `Require not ip ${text}`),
  fc.constant('Require not user anna'),
);
const lines = (...parts: readonly string[]): string => parts.filter((part) => part !== '').join('\n');
const section = (name: string, args: string, inside: string): string =>
  lines(`<${name}${args === '' ? '' : ` ${args}`}>`, inside, `</${name}>`);

const container = (inner: fc.Arbitrary<string>): fc.Arbitrary<string> =>
  fc.oneof(
    fc.array(inner, { minLength: 1, maxLength: 3 }).map((list) => section('RequireAny', '', lines(...list))),
    fc
      .tuple(fc.array(inner, { minLength: 1, maxLength: 2 }), fc.array(negation, { maxLength: 1 }))
      .map(([list, not]) => section('RequireAll', '', lines(...list, ...not))),
    fc
      .tuple(inner, address)
      .map(([one, text]) =>
        section('RequireAll', '', lines(one, section('RequireNone', '', `Require ip ${text}`))),
      ),
  );

const requires = fc
  .array(fc.oneof(requirement, container(requirement), container(container(requirement))), {
    minLength: 1,
    maxLength: 2,
  })
  .map((list) => lines(...list));
const hosts = (word: string) =>
  fc.array(
    fc.oneof(
      fc.constant(`${word} from all`),
      address.map((text) => `${word} from ${text}`),
    ),
    { maxLength: 2 },
  );
const compat = fc
  .tuple(
    fc.constantFrom('Order deny,allow', 'Order allow,deny', 'Order mutual-failure', ''),
    hosts('Allow'),
    hosts('Deny'),
    fc.constantFrom(
      '',
      'Require valid-user\nSatisfy any',
      'Require valid-user',
      'Satisfy all',
      'Satisfy any',
    ),
  )
  .map(([order, allow, deny, more]) => lines(order, ...allow, ...deny, more));

/** Rules as they stand in a section. */
const plain = fc.oneof({ weight: 3, arbitrary: requires }, { weight: 2, arbitrary: compat });
const rules = fc.oneof(
  { weight: 6, arbitrary: plain },
  { weight: 1, arbitrary: plain.map((text) => section('Limit', 'POST', text)) },
  { weight: 1, arbitrary: plain.map((text) => section('Limit', 'GET', text)) },
  { weight: 1, arbitrary: plain.map((text) => section('LimitExcept', 'GET', text)) },
  { weight: 1, arbitrary: plain.map((text) => section('LimitExcept', 'POST', text)) },
  { weight: 1, arbitrary: plain.map((text) => section('If', '"%{REMOTE_ADDR} =~ /^10/"', text)) },
  {
    weight: 1,
    arbitrary: fc
      .tuple(fc.constantFrom('And', 'Or', 'Off'), requires)
      .map(([how, text]) => lines(`AuthMerging ${how}`, text)),
  },
  { weight: 1, arbitrary: plain.map((text) => section('IfModule', 'mod_authz_core.c', text)) },
  { weight: 1, arbitrary: plain.map((text) => section('IfModule', '!mod_authz_core.c', text)) },
);

const files = fc
  .tuple(
    fc.constantFrom(
      ['Files', '"*.bak"'],
      ['Files', 'a.txt'],
      ['Files', '"[!b].*"'],
      ['Files', '~ "\\.txt$"'],
      ['FilesMatch', '"^a\\.(?:txt|html)$"'],
      ['FilesMatch', '"^[[:alpha:]]+\\.html$"'],
      ['FilesMatch', '"(?i)^A\\.TXT$"'],
    ),
    rules,
  )
  .map(([[name = '', args = ''], text]) => section(name, args, text));

const accessFile = fc.oneof(
  { weight: 4, arbitrary: rules },
  { weight: 3, arbitrary: files },
  { weight: 1, arbitrary: fc.tuple(rules, files).map((both) => lines(...both)) },
  {
    weight: 2,
    arbitrary: fc.constantFrom(
      'RewriteEngine on\nRewriteRule ^sub/ - [F]',
      'RewriteEngine on\nRewriteRule ^sub/a\\.txt$ a.bak [L]',
      'RewriteEngine on\nRewriteCond %{REMOTE_ADDR} !^10\\.\nRewriteRule ^ b.txt [L]',
      'RewriteEngine on\nRewriteCond %{REQUEST_FILENAME} !-f\nRewriteRule ^ missing.php [L]',
      'Options -FollowSymLinks\nRewriteEngine on\nRewriteRule ^nothing$ - [F]',
      'RedirectMatch 410 "/sub/a\\.bak$"',
      'Redirect gone /s0',
      'Require not ip 10.1\nRequire all granted',
      'Require all denied\nRequire all',
      'DirectoryIndex a.txt',
      'Options None',
      'SetHandler nothing-of-the-kind',
      'Order allow,deny\nAllow from env=GREETED',
      'AuthName ""\nRequire valid-user',
      'AuthType None\nRequire valid-user',
      'AuthUserFile passwords\nRequire valid-user',
    ),
  },
);

export interface Site {
  readonly accessFiles: Readonly<Record<'' | 'sub/' | 'aliased/', string | null>>;
  readonly overrides: string;
  /** Sections of the server's configuration: `ROOT` and `URL` stand for the site's folder and address. */
  readonly sections: readonly string[];
}

const SCOPES = [
  ['Directory', 'ROOT/sub'],
  ['Directory', '"ROOT/s*"'],
  ['Directory', '"ROOT/[!x]u?/"'],
  ['Directory', '~ "ROOT/sub"'],
  ['DirectoryMatch', '"ROOT/(?:sub|x)(?:/|$)"'],
  ['DirectoryMatch', '"ROOT/sub$"'],
  ['DirectoryMatch', '"ROOT/sub/$"'],
  ['DirectoryMatch', '"ROOT/sub/a\\.txt$"'],
  ['DirectoryMatch', '"ROOT/.*\\.txt$"'],
  ['Location', 'URL/sub'],
  ['Location', 'URL/sub/'],
  ['Location', 'URL/sub/a.txt'],
  ['Location', '"URL/s*"'],
  ['Location', '"URL/s*/*"'],
  ['Location', '"URL/*.txt"'],
  ['Location', '~ "URL/(?:sub|aliased)/"'],
  ['LocationMatch', '"^URL/(?:sub/)?a\\.(?:txt|html)$"'],
  ['LocationMatch', '"^URL/sub/$"'],
  ['LocationMatch', '"URL/[[:lower:]]+/a"'],
] as const;

const sections = fc.array(
  fc.oneof(
    fc.tuple(fc.constantFrom(...SCOPES), rules).map(([[name, args], text]) => section(name, args, text)),
    fc
      .tuple(fc.constantFrom('"ROOT"', '"ROOT/sub"', '"TARGET"'), files)
      .map(([path, text]) => section('Directory', path, text)),
    rules.map((text) => section('Directory', '"TARGET"', text)),
  ),
  { maxLength: 3 },
);

export const site: fc.Arbitrary<Site> = fc.record({
  accessFiles: fc.record({
    '': fc.option(accessFile),
    'sub/': fc.option(accessFile),
    'aliased/': fc.option(accessFile),
  }),
  overrides: fc.oneof(
    { weight: 3, arbitrary: fc.constant('AllowOverride All') },
    {
      weight: 2,
      arbitrary: fc.constantFrom(
        'AllowOverride None',
        'AllowOverride AuthConfig',
        'AllowOverride Limit',
        'AllowOverride AuthConfig Limit',
        'AllowOverride FileInfo Indexes',
        'AllowOverride Nonfatal=All',
        'AllowOverride AuthConfig Nonfatal=All',
        'AllowOverride None\nAllowOverrideList Require <RequireAll <RequireAny <RequireNone',
        'AllowOverride None\nAllowOverrideList Order Allow Deny Satisfy',
        'AllowOverride Options=FollowSymLinks AuthConfig Limit FileInfo Indexes',
      ),
    },
  ),
  sections,
});
