/** The reader's side of the `term` table: which words are there, and about how many documents have them. */
import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { editDistance } from '../../../core/edit-distance.ts';
import { compilePattern, type PatternPart, patternPrefix } from '../../../query/wildcard.ts';
import { stemWord } from '../../../query/words.ts';
import type { Expansion } from './word-index.ts';

/** Words that one pattern may stand for; beyond, the most frequent ones are taken. */
export const MAX_EXPANSION = 2000;
/** Words that a fuzzy search compares; beyond, only those with the same first letter. */
const MAX_FUZZY_SCAN = 400_000;

/** Sorts behind every word that begins with the prefix. */
export const AFTER_PREFIX = '\u{10FFFF}';

export class TermTable {
  readonly #forms: StatementSync;
  readonly #counts: StatementSync;
  readonly #between: StatementSync;
  readonly #sum: StatementSync;
  readonly #bySize: StatementSync;
  readonly #sizes: StatementSync;

  constructor(db: DatabaseSync) {
    this.#forms = db.prepare('SELECT json_group_array(word) AS words FROM term WHERE stem = ?');
    this.#counts = db.prepare('SELECT word, df FROM term WHERE word IN (SELECT value FROM json_each(?))');
    this.#between = db.prepare(
      `SELECT json_group_array(word) AS words, json_group_array(df) AS counts
       FROM (SELECT word, df FROM term WHERE word >= ? AND word < ?)`,
    );
    this.#sum = db.prepare(
      'SELECT sum(df) AS postings, count(*) AS words FROM term WHERE word >= ? AND word < ?',
    );
    this.#bySize = db.prepare(
      `SELECT json_group_array(word) AS words, json_group_array(df) AS counts
       FROM (SELECT word, df FROM term WHERE word >= ? AND word < ? AND length(word) BETWEEN ? AND ?)`,
    );
    this.#sizes = db.prepare('SELECT count(*) AS words FROM term');
  }

  listForms(word: string): readonly string[] {
    const forms = readArray<string>(this.#forms.get(stemWord(word))?.words);
    return forms.includes(word) ? forms : [word, ...forms];
  }

  documentCounts(words: readonly string[]): Map<string, number> {
    return new Map(this.#counts.all(JSON.stringify(words)).map((row) => [String(row.word), Number(row.df)]));
  }

  prefixPostings(prefix: string): { postings: number; words: number } {
    const row = this.#sum.get(prefix, prefix + AFTER_PREFIX);
    return { postings: Number(row?.postings ?? 0), words: Number(row?.words ?? 0) };
  }

  expandPattern(parts: readonly PatternPart[]): Expansion {
    const prefix = patternPrefix(parts);
    const row = this.#between.get(prefix, prefix + AFTER_PREFIX);
    return expansion(readArray<string>(row?.words), readArray<number>(row?.counts), compilePattern(parts));
  }

  expandFuzzy(word: string, distance: number): Expansion {
    const all = Number(this.#sizes.get()?.words ?? 0) <= MAX_FUZZY_SCAN;
    const first = all ? '' : String.fromCodePoint(word.codePointAt(0) ?? 0);
    const size = [...word].length;
    const row = this.#bySize.get(first, first + AFTER_PREFIX, size - distance, size + distance);
    const { words, cut } = expansion(
      readArray<string>(row?.words),
      readArray<number>(row?.counts),
      (other) => editDistance(word, other, distance) <= distance,
    );
    return { words, cut: cut || !all };
  }
}

function expansion(
  words: readonly string[],
  counts: readonly number[],
  test: (word: string) => boolean,
): Expansion {
  const found: { word: string; count: number }[] = [];
  for (let i = 0; i < words.length; i++) {
    const word = words[i]!;
    if (test(word)) found.push({ word, count: counts[i] ?? 0 });
  }
  const cut = found.length > MAX_EXPANSION;
  if (cut) found.sort((a, b) => b.count - a.count);
  return { words: found.slice(0, MAX_EXPANSION).map(({ word }) => word), cut };
}

export function readArray<T>(json: unknown): T[] {
  return typeof json === 'string' ? (JSON.parse(json) as T[]) : [];
}
