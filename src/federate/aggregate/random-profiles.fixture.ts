/** For tests: small random products and queries about them. */
import fc from 'fast-check';
import type { Profile, ProfileElement } from '../../formats/oodt-profile/profile.ts';
import { COMPARE_OPERATORS, type QueryNode } from '../../query/ast.ts';

const TARGETS = ['IO', 'io', 'GANYMEDE', 'EUROPA', 'VENUS', 'MARS', 'N/A', '42'];
const NUMBERS = ['0', '5', '5.0', '60', '62.5', '195', 'UNK'];
const DATES = ['1996', '1996-06', '1996-06-28', '1996-06-28T10:00:00Z', '2004-02', 'N/A'];

const element = (
  elemName: string,
  elemType: string,
  choices: readonly string[],
): fc.Arbitrary<ProfileElement> =>
  fc
    .oneof(
      { weight: 6, arbitrary: fc.constantFrom(...choices).map((value) => ({ elemValue: [value] })) },
      {
        weight: 2,
        arbitrary: fc
          .uniqueArray(fc.constantFrom(...choices), { minLength: 2, maxLength: 3 })
          .map((elemValue) => ({ elemValue })),
      },
      { weight: 1, arbitrary: fc.constant({}) },
      {
        weight: 1,
        arbitrary: fc
          .constantFrom(['0', '30'], ['5', '100'], ['1995', '1996-06'])
          .map(([min = '', max = '']) => ({ elemMinValue: [min], elemMaxValue: [max] })),
      },
    )
    .map((content) => ({ elemName: [elemName], ...(elemType && { elemType: [elemType] }), ...content }));

const elements = fc
  .tuple(
    fc.option(element('TARGET_NAME', 'CHARACTER', TARGETS), { nil: undefined }),
    fc.option(element('EXPOSURE', '', NUMBERS), { nil: undefined }),
    fc.option(element('START_TIME', 'TIME', DATES), { nil: undefined }),
  )
  .map((given) => given.filter((one) => one !== undefined));

export const randomProducts: fc.Arbitrary<Profile[]> = fc
  .array(fc.tuple(elements, fc.nat(2)), { minLength: 1, maxLength: 12 })
  .map((list) =>
    list.map(([given, set], i) => ({
      prof: { profId: [`p${i}`] },
      res: { Identifier: [`set${set}:${i}`], resClass: ['data.product'] },
      elements: [...given, { elemName: ['DATA_SET_ID'], elemValue: [`set${set}`] }],
    })),
  );

const leaf: fc.Arbitrary<QueryNode> = fc
  .tuple(
    fc.constantFrom('TARGET_NAME', 'exposure', 'START_TIME', 'DATA_SET_ID', 'IDENTIFIER', 'profId', 'NOBODY'),
    fc.constantFrom(...COMPARE_OPERATORS),
    fc.constantFrom(...TARGETS, ...NUMBERS, ...DATES, '%', 'I%', '%o', '_O', 'set1', 'set1:3', 'p2', '1995'),
  )
  .map(([field, operator, value]) => ({ type: 'compare', field, operator, value }));

export const randomQuery: fc.Arbitrary<QueryNode> = fc.letrec<{ node: QueryNode }>((tie) => ({
  node: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    leaf,
    fc
      .tuple(
        fc.constantFrom('and' as const, 'or' as const),
        fc.array(tie('node'), { minLength: 2, maxLength: 3 }),
      )
      .map(([type, of]) => ({ type, of })),
    tie('node').map((of): QueryNode => ({ type: 'not', of })),
  ),
})).node;
