/** Dictionaries for tests: one in the style of planetary archives, and any at all. */
import fc from 'fast-check';
import { REGISTRATION_STATUSES } from './data-element.ts';
import { type DataDictionary, readDictionary } from './dictionary.ts';

export const PLANETARY: DataDictionary = readDictionary({
  identifier: 'planetary',
  title: 'Planetary images',
  elements: [
    {
      name: 'EXPOSURE_DURATION',
      version: '1.0',
      definition: 'How long the detector gathered light.',
      datatype: 'REAL',
      unit: 's',
      registrationStatus: 'superseded',
    },
    {
      name: 'EXPOSURE_DURATION',
      identifier: 'urn:x-planetary:exposure_duration',
      version: '1.10',
      definition: 'The time during which the instrument gathered the data.',
      synonyms: [{ name: 'integration time', context: 'spectrometers' }],
      datatype: 'REAL',
      unit: 'ms',
      minimum: '0',
      maximum: '60000',
      classifications: ['instrument'],
      related: [{ reference: 'INSTRUMENT_ID', relationship: 'attribute of' }],
      registrationStatus: 'standard',
    },
    {
      name: 'FILTER_NAME',
      definition: 'The filter through which an image was taken.',
      datatype: 'CHARACTER',
      maximumSize: 12,
      permissibleValues: [{ value: 'RED', meaning: '671 nm' }, { value: 'GREEN' }, { value: 'CLEAR' }],
    },
    {
      name: 'START_TIME',
      definition: 'When the observation began.',
      datatype: 'TIME',
      minimum: '1989-10',
      maximum: '2003-09',
      layout: 'YYYY-MM-DDThh:mm:ss',
    },
    {
      name: 'TARGET_NAME',
      definition: 'The body that was looked at.',
      datatype: 'CHARACTER',
      minimumSize: 2,
      keywords: ['planet', 'moon'],
    },
    {
      name: 'VIEW_ANGLE',
      version: '2',
      definition: 'An angle that is no longer given.',
      datatype: 'REAL',
      registrationStatus: 'retired',
    },
  ],
});

/** What JSON, XML and CSV find hard to keep, beside ordinary letters. */
const anyText: fc.Arbitrary<string> = fc
  .oneof(
    {
      weight: 1,
      arbitrary: fc.constantFrom(
        '=1+1',
        "'=x",
        "''",
        '-90',
        '@a',
        'a\r\nb',
        'a | b = c',
        '\\',
        '"',
        ']]>',
        'a;b\tc,d',
        '\\|',
      ),
    },
    { weight: 3, arbitrary: fc.string({ unit: 'grapheme', minLength: 1, maxLength: 12 }) },
    { weight: 1, arbitrary: fc.string({ unit: 'binary', minLength: 1, maxLength: 6 }) },
  )
  .map((text) => text.replace(/[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]/g, '').trim())
  .filter((text) => text !== '' && text.isWellFormed());

const anyName = fc.tuple(fc.constantFrom('a', 'B_1', 'ü', '9'), anyText).map(([start, rest]) => start + rest);
const optional = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: undefined, freq: 2 });
const anyTexts = fc.array(anyText, { maxLength: 3 });
const size = fc.nat({ max: 1000 });

const anyElement = fc
  .record({
    name: anyName,
    identifier: optional(anyText),
    version: fc.constantFrom('1', '1.9', '1.10', 'draft'),
    registrationAuthority: optional(anyText),
    synonyms: fc.array(fc.record({ name: anyName, context: optional(anyText) }), { maxLength: 3 }),
    context: optional(anyText),
    definition: anyText,
    classifications: anyTexts,
    keywords: anyTexts,
    related: fc.array(fc.record({ reference: anyText, relationship: optional(anyText) }), { maxLength: 2 }),
    category: optional(anyText),
    form: optional(anyText),
    datatype: fc.constantFrom(undefined, 'CHARACTER', 'own type'),
    minimumSize: optional(size),
    maximumSize: optional(size.map((n) => n + 1000)),
    layout: fc.constantFrom(undefined, 'A(3)-NN', 'YYYYMMDD', "'A'' B'X(1..9)"),
    unit: optional(anyText),
    minimum: optional(anyText.map((text) => `+${text}`)),
    maximum: optional(anyText.map((text) => `\u{10fffd}${text}`)),
    permissibleValues: fc.uniqueArray(fc.record({ value: anyText, meaning: optional(anyText) }), {
      maxLength: 4,
      selector: ({ value }) => value,
    }),
    permissibleName: optional(anyText),
    permissibleReference: optional(anyText),
    permissibleRule: optional(anyText),
    responsibleOrganization: optional(anyText),
    registrationStatus: fc.constantFrom(...REGISTRATION_STATUSES),
    submittingOrganization: optional(anyText),
    comments: optional(anyText),
  })
  .map((element) => JSON.parse(JSON.stringify(element)) as { name: string; version: string });

export const anyDictionary: fc.Arbitrary<DataDictionary> = fc
  .record({
    identifier: fc.constantFrom('planetary', 'x-1', 'A_b'),
    title: anyText,
    elements: fc.array(anyElement, { minLength: 1, maxLength: 5 }),
  })
  .map(({ elements, ...rest }) =>
    readDictionary({
      ...rest,
      // Names differ, whatever they are folded to.
      elements: elements.map((element, i) => ({ ...element, name: `e${i} ${element.name}` })),
    }),
  );
