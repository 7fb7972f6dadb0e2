/**
 * What comparisons mean, case by case, for every back end: DIS expressions over a few profiles and one item
 * that is none. The order of `expected` says nothing.
 */
import {
  type Attribute,
  attributeFields,
  readAttributeRange,
  readAttributeValue,
} from '../core/attributes.ts';
import type { FieldSpec, Fields } from '../core/model.ts';
import { CASE_FIELDS } from './case-documents.ts';
import { makeIndexDocument } from './index-document.ts';
import type { MatchDocument } from './matcher.ts';

export const ATTRIBUTE_CASE_FIELDS: readonly FieldSpec[] = CASE_FIELDS;

type Row = Readonly<Record<string, readonly string[] | { readonly min: string; readonly max: string }>>;

const PROFILES: Readonly<Record<string, Row>> = {
  io: {
    TARGET_NAME: ['IO'],
    FILTER_NAME: ['RED'],
    EXPOSURE_DURATION: ['62.50'],
    START_TIME: ['1996-06-28T10:00:00Z'],
  },
  ganymede: {
    TARGET_NAME: ['Ganymede', 'Jupiter'],
    FILTER_NAME: ['CLEAR'],
    EXPOSURE_DURATION: ['5', '195'],
    START_TIME: ['1996-06'],
  },
  venus: { TARGET_NAME: ['VENUS'], IMAGE_ID: ['FO43S181'], EXPOSURE_DURATION: ['UNK'] },
  mars: { TARGET_NAME: ['MARS'], IMAGE_ID: ['0131'], START_TIME: ['2004'] },
  set: {
    TARGET_NAME: [],
    EXPOSURE_DURATION: { min: '0', max: '60' },
    START_TIME: { min: '1990', max: '1995-03' },
  },
  bare: {},
};

const attributesOf = (row: Row): Attribute[] => [
  { name: 'profType', values: [readAttributeValue('profile')] },
  ...Object.entries(row).map(([name, given]): Attribute => {
    const declared = name === 'START_TIME' ? 'date' : name === 'IMAGE_ID' ? 'text' : undefined;
    if ('min' in given) {
      const range = readAttributeRange(given.min, given.max, declared);
      return { name, values: [], ...(range && { range }) };
    }
    return { name, values: given.map((value) => readAttributeValue(value, declared)) };
  }),
];

const documentOf = (id: string, fields: Fields): MatchDocument => ({
  ...makeIndexDocument(fields, ATTRIBUTE_CASE_FIELDS, []),
  id,
  source: 'cases',
  sets: [],
  views: [],
  schema: 'case',
  updatedAt: Date.UTC(2026, 0, 1),
});

export function makeAttributeDocuments(): readonly MatchDocument[] {
  return [
    ...Object.entries(PROFILES).map(([id, row]) => documentOf(id, attributeFields(attributesOf(row)))),
    documentOf('item', {
      title: ['Sea ice of the Arctic'],
      author: ['Smith, Joan'],
      subject: ['Sea Ice'],
      depth: [62.5],
      date: ['1996-06-28'],
      bbox: [
        { west: 10, south: -5, east: 20, north: 6 },
        { west: 100, south: 40, east: 120, north: 50 },
      ],
    }),
  ];
}

