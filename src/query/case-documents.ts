/** The documents that the semantics cases (`cases.ts`) are asked of. Data only, for every back end. */
import type { FieldSpec, Fields, FieldType, FieldValue, Instant } from '../core/model.ts';
import { makeIndexDocument } from './index-document.ts';
import type { MatchDocument } from './matcher.ts';

const field = (name: string, type: FieldType, more: Partial<FieldSpec> = {}): FieldSpec => ({
  name,
  type,
  label: name,
  stored: true,
  indexed: true,
  tokenised: type === 'text',
  stemmed: type === 'text',
  facet: false,
  weight: 1,
  ...more,
});

export const CASE_FIELDS: readonly FieldSpec[] = [
  field('title', 'text', { weight: 4 }),
  field('abstract', 'text', { weight: 2 }),
  field('author', 'string', { tokenised: true, facet: true }),
  field('subject', 'string', { facet: true }),
  field('code', 'string'),
  field('link', 'uri'),
  field('homepage', 'uri', { tokenised: true }),
  field('depth', 'number'),
  field('sample', 'number'),
  field('date', 'date', { facet: true }),
  field('period', 'interval'),
  field('bbox', 'bbox'),
  field('internal', 'string', { indexed: false }),
];

interface CaseDocument {
  readonly id: string;
  readonly source?: string;
  readonly fields?: Fields;
  /** Text nodes of the record beside its field values. */
  readonly text?: readonly string[];
  readonly sets?: readonly string[];
  readonly views?: readonly string[];
  readonly schema?: string;
  readonly updatedAt?: Instant;
}

const box = (west: number, south: number, east: number, north: number) => ({ west, south, east, north });

