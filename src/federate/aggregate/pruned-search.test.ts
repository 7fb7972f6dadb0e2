/** The search that leaves out groups by their aggregates finds just what a scan of all products finds. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { ANONYMOUS } from '../../core/access.ts';
import { attributeFields, readAttributeFields } from '../../core/attributes.ts';
import type { Profile } from '../../formats/oodt-profile/profile.ts';
import { listAttributes } from '../../formats/oodt-profile/profile-attributes.ts';
import { fixtureDocument, IndexFixture } from '../../store/sqlite/index/index-fixture.ts';
import { compileProfileTest } from '../profile/match-profile.ts';
import { Aggregate } from './aggregate.ts';
import { possiblyMatches } from './possibly-matches.ts';
import { randomProducts, randomQuery } from './random-profiles.fixture.ts';

const idOf = ({ prof }: Profile) => prof.profId?.[0] ?? '';
const groupOf = ({ elements }: Profile) => elements.at(-1)?.elemValue?.[0] ?? '';

test('for random profiles and random queries with NOT, over the SQLite index', async () => {
  await fc.assert(
    fc.asyncProperty(
      randomProducts,
      fc.array(randomQuery, { minLength: 8, maxLength: 12 }),
      async (products, queries) => {
        const fixture = new IndexFixture([]);
        try {
          const groups = new Map<string, Aggregate>();
          const documents = products.map((product) => {
            const fields = attributeFields(listAttributes(product));
            const group = groups.get(groupOf(product)) ?? new Aggregate(2);
            groups.set(groupOf(product), group);
            group.add(readAttributeFields(fields));
            return fixtureDocument(idOf(product), { source: groupOf(product), fields });
          });
          fixture.commit(documents);
          for (const query of queries) {
            const sources = [...groups].flatMap(([name, group]) =>
              possiblyMatches(group, query) ? name : [],
            );
            const answer =
              sources.length === 0
                ? { hits: [] }
                : await fixture.search.search({ query, sources, limit: 100 }, ANONYMOUS);
            assert.deepEqual(
              answer.hits.map(({ identifier }) => identifier).sort(),
              products.filter(compileProfileTest(query)).map(idOf).sort(),
            );
          }
        } finally {
          fixture.close();
        }
      },
    ),
    { numRuns: 40 },
  );
});