export const ATTRIBUTE_CASES: readonly (readonly [name: string, dis: string, ...expected: string[]])[] = [
  ['a text', 'TARGET_NAME=IO', 'io', 'set'],
  ['names and texts in any case', 'target_name = io', 'io', 'set'],
  ['one of several values', 'TARGET_NAME = JUPITER', 'ganymede', 'set'],
  ['some value is another', 'TARGET_NAME != JUPITER', 'io', 'ganymede', 'venus', 'mars', 'set'],
  [
    'NOT of a comparison takes in what has no value',
    'NOT TARGET_NAME = IO',
    'ganymede',
    'venus',
    'mars',
    'bare',
    'item',
  ],
  ['the opposite relation does not', 'FILTER_NAME != RED', 'ganymede'],
  ['an attribute that nobody has', 'PHASE_ANGLE > 0'],
  ['NOT of it', 'NOT PHASE_ANGLE > 0', 'io', 'ganymede', 'venus', 'mars', 'set', 'bare', 'item'],
  ['numbers by their size', 'EXPOSURE_DURATION > 60.0', 'io', 'ganymede'],
  ['a range has some such number', 'EXPOSURE_DURATION > 59', 'io', 'ganymede', 'set'],
  ['the end of a range belongs to it', 'EXPOSURE_DURATION >= 60', 'io', 'ganymede', 'set'],
  ['the same number, written otherwise', 'EXPOSURE_DURATION = 62.5', 'io'],
  ['a number within a range', 'EXPOSURE_DURATION = 30', 'set'],
  ['a text where numbers are expected', 'EXPOSURE_DURATION = unk', 'venus'],
  ['has no order with numbers', 'EXPOSURE_DURATION < 1e9', 'io', 'ganymede', 'set'],
  ['but is unequal to them', 'EXPOSURE_DURATION != 62.5', 'ganymede', 'venus', 'set'],
  [
    'different values may serve different parts',
    'EXPOSURE_DURATION < 6 AND EXPOSURE_DURATION > 190',
    'ganymede',
  ],
  ['texts of digits are texts', 'IMAGE_ID = 131'],
  ['and equal what is written alike', 'IMAGE_ID = 0131', 'mars'],
  ['order of texts', 'IMAGE_ID >= f', 'venus'],
  ['a pattern', "TARGET_NAME LIKE '%n%'", 'ganymede', 'venus', 'set'],
  ['one character', 'TARGET_NAME LIKE I_', 'io', 'set'],
  ['a literal sign of a pattern', "TARGET_NAME LIKE 'I\\\\_'", 'set'],
  ['some value is not like it', 'TARGET_NAME NOTLIKE %n%', 'io', 'ganymede', 'mars', 'set'],
  ['patterns ask texts only', 'EXPOSURE_DURATION LIKE %', 'venus'],
  ['dates within a month', 'START_TIME = 1996-06', 'io', 'ganymede'],
  ['dates after a day', 'START_TIME > 1996-06-28', 'ganymede', 'mars'],
  ['dates before a year', 'START_TIME < 1995', 'set'],
  ['a year that is written as a number', 'START_TIME > 2003', 'mars'],
  ['a time with a zone', 'START_TIME = 1996-06-28T12:00:00+02:00', 'io', 'ganymede'],
  ['dates that are others', 'START_TIME != 1996-06', 'mars', 'set'],
  ['a date is no word', 'START_TIME = IO'],
  ['there is a value', 'FILTER_NAME ISNOT NULL', 'io', 'ganymede'],
  ['there is none', 'TARGET_NAME IS NULL', 'bare', 'item'],
  ['AND binds closer than OR', 'TARGET_NAME = IO OR TARGET_NAME = VENUS AND IMAGE_ID = x', 'io', 'set'],
  ['parentheses', '(TARGET_NAME = IO OR TARGET_NAME = VENUS) AND IMAGE_ID != x', 'venus'],
  ['NOT of a group', 'NOT (TARGET_NAME = IO OR EXPOSURE_DURATION < 10)', 'venus', 'mars', 'bare', 'item'],
  ['ordinary fields of an item that is no profile', 'SUBJECT = "sea ice"', 'item'],
  ['numbers of an item', 'depth > 60', 'item'],
  ['dates of an item', 'DATE = 1996', 'item'],
  ['words of a running text', 'title = "sea ice"', 'item'],
  ['a pattern of its words', 'title LIKE %arc%', 'item'],
  ['a text that is another', 'subject != "land ice"', 'item'],
  ['the western edge of an area', 'WESTERNMOST_LONGITUDE = 10', 'item'],
  ['the southern one', 'minimum_latitude < -4', 'item'],
  ['the eastern one, of any area', 'EASTERNMOST_LONGITUDE > 119', 'item'],
  ['the northern one', 'MAXIMUM_LATITUDE = 6', 'item'],
  ['of the edges just the one that is asked for', 'MAXIMUM_LATITUDE < 6 OR EASTERNMOST_LONGITUDE = 10'],
  ['an identifier', 'IDENTIFIER = item', 'item'],
];
