import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { attributeFields, readAttributeFields } from '../../core/attributes.ts';
import type { Profile } from '../../formats/oodt-profile/profile.ts';
import { listAttributes } from '../../formats/oodt-profile/profile-attributes.ts';
import { readProfiles } from '../../formats/oodt-profile/read-xml.ts';
import { writeProfile } from '../../formats/oodt-profile/write-xml.ts';
import { parseDis } from '../../query/dis/parse-dis.ts';
import { compileProfileTest } from '../profile/match-profile.ts';
import { Aggregate } from './aggregate.ts';
import { aggregateElements, readAggregate } from './gathered-profile.ts';
import { extentOf, possiblyMatches } from './possibly-matches.ts';
import { randomProducts, randomQuery } from './random-profiles.fixture.ts';
import { summaryFromJson, summaryToJson } from './summary-json.ts';

const attributesOf = (profile: Profile) => readAttributeFields(attributeFields(listAttributes(profile)));

function aggregateOf(products: readonly Profile[], limit = 200): Aggregate {
  const aggregate = new Aggregate(limit);
  for (const product of products) aggregate.add(attributesOf(product));
  return aggregate;
}

/** As another server would get it. */
function overTheWire(aggregate: Aggregate): Aggregate {
  const profile: Profile = {
    prof: { profId: ['g'] },
    res: { Identifier: ['set'], resContext: ['x'], resClass: ['system.profileServer.dataSet'] },
    elements: aggregateElements(aggregate),
  };
  const [read] = readProfiles(new TextEncoder().encode(writeProfile(profile)));
  assert.ok(read);
  return readAggregate(read);
}

describe('an aggregate', () => {
  test('never leaves out a product that matches, and is never sure of more than what is', () => {
    fc.assert(
      fc.property(randomProducts, randomQuery, fc.constantFrom(1, 2, 200), (products, query, limit) => {
        const matches = products.map(compileProfileTest(query));
        const whole = aggregateOf(products, limit);
        for (const aggregate of [whole, overTheWire(whole)]) {
          const { some, all } = extentOf(aggregate, query);
          if (matches.includes(true)) assert.ok(some, 'some product matches');
          if (all) assert.ok(!matches.includes(false), 'every product matches');
        }
      }),
      { numRuns: 3000 },
    );
  });

  test('of joined groups tells the same as of all products', () => {
    fc.assert(
      fc.property(
        randomProducts,
        randomQuery,
        fc.nat(12),
        fc.constantFrom(2, 200),
        (products, query, cut, limit) => {
          const joined = aggregateOf(products.slice(0, cut), limit);
          joined.join(aggregateOf(products.slice(cut), limit));
          assert.deepEqual(extentOf(joined, query), extentOf(aggregateOf(products, limit), query));
          assert.equal(joined.products, products.length);
        },
      ),
      { numRuns: 500 },
    );
  });

  test('that is loose is sure of nothing', () => {
    const aggregate = aggregateOf([product('IO', '5')]);
    const query = parseDis('TARGET_NAME = IO').query;
    assert.equal(extentOf(aggregate, query).all, true);
    aggregate.loose = true;
    assert.deepEqual(extentOf(aggregate, query), { some: true, all: false });
  });

  test('without products matches nothing, not even a negation', () => {
    assert.equal(possiblyMatches(new Aggregate(10), parseDis('NOT a = 1').query), false);
  });

  test('survives JSON', () => {
    fc.assert(
      fc.property(randomProducts, fc.constantFrom(1, 200), (products, limit) => {
        for (const summary of aggregateOf(products, limit).attributes.values()) {
          const json = summaryToJson(summary);
          const back = summaryFromJson(JSON.parse(JSON.stringify(json)));
          assert.ok(back);
          assert.deepEqual(summaryToJson(back), json);
        }
      }),
    );
    assert.equal(summaryFromJson({ present: 1, filter: 'AAAA' }), undefined);
    assert.equal(summaryFromJson('garbage'), undefined);
  });
});

function product(target: string, exposure: string, name = target): Profile {
  return {
    prof: { profId: [name] },
    res: { Identifier: [name], resClass: ['data.product'] },
    elements: [
      { elemName: ['TARGET_NAME'], elemType: ['CHARACTER'], elemValue: [target] },
      { elemName: ['EXPOSURE'], elemType: ['REAL'], elemValue: [exposure] },
    ],
  };
}

describe('pruning', () => {
  const many = Array.from({ length: 500 }, (_, i) => product(`T${i}`, String(i), `SET-A:${i}`));
  const cases: readonly (readonly [string, boolean])[] = [
    ['TARGET_NAME = T17', true],
    ['TARGET_NAME = nowhere', false],
    ['IDENTIFIER = SET-A:3', true],
    ['IDENTIFIER = SET-B:3', false],
    ['EXPOSURE > 499', false],
    ['EXPOSURE > 498', true],
    ['EXPOSURE = 60 AND TARGET_NAME = elsewhere', false],
    ['NOT EXPOSURE >= 0', false],
    ['NOT TARGET_NAME = T17', true],
    ['TARGET_NAME > U', false],
    ['TARGET_NAME < A', false],
    ['PHASE_ANGLE > 0', false],
    ['NOT PHASE_ANGLE > 0', true],
  ];
  for (const limit of [20, 1000])
    for (const [dis, expected] of cases)
      test(`${dis}, with at most ${limit} values listed`, () => {
        const aggregate = aggregateOf(many, limit);
        const { query } = parseDis(dis);
        assert.equal(possiblyMatches(aggregate, query), expected);
        assert.equal(possiblyMatches(overTheWire(aggregate), query), expected);
      });

  test('an open element of a foreign server never prunes, and its Required is not believed', () => {
    const foreign = readAggregate({
      prof: {},
      res: { resClass: ['system.profileServer'] },
      elements: [
        { elemName: ['ANY'], elemEnumFlag: ['F'] },
        { elemName: ['PLANET'], elemValue: ['MARS'], elemObligation: ['Required'] },
      ],
    });
    for (const dis of ['ANY = 1', 'NOT ANY = 1', 'PLANET = mars', 'NOT PLANET = MARS'])
      assert.equal(possiblyMatches(foreign, parseDis(dis).query), true, dis);
    assert.equal(possiblyMatches(foreign, parseDis('PLANET = VENUS').query), false);
  });
});
