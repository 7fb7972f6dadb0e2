import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import type { Viewer } from '../../core/access.ts';
import { canonicalRule, isAllowed } from './access-filter.ts';

const reader = (more: Partial<Viewer> = {}): Viewer => ({ role: 'reader', groups: [], ...more });

describe('access rules', () => {
  test('networks match by prefix, in both families, mapped and with zones', () => {
    const rule = { networks: ['10.0.0.0/8', '192.0.2.7', '2001:db8::/32', 'fe80::/10'] };
    const allowed = (address: string) => isAllowed(rule, reader({ address }));
    for (const address of ['10.255.0.1', '::ffff:10.0.0.1', '192.0.2.7', '2001:db8:1::1', 'fe80::1%eth0']) {
      assert.equal(allowed(address), true, address);
    }
    for (const address of [
      '11.0.0.1',
      '192.0.2.8',
      '2001:db9::1',
      '::1',
      'localhost',
      '',
      '10.0.0.1.example.org',
    ]) {
      assert.equal(allowed(address), false, address);
    }
  });

  test('a network that is none matches nobody instead of everybody', () => {
    for (const network of ['', '/0', 'x/8', '10.0.0.0/33', '10.0.0.0/-1', '10.0.0.0/a', '0.0.0.0/0.5']) {
      assert.equal(isAllowed({ networks: [network] }, reader({ address: '10.0.0.1' })), false, network);
    }
  });

  test('an empty rule lets only curators and operators in', () => {
    assert.equal(isAllowed({}, reader({ address: '10.0.0.1', groups: ['a'], token: 't' })), false);
    assert.equal(isAllowed({}, { role: 'curator', groups: [] }), true);
    assert.equal(isAllowed({}, { role: 'operator', groups: [] }), true);
  });

  test('the same rule in other words is the same rule, and decides the same', () => {
    const list = fc.option(fc.array(fc.constantFrom('a', 'b', 'c'), { maxLength: 4 }), { nil: undefined });
    const rule = fc.record({ public: fc.boolean(), groups: list, tokens: list });
    fc.assert(
      fc.property(rule, fc.constantFrom('a', 'b', 'x'), (one, name) => {
        const rules = {
          public: one.public,
          ...(one.groups && { groups: one.groups }),
          ...(one.tokens && { tokens: one.tokens }),
        };
        const shuffled = {
          ...(one.tokens && { tokens: [...one.tokens].reverse() }),
          ...(one.groups && { groups: [...one.groups, ...one.groups].reverse() }),
          public: one.public,
        };
        assert.equal(canonicalRule(rules), canonicalRule(shuffled));
        const read = JSON.parse(canonicalRule(rules)) as object;
        for (const viewer of [reader({ groups: [name] }), reader({ token: name })]) {
          assert.equal(isAllowed(read, viewer), isAllowed(rules, viewer));
        }
      }),
    );
  });
});
