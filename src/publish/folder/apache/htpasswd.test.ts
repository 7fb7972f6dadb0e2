import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { createPasswords } from './htpasswd.ts';
import { verifyPassword } from './verify-password.ts';

/** Made with `openssl passwd`, `openssl dgst` and, for bcrypt, crypt(3) of libxcrypt. */
const HASHES = [
  '$apr1$gArNeR12$lxNxtNJeIvjgE5zUkqbU8/',
  '$5$gArNeR12$7tEwH38.FFRV/6jmab6.Mb9U06zDIY0ILdHGk8mthu5',
  '$6$gArNeR12$gx4n5Q88uYqJYpnRAx4ZZ1tPWacPSkUA.obP3uD7nNliWrnkUff.yolSXHkt72ImRoOjdtMfx.CmXMe/SDFp3.',
  '{SHA}wJ9Ro2YSwmTR2Eg2ZJBroMsqtko=',
  '$2y$05$GarnerGarnerGarnerGarek.xDIoMhQPkQyPCYGZnKxX0i7.wQEg6',
  '$2b$05$GarnerGarnerGarnerGarek.xDIoMhQPkQyPCYGZnKxX0i7.wQEg6',
  '$2a$05$GarnerGarnerGarnerGarek.xDIoMhQPkQyPCYGZnKxX0i7.wQEg6',
];
/** Of the same password: the old crypt, and bcrypt as nobody should set it. */
const REFUSED = ['ga7tdKcUKnzvU', '$2y$31$GarnerGarnerGarnerGarek.xDIoMhQPkQyPCYGZnKxX0i7.wQEg6'];

for (const stored of HASHES) {
  test(`a password is known by its hash ${stored.slice(0, 8)}…`, async () => {
    assert.equal(await verifyPassword('offene Tür', stored), true);
    assert.equal(await verifyPassword('offene Tur', stored), false);
  });
}

test('a slow hash lets others have their turns', async () => {
  let turns = 0;
  let working = true;
  const others = () => {
    turns++;
    if (working) setImmediate(others);
  };
  setImmediate(others);
  await verifyPassword('offene Tür', '$6$rounds=20000$gArNeR12$x');
  working = false;
  assert.ok(turns > 10, `${turns} turns`);
});

test('hashes that are not supported open nothing', async () => {
  for (const stored of ['$2y$05$abcdefghijklmnopqrstuv', 'rqXexS6ZhobKA', 'plain', '$6$rounds=999999999$a$b'])
    assert.equal(await verifyPassword('plain', stored), false);
  for (const stored of REFUSED) assert.equal(await verifyPassword('offene Tür', stored), false);
});

test('a valid user belongs to the group of the file and to a group of his own', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'garner-htpasswd-'));
  t.after(() => rmSync(folder, { recursive: true }));
  const file = join(folder, 'passwords');
  writeFileSync(file, `# people\nanna:${HASHES[0]}\nbert:${REFUSED[0]}\ncleo:${HASHES[4]}\n`);
  const passwords = createPasswords();
  const all = passwords.userGroup(file);
  assert.deepEqual(await passwords.groupsOf('anna', 'offene Tür'), [all, passwords.userGroup(file, 'anna')]);
  assert.equal(await passwords.groupsOf('anna', 'falsch'), undefined);
  assert.deepEqual(await passwords.groupsOf('cleo', 'offene Tür'), [all, passwords.userGroup(file, 'cleo')]);
  assert.equal(await passwords.groupsOf('cleo', 'falsch'), undefined);
  assert.equal(await passwords.groupsOf('bert', 'offene Tür'), undefined);
  assert.equal(passwords.userGroup(file, 'bert'), undefined);
  assert.equal(passwords.userGroup(join(folder, 'missing')), undefined);
  writeFileSync(file, 'anna:{SHA}changed\n');
  assert.equal(await passwords.groupsOf('anna', 'offene Tür'), undefined, 'a changed file counts at once');
});
