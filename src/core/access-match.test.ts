import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { type AccessRule, ANONYMOUS, OPERATOR, PUBLIC, type Viewer } from './access.ts';
import { isNetwork, mayRead, writeRule } from './access-match.ts';

const from = (address: string): Viewer => ({ ...ANONYMOUS, address });

test('a public rule lets anybody read, an empty one only curators and operators', () => {
  assert.ok(mayRead(PUBLIC, ANONYMOUS));
  assert.ok(!mayRead({}, ANONYMOUS));
  assert.ok(!mayRead({ public: false }, from('10.0.0.1')));
  assert.ok(mayRead({}, { role: 'curator', groups: [] }));
  assert.ok(mayRead({}, OPERATOR));
});

test('any matching list is enough', () => {
  const rule: AccessRule = { groups: ['staff'], tokens: ['partner'], networks: ['10.0.0.0/8'] };
  assert.ok(mayRead(rule, { ...ANONYMOUS, groups: ['guests', 'staff'] }));
  assert.ok(mayRead(rule, { ...ANONYMOUS, token: 'partner' }));
  assert.ok(mayRead(rule, from('10.9.8.7')));
  assert.ok(!mayRead(rule, { ...ANONYMOUS, groups: ['guests'], token: 'other', address: '11.0.0.1' }));
});

const NETWORKS: readonly (readonly [network: string, address: string, inside: boolean])[] = [
  ['192.0.2.0/24', '192.0.2.255', true],
  ['192.0.2.0/24', '192.0.3.0', false],
  ['192.0.2.77/24', '192.0.2.1', true],
  ['192.0.2.1', '192.0.2.1', true],
  ['192.0.2.1', '192.0.2.2', false],
  ['0.0.0.0/0', '203.0.113.9', true],
  ['192.0.2.0/24', '::ffff:192.0.2.5', true],
  ['192.0.2.0/24', '::ffff:c000:0205', true],
  ['192.0.2.0/24', '::ffff:192.0.3.5', false],
  ['::ffff:192.0.2.0/120', '192.0.2.5', true],
  ['::ffff:192.0.2.0/120', '::ffff:192.0.2.5', true],
  ['2001:db8::/32', '2001:db8:1::1', true],
  ['2001:db8::/32', '2001:db9::1', false],
  ['2001:db8::/32', '192.0.2.1', false],
  ['fe80::/10', 'fe80::1%eth0', true],
  ['10.0.0.0/8', 'not an address', false],
];

for (const [network, address, inside] of NETWORKS) {
  test(`${address} is ${inside ? 'inside' : 'outside'} ${network}`, () => {
    assert.equal(mayRead({ networks: [network] }, from(address)), inside);
  });
}

test('an IPv4 network holds exactly the addresses that share its leading bits', () => {
  const word = fc.integer({ min: 0, max: 0xffff_ffff });
  const dotted = (value: number) => [24, 16, 8, 0].map((shift) => (value >>> shift) & 255).join('.');
  fc.assert(
    fc.property(word, word, fc.integer({ min: 0, max: 32 }), (network, flip, bits) => {
      // A flip of a random tail makes near misses and hits about equally likely.
      const address = (network ^ (flip >>> (flip % 33))) >>> 0;
      const shared = bits === 0 || network >>> (32 - bits) === address >>> (32 - bits);
      const rule = { networks: [`${dotted(network)}/${bits}`] };
      assert.equal(mayRead(rule, from(dotted(address))), shared);
      assert.equal(mayRead(rule, from(`::ffff:${dotted(address)}`)), shared);
    }),
  );
});

test('what is no network is said to be none, and opens nothing', () => {
  for (const text of [
    '',
    'localhost',
    '10.0.0.0/33',
    '10.0.0/8',
    '::/129',
    '10.0.0.0/-1',
    '10.0.0.0/8/8',
    '10.0.0.0/',
  ])
    assert.ok(!isNetwork(text), text);
  assert.ok(!mayRead({ networks: ['nonsense'] }, from('10.0.0.1')));
});

test('equal rules are written alike', () => {
  assert.equal(writeRule({ tokens: ['b', 'a', 'b'], groups: [] }), '{"tokens":["a","b"]}');
  assert.equal(
    writeRule({ networks: ['::1'], groups: ['x'] }),
    writeRule({ groups: ['x'], networks: ['::1'], public: false }),
  );
  assert.equal(writeRule({ public: true, groups: ['x'] }), writeRule(PUBLIC));
  assert.equal(writeRule({}), '{}');
});
