import assert from 'node:assert/strict';
import { BlockList } from 'node:net';
import { test } from 'node:test';
import fc from 'fast-check';
import {
  type AddressSet,
  complement,
  intersect,
  NO_ADDRESS,
  parseAddresses,
  toNetworks,
  unite,
} from './address-ranges.ts';

const network = fc
  .tuple(fc.ipV4(), fc.integer({ min: 0, max: 32 }))
  .map(([address, bits]) => `${address}/${bits}`);
const setOf = (texts: readonly string[]): AddressSet =>
  unite(NO_ADDRESS, ...texts.map((text) => parseAddresses(text) ?? NO_ADDRESS));

function blocks(networks: readonly string[]): BlockList {
  const list = new BlockList();
  for (const one of networks) {
    const [address = '', bits] = one.split('/');
    list.addSubnet(address, Number(bits), address.includes(':') ? 'ipv6' : 'ipv4');
  }
  return list;
}

test('sets of addresses say the same as lists of networks, united, intersected and turned round', () => {
  fc.assert(
    fc.property(
      fc.array(network, { maxLength: 5 }),
      fc.array(network, { maxLength: 5 }),
      fc.ipV4(),
      (a, b, address) => {
        const inA = blocks(a).check(address);
        const inB = blocks(b).check(address);
        const has = (set: AddressSet) => blocks(toNetworks(set)).check(address);
        assert.equal(has(unite(setOf(a), setOf(b))), inA || inB);
        assert.equal(has(intersect(setOf(a), setOf(b))), inA && inB);
        assert.equal(has(complement(setOf(a))), !inA);
      },
    ),
    { numRuns: 200 },
  );
});

test('addresses are read in all the ways that Apache writes them', () => {
  const networks = (text: string) => toNetworks(parseAddresses(text) ?? NO_ADDRESS);
  assert.deepEqual(networks('10'), ['10.0.0.0/8']);
  assert.deepEqual(networks('10.1.'), ['10.1.0.0/16']);
  assert.deepEqual(networks('192.168.1.77/255.255.255.0'), ['192.168.1.0/24']);
  assert.deepEqual(networks('0.0.0.0/0.0.0.0'), ['0.0.0.0/0']);
  assert.deepEqual(networks('10.1.2.3'), ['10.1.2.3/32']);
  assert.deepEqual(networks('2001:db8::/32'), ['2001:db8:0:0:0:0:0:0/32']);
  assert.deepEqual(networks('::ffff:1.2.3.4'), ['1.2.3.4/32']);
  for (const text of ['example.org', '10.0.0.0/33', '10.0.0.0/255.0.255.0', '1.2.3.4.5', ''])
    assert.equal(parseAddresses(text), undefined, text);
});
