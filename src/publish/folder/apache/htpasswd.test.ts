import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { createPasswords, verifyPassword } from './htpasswd.ts';

/** Made with `openssl passwd` and `openssl dgst`. */
const HASHES = [
  '$apr1$gArNeR12$lxNxtNJeIvjgE5zUkqbU8/',
  '$5$gArNeR12$7tEwH38.FFRV/6jmab6.Mb9U06zDIY0ILdHGk8mthu5',
  '$6$gArNeR12$gx4n5Q88uYqJYpnRAx4ZZ1tPWacPSkUA.obP3uD7nNliWrnkUff.yolSXHkt72ImRoOjdtMfx.CmXMe/SDFp3.',
  '{SHA}wJ9Ro2YSwmTR2Eg2ZJBroMsqtko=',
];

for (const stored of HASHES) {
  test(`a password is known by its hash ${stored.slice(0, 8)}…`, () => {
    assert.equal(verifyPassword('offene Tür', stored), true);
    assert.equal(verifyPassword('offene Tur', stored), false);
  });
}

test('hashes that are not supported open nothing', () => {
  for (const stored of ['$2y$05$abcdefghijklmnopqrstuv', 'rqXexS6ZhobKA', 'plain', '$6$rounds=999999999$a$b'])
    assert.equal(verifyPassword('plain', stored), false);
});

test('a valid user belongs to the group of the file and to a group of his own', (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'garner-htpasswd-'));
  t.after(() => rmSync(folder, { recursive: true }));
  const file = join(folder, 'passwords');
  writeFileSync(file, `# people\nanna:${HASHES[0]}\nbert:$2y$05$unsupported\n`);
  const passwords = createPasswords();
  const all = passwords.userGroup(file);
  assert.deepEqual(passwords.groupsOf('anna', 'offene Tür'), [all, passwords.userGroup(file, 'anna')]);
  assert.equal(passwords.groupsOf('anna', 'falsch'), undefined);
  assert.equal(passwords.userGroup(file, 'bert'), undefined);
  assert.equal(passwords.userGroup(join(folder, 'missing')), undefined);
  writeFileSync(file, 'anna:{SHA}changed\n');
  assert.equal(passwords.groupsOf('anna', 'offene Tür'), undefined, 'a changed file counts at once');
});
