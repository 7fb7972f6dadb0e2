/** The postings against themselves and against the documents they were made of. */
import type { DatabaseSync } from 'node:sqlite';
import { asGarnerError } from '../../../core/errors.ts';
import type { FieldSpec } from '../../../core/model.ts';
import type { StoreFinding } from '../../admin.ts';
import { readFields } from '../index/field-registry.ts';
import { createIndexedDocuments } from '../indexed-documents.ts';
import { docWords } from './doc-words.ts';
import { Lexicon } from './lexicon.ts';
import { walkList } from './postings.ts';
import { DictionaryCursor, type Segment } from './segment.ts';
import { compareBytes } from './word-bytes.ts';
import { WordReader } from './word-reader.ts';

const CHUNK = 1000;
const WHERE = 'words';

/**
 * `keys`: documents that have words in the index. What stands in it is summed up for each document, so that
 * every posting and every document is read once only.
 */
export function verifyWords(
  db: DatabaseSync,
  fields: readonly FieldSpec[],
  fieldsDigest: string | null,
): { findings: StoreFinding[]; keys: Set<number> } {
  const findings: StoreFinding[] = [];
  const reader = new WordReader(db);
  try {
    reader.refresh();
  } catch (error) {
    return { findings: [{ what: asGarnerError(error).message, where: WHERE }], keys: new Set() };
  }
  const { generations } = reader.docs;
  const keys = new Set<number>();
  for (let key = 0; key < generations.length; key++) if (generations[key] !== 0) keys.add(key);
  const sums = new Uint32Array(generations.length);
  for (const { segment, validity } of reader.segments) {
    const { first, last } = validity;
    try {
      const problem = sumSegment(segment, (doc, hash) => {
        if (generations[doc]! >= first && generations[doc]! <= last) sums[doc]! += hash;
      });
      if (problem) findings.push({ what: problem, where: `${WHERE}, segment ${segment.row.id}` });
    } catch (error) {
      findings.push({ what: asGarnerError(error).message, where: `${WHERE}, segment ${segment.row.id}` });
    }
  }
  if (findings.length === 0) findings.push(...compareDocuments(db, fields, fieldsDigest, keys, sums));
  return { findings, keys };
}

/** Undefined when all is sound. */
function sumSegment(segment: Segment, add: (doc: number, hash: number) => void): string | undefined {
  const cursor = new DictionaryCursor(segment);
  let before = new Uint8Array();
  let end = { postings: 0, positions: 0 };
  while (cursor.next()) {
    const word = cursor.word.view().slice();
    if (compareBytes(word, 0, word.length, before, 0, before.length) <= 0) return 'words are out of order';
    if (cursor.postingsAt !== end.postings || cursor.positionsAt !== end.positions) {
      return 'lists of words have gaps between them or overlap';
    }
    end = {
      postings: cursor.postingsAt + cursor.postingsLength,
      positions: cursor.positionsAt + cursor.positionsLength,
    };
    before = word;
    const hash = hashWord(word);
    const { base } = segment.row;
    const df = walkList(segment.postings(cursor), segment.positions(cursor), base, (doc, column, place) =>
      add(doc, hashPlace(hash, column, place)),
    );
    if (df !== cursor.df) return 'a list of postings is damaged';
  }
  const { postings, positions } = segment.row;
  return end.postings === postings && end.positions === positions
    ? undefined
    : 'lists of words are cut short';
}

function compareDocuments(
  db: DatabaseSync,
  fields: readonly FieldSpec[],
  fieldsDigest: string | null,
  keys: ReadonlySet<number>,
  sums: Uint32Array,
): StoreFinding[] {
  const findings: StoreFinding[] = [];
  const indexed = readFields(db, fields);
  const sources = new Set(
    db
      .prepare('SELECT id FROM source WHERE fields_digest IS ?')
      .all(fieldsDigest)
      .map((row) => Number(row.id)),
  );
  const list = createIndexedDocuments(db, fields);
  let lexicon = new Lexicon();
  let hashes: number[] = [];
  for (let after = 0, more = true; more; ) {
    const documents = list(after, CHUNK);
    for (const { key, sourceId, document } of documents) {
      after = key;
      // One without any words is told of elsewhere.
      if (!sources.has(sourceId) || !keys.has(key)) continue;
      let sum = 0;
      for (const { column, line } of docWords(key, document.words, indexed).columns) {
        let place = 0;
        lexicon.readLine(line, (id) => {
          hashes[id] ??= hashWord(lexicon.arena.subarray(lexicon.startOf(id), lexicon.startOf(id + 1)));
          sum = (sum + hashPlace(hashes[id], column, place++)) >>> 0;
        });
      }
      if (sum !== sums[key]) {
        findings.push({ what: 'the index has other words than the document', where: `item key ${key}` });
      }
    }
    if (lexicon.isFull) {
      lexicon = new Lexicon();
      hashes = [];
    }
    more = documents.length === CHUNK;
  }
  return findings;
}

/** FNV-1a. */
function hashWord(word: Uint8Array): number {
  let hash = 0x811c9dc5;
  for (const byte of word) hash = Math.imul(hash ^ byte, 0x01000193);
  return hash >>> 0;
}

function hashPlace(word: number, column: number, place: number): number {
  let hash = Math.imul(
    word ^ Math.imul(place + 1, 0x9e3779b1) ^ Math.imul(column + 1, 0x85ebca6b),
    0xc2b2ae35,
  );
  hash ^= hash >>> 15;
  return Math.imul(hash, 0x27d4eb2f) >>> 0;
}
