import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseDirectives } from './directives.ts';

test('sections, quotes, continuation lines and comments', () => {
  const { directives, mistakes } = parseDirectives(
    `# a comment
ServerName www.foo.edu
<Directory "/srv/my site">
  Options \\
     Indexes
  <Files "a \\"b\\".txt">
    Require all denied
  </Files>
</Directory>`,
    'httpd.conf',
  );
  assert.deepEqual(mistakes, []);
  const [name, directory] = directives;
  assert.deepEqual([name?.name, name?.args, name?.line], ['servername', ['www.foo.edu'], 2]);
  assert.deepEqual(directory?.args, ['/srv/my site']);
  assert.deepEqual(directory?.children?.[0]?.args, ['Indexes']);
  assert.deepEqual(directory?.children?.[1]?.args, ['a "b".txt']);
  assert.equal(directory?.children?.[1]?.children?.[0]?.line, 7);
});

test('a section that nobody closes keeps what is in it, and is told', () => {
  const { directives, mistakes } = parseDirectives('<Files x>\nRequire all denied', 'f');
  assert.equal(directives[0]?.children?.[0]?.rest, 'all denied');
  assert.match(mistakes[0]?.message ?? '', /never closed/);
});
