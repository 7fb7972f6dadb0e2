/**
 * Does this document match this query? The plain answer, and the reference for every other back end:
 *
 * - Words are folded (`words.ts`). Without a field, all word columns are asked, and a term matches by its
 *   English stem in every one of them; with a field, by stem only if the field is stemmed. A term of
 *   several words (`sea-level`, 海氷) wants them side by side, within one column.
 * - Quoted words, wildcards and fuzzy words are never stemmed. No phrase crosses from one value or text
 *   node to the next.
 * - Fields that are not split into words compare whole folded values; fields that the store fills
 *   compare names as they are.
 * - Dates and intervals are spans of time; a range matches a span that it overlaps.
 * - A field with several values matches when any one of them does; a field without a value never does,
 *   so that NOT of it is true.
 */

import { edgesOf } from '../core/box-edges.ts';
import { editDistance } from '../core/edit-distance.ts';
import type { BoxValue, FieldSpec, Fields, FieldValue, Instant, IntervalValue } from '../core/model.ts';
import { dateSpan } from '../core/time.ts';
import type { QueryNode } from './ast.ts';
import { relateBoxes } from './box.ts';
import { type CatalogueField, createCatalogue, type FieldCatalogue, getField } from './catalogue.ts';
import { compileComposed } from './compose.ts';
import { type WordColumn, wordColumns } from './document-words.ts';
import { lowerCompare } from './lower-compare.ts';
import { isOneOf } from './one-of.ts';
import { hasPhrase } from './phrase.ts';
import { isInRange, numberRange, spansOverlap, stringRange, type TimeSpan, timeRange } from './range.ts';
import { isWordNode, type LeafNode, resolveLeaf } from './resolve.ts';
import { compilePattern, parsePattern } from './wildcard.ts';
import { foldPiece, foldValue, foldWord, splitWords, stemWord } from './words.ts';

export interface MatchDocument {
  readonly fields: Fields;
  readonly words: Readonly<Record<string, string>>;
  readonly source: string;
  readonly id: string;
  readonly sets: readonly string[];
  readonly views: readonly string[];
  readonly schema: string;
  readonly updatedAt: Instant;
}

export type DocumentTest = (doc: MatchDocument) => boolean;

/** For few documents; compiled queries are remembered by node. */
export function createMatcher(
  fields: readonly FieldSpec[],
): (node: QueryNode, doc: MatchDocument) => boolean {
  const catalogue = createCatalogue(fields);
  const compiled = new WeakMap<QueryNode, DocumentTest>();
  return (node, doc) => {
    let test = compiled.get(node);
    if (!test) {
      test = compile(node, catalogue);
      compiled.set(node, test);
    }
    return test(doc);
  };
}

/** One query for many documents. Refuses, before any document, what the fields cannot be asked. */
export function compileMatcher(node: QueryNode, fields: readonly FieldSpec[]): DocumentTest {
  return compile(node, createCatalogue(fields));
}

function compile(node: QueryNode, catalogue: FieldCatalogue): DocumentTest {
  switch (node.type) {
    case 'and': {
      const tests = node.of.map((child) => compile(child, catalogue));
      return (doc) => tests.every((test) => test(doc));
    }
    case 'or': {
      const tests = node.of.map((child) => compile(child, catalogue));
      return (doc) => tests.some((test) => test(doc));
    }
    case 'not': {
      const test = compile(node.of, catalogue);
      return (doc) => !test(doc);
    }
    case 'boost':
      return compile(node.of, catalogue);
    case 'compare':
      return compile(lowerCompare(node, catalogue), catalogue);
    case 'composed': {
      const [isMeant, holds] = [compile(node.within, catalogue), compileComposed(node)];
      return (doc) => isMeant(doc) && holds({ identifier: doc.id, fields: doc.fields });
    }
    default:
      return compileLeaf(resolveLeaf(node, catalogue), catalogue);
  }
}

function compileLeaf(node: LeafNode, catalogue: FieldCatalogue): DocumentTest {
  if (node.type === 'all') return () => true;
  const field = node.field === undefined ? undefined : getField(catalogue, node.field);
  if (field && node.type === 'exists') return (doc) => fieldValues(doc, field).length > 0;
  if (!field || (field.tokenised && isWordNode(node))) return compileWords(node, field);
  switch (field.type) {
    case 'number':
      return compileNumber(node, field);
    case 'date':
    case 'interval':
      return compileTime(node, field);
    case 'bbox':
      return compileBox(node, field);
    default:
      return compileString(node, field);
  }
}

const never: DocumentTest = () => false;

function compileWords(node: LeafNode, field: CatalogueField | undefined): DocumentTest {
  const test = columnTest(node, field === undefined || field.stemmed);
  const name = field?.name;
  return (doc) => wordColumns(doc.words, name).some(test);
}

