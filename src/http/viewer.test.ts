import assert from 'node:assert/strict';
import { test } from 'node:test';
import { GarnerError } from '../core/errors.ts';
import type { TokenSpec } from './deps.ts';
import { SESSION_COOKIE, SESSION_MS, writeSession } from './session.ts';
import { readViewer, type ViewerRules } from './viewer.ts';

const KEEPER: TokenSpec = {
  name: 'keeper',
  secret: 'keeper-secret-0123456789',
  role: 'curator',
  groups: ['staff'],
};
const RULES: ViewerRules = { tokens: [KEEPER], trustedProxies: 0, origins: ['https://own.example'] };
const NOW = 1_800_000_000_000;

function read(headers: Record<string, string>, rules: Partial<ViewerRules> = {}, method = 'GET') {
  const request = { method, headers: new Headers(headers), remoteAddress: '10.1.2.3' };
  return readViewer(request, { ...RULES, ...rules }, NOW);
}

const isUnknownToken = (error: unknown) => error instanceof GarnerError && error.code === 'access.token';
const basic = (text: string) => `Basic ${Buffer.from(text).toString('base64')}`;

test('without a token everybody is an anonymous reader with an address', () => {
  assert.deepEqual(read({}), { role: 'reader', groups: [], address: '10.1.2.3' });
});

test('a bearer token and a basic password are the same token', () => {
  const expected = { role: 'curator', groups: ['staff'], token: 'keeper', address: '10.1.2.3' };
  assert.deepEqual(read({ authorization: `Bearer ${KEEPER.secret}` }), expected);
  assert.deepEqual(read({ authorization: basic(`anyone:${KEEPER.secret}`) }), expected);
});

test('an unknown token is refused rather than ignored', () => {
  for (const authorization of [
    'Bearer wrong',
    `Bearer ${KEEPER.secret}x`,
    `Bearer ${KEEPER.secret.slice(1)}`,
    'Bearer',
    basic('keeper'),
    basic('keeper:'),
    'Negotiate abc',
  ])
    assert.throws(() => read({ authorization }), isUnknownToken, authorization);
});

test('a session cookie reads, but never changes anything', () => {
  const cookie = `${SESSION_COOKIE}=${writeSession(KEEPER, NOW)}`;
  assert.equal(read({ cookie }).token, 'keeper');
  assert.equal(read({ cookie }, {}, 'HEAD').token, 'keeper');
  assert.equal(read({ cookie }, {}, 'POST').token, undefined);
});

test('a session ends in time, with its token’s secret, and when anything in it is changed', () => {
  const value = writeSession(KEEPER, NOW);
  const tokenOf = (session: string, tokens = [KEEPER]) =>
    read({ cookie: `${SESSION_COOKIE}=${session}` }, { tokens }).token;
  assert.equal(tokenOf(value), 'keeper');
  assert.equal(tokenOf(writeSession(KEEPER, NOW - SESSION_MS)), undefined);
  assert.equal(tokenOf(value, [{ ...KEEPER, secret: 'another-secret-0123456789' }]), undefined);
  const [name, end, mac] = value.split('.');
  assert.equal(tokenOf(`${name}.${Number(end) + 1}.${mac}`), undefined);
  assert.equal(tokenOf(`${name}.${end}.${mac}x`), undefined);
  assert.equal(tokenOf('garbage'), undefined);
});

test('forwarded addresses count only as far as proxies are trusted', () => {
  const headers = { 'x-forwarded-for': '1.1.1.1, 2.2.2.2, 3.3.3.3' };
  assert.equal(read(headers).address, '10.1.2.3');
  assert.equal(read(headers, { trustedProxies: 1 }).address, '3.3.3.3');
  assert.equal(read(headers, { trustedProxies: 2 }).address, '2.2.2.2');
  assert.equal(read({}, { trustedProxies: 1 }).address, '10.1.2.3');
});

test('a foreign page in a trusted network has no address to read by', () => {
  assert.equal(read({ origin: 'https://evil.example' }).address, undefined);
  assert.equal(read({ origin: 'null' }).address, undefined);
  assert.equal(read({ origin: 'https://own.example' }).address, '10.1.2.3');
});
