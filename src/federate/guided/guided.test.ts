import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import fc from 'fast-check';
import { openPlanetaryGarner, type PlanetaryGarner, PRODUCTS } from '../../../test/planetary-garner.ts';
import { compileProfileTest } from '../profile/match-profile.ts';
import {
  choose,
  queryOf,
  readChoices,
  settledNames,
  withChoices,
  withinChoices,
  writeChoices,
} from './choices.ts';
import { type GuidedForm, mergeForms, regroup, stepWidth } from './form.ts';
import { profilesForm } from './profiles-form.ts';

const products = PRODUCTS.slice(0, 400);

describe('the form of a store', () => {
  let garner: PlanetaryGarner;
  before(async () => {
    garner = await openPlanetaryGarner({ products });
  });
  after(() => garner.close());

  const formOf = async (dis: string): Promise<GuidedForm> => {
    const response = await fetch(
      `${garner.url}/api/guided?${new URLSearchParams({ q: dis, local: 'true' })}`,
    );
    assert.equal(response.status, 200);
    return (await response.json()) as GuidedForm;
  };

  for (const dis of ['', 'MISSION_NAME = GALILEO', 'NOT FILTER_NAME = RED AND ORBIT_NUMBER > 10'])
    test(`counts what a look at every product counts: ${dis || 'everything'}`, async () => {
      const form = await formOf(dis);
      const expected = profilesForm(products.filter(compileProfileTest(queryOf(readChoices(dis)))));
      assert.equal(form.total, expected.total);
      for (const attribute of expected.attributes) {
        const given = form.attributes.find(({ name }) => name === attribute.name);
        assert.ok(given, attribute.name);
        // As many values as there are products are typed, not listed.
        if (attribute.values.length > 0 && given.values.length > 0)
          assert.deepEqual(given.values, attribute.values.slice(0, 100), attribute.name);
        if (attribute.numbers && given.numbers) {
          const width = Math.max(given.numbers.width, attribute.numbers.width);
          assert.deepEqual(regroup(given.numbers.steps, width), regroup(attribute.numbers.steps, width));
        }
        assert.equal(given.numbers === undefined, attribute.numbers === undefined, attribute.name);
        if (attribute.dates)
          assert.deepEqual(
            given.dates?.years.toSorted((a, b) => (a.value < b.value ? -1 : 1)),
            attribute.dates.years.toSorted((a, b) => (a.value < b.value ? -1 : 1)),
          );
      }
    });

  test('of values that are too many to list a reader is asked to type one', async () => {
    const image = (await formOf('')).attributes.find(({ name }) => name === 'IMAGE_ID');
    assert.deepEqual([image?.values, image?.moreValues], [[], true]);
  });

  test('the page shows the levels first, and nothing that all matches share', async () => {
    const headings = async (dis: string) => {
      const text = await (await fetch(`${garner.url}/guided?${new URLSearchParams({ q: dis })}`)).text();
      return [...text.matchAll(/<h3 id="[^"]*">(?:<a [^>]*>)?([^<]*)/g)].map(([, name]) => name);
    };
    assert.deepEqual((await headings('')).slice(0, 2), ['MISSION_NAME', 'DATA_SET_ID']);
    const ofImages = await headings('INSTRUMENT_ID = SSI');
    assert.ok(ofImages.includes('FILTER_NAME'));
    for (const shared of ['MISSION_NAME', 'LINES']) assert.ok(!ofImages.includes(shared), shared);
    // One resource has nothing to be told apart from.
    assert.deepEqual(await headings('IMAGE_ID = 24I0131'), []);
  });

  test('nothing but a mistake is told of an expression that is none', async () => {
    const response = await fetch(`${garner.url}/api/guided?q=${encodeURIComponent('A = ')}`);
    assert.equal(response.status, 400);
  });
});

test('forms of parts add up to the form of the whole, however the parts are cut', () => {
  fc.assert(
    fc.property(fc.array(fc.nat(3), { minLength: 60, maxLength: 60 }), (parts) => {
      const some = products.slice(0, 60);
      const merged = mergeForms(
        [0, 1, 2, 3].map((part) => profilesForm(some.filter((_, i) => parts[i] === part))),
      );
      const whole = profilesForm(some);
      assert.equal(merged.total, whole.total);
      for (const [i, attribute] of whole.attributes.entries()) {
        const given = merged.attributes[i];
        assert.deepEqual(
          [given?.name, given?.present, given?.values],
          [attribute.name, attribute.present, attribute.values],
        );
        if (!attribute.numbers) continue;
        assert.ok(given?.numbers);
        assert.deepEqual(
          [given.numbers.min, given.numbers.max, given.numbers.steps],
          [
            attribute.numbers.min,
            attribute.numbers.max,
            regroup(attribute.numbers.steps, given.numbers.width),
          ],
        );
      }
    }),
    { numRuns: 20 },
  );
});

test('steps are as wide as a power of two, and some sixteen of them are enough', () => {
  fc.assert(
    fc.property(
      fc.double({ min: -1e9, max: 1e9, noNaN: true }),
      fc.double({ min: 0, max: 1e9, noNaN: true }),
      (min, span) => {
        const width = stepWidth(min, min + span);
        assert.ok(Number.isInteger(Math.log2(width)));
        assert.ok((min + span - min) / width <= 16);
      },
    ),
  );
});

test('numbers reach no further than the bounds that were chosen', () => {
  const steps = [{ from: 48, count: 2 }];
  const attribute = {
    name: 'N',
    present: 2,
    values: [],
    moreValues: false,
    numbers: { min: 48, max: 64, width: 16, steps },
  };
  const reach = (dis: string) => {
    const { numbers } = withinChoices(attribute, readChoices(dis));
    return [numbers?.min, numbers?.max];
  };
  assert.deepEqual(reach('n > 60'), [60, 64]);
  assert.deepEqual(reach('N >= 50 AND N < 60.5 AND M < 1'), [50, 60.5]);
  assert.deepEqual(reach('N > 5 AND NOT N > 60 AND N > X'), [48, 64]);
});

test('choices are the parts of the outermost AND, and come back as they were written', () => {
  const choices = readChoices('A = 1 AND (B = 2 OR C = 3) AND NOT D = 4');
  assert.equal(choices.length, 3);
  assert.equal(writeChoices(choices), 'A = 1 AND (B = 2 OR C = 3) AND NOT D = 4');
  assert.deepEqual(readChoices(' '), []);
  assert.deepEqual(queryOf([]), { type: 'all' });
  assert.equal(
    writeChoices(withChoices(choices.slice(0, 1), [choose('A', '=', '1'), choose('E', '>', '5')])),
    'A = 1 AND E > 5',
  );
  assert.deepEqual([...settledNames(choices)], ['A']);
});
