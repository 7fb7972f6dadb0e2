import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isPublicAddress } from './public-address.ts';

const PRIVATE = [
  '127.0.0.1',
  '127.9.9.9',
  '0.0.0.0',
  '10.0.0.1',
  '172.31.255.255',
  '192.168.1.1',
  '169.254.169.254',
  '100.64.0.1',
  '224.0.0.1',
  '255.255.255.255',
  '::',
  '::1',
  '::ffff:127.0.0.1',
  '::ffff:7f00:1',
  '::ffff:10.0.0.1',
  '64:ff9b::7f00:1',
  '2002:7f00:1::',
  'fe80::1%eth0',
  'fd00::1',
  'ff02::1',
  'not an address',
];
const PUBLIC = ['8.8.8.8', '172.32.0.1', '192.167.0.1', '2606:4700::1111', '::ffff:8.8.8.8'];

for (const address of PRIVATE)
  test(`${address} is refused`, () => {
    assert.equal(isPublicAddress(address), false);
  });
for (const address of PUBLIC)
  test(`${address} is public`, () => {
    assert.equal(isPublicAddress(address), true);
  });