function columnTest(node: LeafNode, stemmed: boolean): (column: WordColumn) => boolean {
  switch (node.type) {
    case 'term': {
      const words = stemmed ? splitWords(node.text).map(stemWord) : splitWords(node.text);
      const [only, second] = words;
      if (only === undefined) return () => false;
      if (second === undefined) {
        return stemmed ? (column) => column.distinctStems.has(only) : (column) => column.distinct.has(only);
      }
      return (column) => hasPhrase(stemmed ? column.stems : column.words, words, 0);
    }
    case 'phrase': {
      const words = splitWords(node.text);
      return (column) => hasPhrase(column.words, words, node.slop);
    }
    case 'wildcard': {
      const matches = compilePattern(parsePattern(node.pattern, foldWord));
      return (column) => someOf(column.distinct, matches);
    }
    case 'fuzzy': {
      const [word = ''] = splitWords(node.text);
      return (column) =>
        someOf(column.distinct, (other) => editDistance(word, other, node.distance) <= node.distance);
    }
    default:
      return () => false;
  }
}

function someOf<T>(values: Iterable<T>, test: (value: T) => boolean): boolean {
  for (const value of values) if (test(value)) return true;
  return false;
}

function compileString(node: LeafNode, field: CatalogueField): DocumentTest {
  const foldWhole = field.pseudo ? (text: string) => text : foldValue;
  const some = (test: (value: string) => boolean): DocumentTest => {
    return (doc) =>
      fieldValues(doc, field).some((value) => typeof value === 'string' && test(foldWhole(value)));
  };
  switch (node.type) {
    case 'value': {
      const wanted = foldWhole(node.value);
      return some((value) => value === wanted);
    }
    case 'oneOf': {
      const wanted = new Set(node.values.map(foldWhole));
      return some((value) => isOneOf(value, wanted, node.parts));
    }
    case 'wildcard': {
      const matches = compilePattern(parsePattern(node.pattern, field.pseudo ? foldWhole : foldPiece));
      return some(node.negated ? (value) => !matches(value) : matches);
    }
    case 'fuzzy': {
      const wanted = foldWhole(node.text);
      return some((value) => editDistance(wanted, value, node.distance) <= node.distance);
    }
    case 'range':
      return some(stringRange(node.from, node.to, foldWhole));
    default:
      return never;
  }
}

function compileNumber(node: LeafNode, field: CatalogueField): DocumentTest {
  const range = node.type === 'range' ? numberRange(node.from, node.to) : undefined;
  if (!range) return never;
  return (doc) =>
    fieldValues(doc, field).some((value) => typeof value === 'number' && isInRange(value, range));
}

function compileTime(node: LeafNode, field: CatalogueField): DocumentTest {
  const range = node.type === 'range' ? timeRange(node.from, node.to) : undefined;
  if (!range) return never;
  return (doc) =>
    fieldValues(doc, field).some((value) => {
      const span = valueSpan(value);
      return span !== undefined && spansOverlap(span, range);
    });
}

/** The span that a date, an interval or an instant (of the `updated` field) names. */
function valueSpan(value: FieldValue): TimeSpan | undefined {
  if (typeof value === 'number') return { startAt: value, endAt: value + 1 };
  if (typeof value === 'string') return dateSpan(value);
  if (isBox(value)) return undefined;
  const first = value.start === undefined ? undefined : dateSpan(value.start);
  const last = value.end === undefined ? undefined : dateSpan(value.end);
  if ((value.start !== undefined && !first) || (value.end !== undefined && !last)) return undefined;
  return {
    startAt: first?.startAt ?? Number.NEGATIVE_INFINITY,
    endAt: last?.endAt ?? Number.POSITIVE_INFINITY,
  };
}

function compileBox(node: LeafNode, field: CatalogueField): DocumentTest {
  if (node.type !== 'box') return never;
  const { relation, box } = node;
  return (doc) =>
    fieldValues(doc, field).some(
      (value) => typeof value === 'object' && isBox(value) && relateBoxes(relation, value, box),
    );
}

function isBox(value: BoxValue | IntervalValue): value is BoxValue {
  return 'west' in value;
}

const NO_VALUES: readonly FieldValue[] = [];

export function fieldValues(doc: MatchDocument, field: CatalogueField): readonly FieldValue[] {
  if (!field.pseudo) {
    const name = field.edge?.box ?? field.name;
    const values = (Object.hasOwn(doc.fields, name) ? doc.fields[name] : undefined) ?? NO_VALUES;
    return field.edge ? edgesOf(values, field.edge.edge) : values;
  }
  switch (field.name) {
    case 'source':
      return [doc.source];
    case 'id':
      return [doc.id];
    case 'set':
      return doc.sets;
    case 'view':
      return doc.views;
    case 'schema':
      return [doc.schema];
    default:
      return [doc.updatedAt];
  }
}