const DOCUMENTS = {
  words: [
    {
      id: 'w1',
      fields: {
        title: ['Sea level rise in the North Atlantic'],
        abstract: ['Measured levels of the sea rise by three millimetres a year.'],
        author: ['Müller, Anna', 'Ó Briain, Seán'],
      },
      text: ['Draft version'],
    },
    {
      id: 'w2',
      fields: {
        title: ['Ice cores from Greenland'],
        abstract: ['An ice core was drilled in 1993. The drilling reached bedrock.'],
        author: ['Smith, John'],
      },
    },
    {
      id: 'w3',
      fields: {
        title: ['Drought in the Sahel'],
        abstract: ['Rainfall indices of the Sahel.'],
        author: ['Smithson, Joan'],
      },
      text: ['sea', 'level'],
    },
    {
      id: 'w4',
      fields: { title: ['海氷と海面'], abstract: ['北極の海氷 extent'], author: ['山田 太郎'] },
    },
    {
      id: 'w5',
      fields: {
        title: ['Café crème à la carte'],
        abstract: ['Straße, Ærø, Łódź and naïve façades'],
      },
    },
    {
      id: 'w6',
      fields: {
        title: ['The level of the sea'],
        abstract: ['Sea surface and mean level; sea-level pressure.'],
        author: ['de la Cruz, María', 'Anna Level'],
      },
    },
    {
      id: 'w7',
      fields: {
        title: ['Cloud climatology'],
        abstract: ['Clouds over oceans, series ISCCP-H of 10.1234/abc.5'],
        author: ['Rossow, W. B.'],
      },
      text: ['Draft', 'colour'],
    },
    { id: 'w8', text: ['orphan record'] },
  ],
  values: [
    {
      id: 'oai:alpha.example.org:1',
      source: 'alpha',
      fields: {
        subject: ['Oceanography', 'Sea Ice'],
        code: ['AB-1'],
        link: ['https://example.org/data/1'],
        homepage: ['https://polar.example.org/stations'],
        depth: [5],
        sample: [1, 10, 100],
      },
      sets: ['ocean'],
      views: ['polar'],
      schema: 'iso19139',
      updatedAt: Date.UTC(2026, 2, 1, 12),
    },
    {
      id: 'a/b:c?d=..',
      source: 'alpha',
      fields: { subject: ['oceanography'], code: ['ab-1'], depth: [-3.5], sample: [20] },
      sets: ['ocean', 'ocean:deep'],
      schema: 'oai_dc',
      updatedAt: Date.UTC(2026, 2, 2),
    },
    {
      id: 'v3',
      source: 'beta',
      fields: { subject: ['Océanographie'], code: ['AB-10'], depth: [0] },
      schema: 'dif',
      updatedAt: Date.UTC(2026, 5, 1),
    },
    {
      id: 'v4',
      source: 'gamma',
      fields: {
        subject: ['Sea  Ice extent'],
        code: ['b*c'],
        link: ['http://EXAMPLE.org/data/2?x=1&y=2'],
        depth: [1200.25],
        sample: [-1, 1_000_000],
      },
      sets: ['ice'],
      schema: 'iso19139',
      updatedAt: Date.UTC(2026, 5, 30, 23, 59, 59, 999),
    },
    { id: 'v5', source: 'beta', updatedAt: Date.UTC(2025, 11, 31, 23, 59, 59), text: ['bare'] },
    {
      id: 'v6',
      source: 'gamma',
      fields: { subject: ['空'], code: ['Zürich', 'zebra'], depth: [5.0000001] },
      views: ['polar', 'swiss'],
      updatedAt: Date.UTC(2026, 6, 1),
    },
  ],
  dates: [
    { id: 'year', fields: { date: ['2004'] } },
    { id: 'month', fields: { date: ['2004-06'] } },
    { id: 'day', fields: { date: ['2004-06-15'] } },
    { id: 'second', fields: { date: ['2004-06-15T12:00:00Z'] } },
    { id: 'two', fields: { date: ['1999-12-31', '2010-01'] } },
    { id: 'old', fields: { date: ['0044-03-15'] } },
    { id: 'none' },
  ],
  periods: [
    { id: 'closed', fields: { period: [{ start: '2000', end: '2005' }] } },
    { id: 'from', fields: { period: [{ start: '2010-05' }] } },
    { id: 'until', fields: { period: [{ end: '1990' }] } },
    { id: 'always', fields: { period: [{}] } },
    { id: 'day', fields: { period: [{ start: '2004-06-15', end: '2004-06-15' }] } },
    {
      id: 'two',
      fields: {
        period: [
          { start: '1950', end: '1960' },
          { start: '1980', end: '1985' },
        ],
      },
    },
    { id: 'none' },
  ],
  places: [
    { id: 'atlantic', fields: { bbox: [box(-40, 10, -20, 40)] } },
    { id: 'pacific', fields: { bbox: [box(170, -20, -170, 10)] } },
    { id: 'world', fields: { bbox: [box(-180, -90, 180, 90)] } },
    { id: 'point', fields: { bbox: [box(8.8, 53.1, 8.8, 53.1)] } },
    { id: 'seam', fields: { bbox: [box(180, -17, 180, -17)] } },
    { id: 'line', fields: { bbox: [box(0, 0, 20, 0)] } },
    { id: 'pole', fields: { bbox: [box(0, 90, 0, 90)] } },
    { id: 'arctic', fields: { bbox: [box(-180, 66, 180, 90)] } },
    { id: 'antarctic', fields: { bbox: [box(100, -90, 140, -65)] } },
    { id: 'two', fields: { bbox: [box(5, 47, 15, 55), box(-75, 40, -70, 45)] } },
    { id: 'none' },
  ],
} as const satisfies Record<string, readonly CaseDocument[]>;

export type CaseCollection = keyof typeof DOCUMENTS;

export const CASE_COLLECTIONS = Object.keys(DOCUMENTS) as readonly CaseCollection[];

/** The collection as extraction would deliver it: indexed words and all. */
export function makeCaseDocuments(collection: CaseCollection): readonly MatchDocument[] {
  const documents: readonly CaseDocument[] = DOCUMENTS[collection];
  return documents.map((document) => ({
    ...makeIndexDocument(document.fields ?? {}, CASE_FIELDS, textNodes(document)),
    id: document.id,
    source: document.source ?? 'cases',
    sets: document.sets ?? [],
    views: document.views ?? [],
    schema: document.schema ?? 'oai_dc',
    updatedAt: document.updatedAt ?? Date.UTC(2026, 0, 1),
  }));
}

/** A record's text holds its values too, except those that XML formats keep in parts. */
function* textNodes({ fields = {}, text = [] }: CaseDocument): Generator<string> {
  for (const values of Object.values<readonly FieldValue[]>(fields)) {
    for (const value of values) if (typeof value !== 'object') yield String(value);
  }
  yield* text;
}
