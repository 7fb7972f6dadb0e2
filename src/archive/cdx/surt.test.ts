import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { surtKey } from './surt.ts';

/** Each row: URLs that share the key. */
const KEYS: readonly (readonly [key: string, ...urls: string[]])[] = [
  [
    'org,example)/',
    'http://example.org',
    'https://www.example.org/',
    'HTTP://WWW2.Example.ORG:80/#top',
    'example.org',
    'http://user:pw@example.org/?',
  ],
  ['org,example:8080)/', 'http://example.org:8080/'],
  ['org,example:443)/', 'http://example.org:443'],
  [
    'org,example)/a/c',
    'http://example.org/A/./b/../c/',
    'http://example.org//a///c',
    'http://example.org/%41/%63',
  ],
  ['org,example)/a%20b', 'http://example.org/a b', 'http://example.org/a%20b', 'http://example.org/a%2520b'],
  ['org,example)/%c3%a9', 'http://example.org/é', 'http://example.org/%C3%A9'],
  ['org,example)/?a&a=1&b=2', 'http://example.org/?b=2&a=1&a'],
  [
    'org,example)/x?q=1',
    'http://example.org/x?q=1&PHPSESSID=0123456789abcdef0123456789abcdef',
    'http://example.org/x?jsessionid=0123456789abcdef0123456789abcdef&q=1',
  ],
  ['org,example)/y.aspx', 'http://example.org/(S(aaaabbbbccccddddeeeeffff))/y.aspx'],
  ['de,xn--bcher-kva)/', 'http://bücher.de/', 'http://xn--bcher-kva.de/'],
  ['4,3,2,1)/', 'http://1.2.3.4/', 'http://16909060/'],
  ['org,archive,www)', 'dns:www.archive.org'],
  ['org,gnu)/a.txt', 'metadata://gnu.org/A.txt'],
  ['urn:x:Y', 'urn:x:Y'],
  ['-', ''],
];

for (const [key, ...urls] of KEYS) {
  test(`${urls.map((url) => JSON.stringify(url)).join(' and ')} have the key ${key}`, () => {
    for (const url of urls) {
      // A session number leaves the ampersand that stood before it, as it does in the archives' own tools.
      assert.equal(surtKey(url).replace(/\?&/, '?').replace(/&$/, ''), key);
    }
  });
}

const folder = fileURLToPath(new URL('../../../../shared/data/archives/', import.meta.url));
const skip = existsSync(folder) ? false : 'the sample archives are not beside the project';

test('keys are equal to those in index files of other tools', { skip }, () => {
  let compared = 0;
  for (const file of [
    'iipc-primer/hello-world.warc.cdx',
    'outbackcdx/test1.cdx',
    'outbackcdx/test2.cdx',
    'solrwayback/IAH-20080430204825-00000-blackbook.warc.gz.cdx',
  ]) {
    for (const line of readFileSync(folder + file, 'utf8').split('\n')) {
      const [key = '', , url = ''] = line.split(' ');
      if (!/^(https?|dns):/.test(url)) continue;
      assert.equal(surtKey(url), key);
      compared++;
    }
  }
  assert.ok(compared > 800, `${compared} compared`);
});
