/** A document's words, taken apart once and only as far as queries need them. */
import { stemWord, WORD_GAP } from './words.ts';

/** Stems of the last few ten thousand words: documents repeat each other's. */
const STEM_CACHE_SIZE = 50_000;
const stems = new Map<string, string>();

function cachedStem(word: string): string {
  let stem = stems.get(word);
  if (stem === undefined) {
    stem = stemWord(word);
    if (stems.size >= STEM_CACHE_SIZE) stems.clear();
    stems.set(word, stem);
  }
  return stem;
}

/** One words column of one document. */
export class WordColumn {
  readonly words: readonly string[];
  #stems: readonly string[] | undefined;
  #distinct: ReadonlySet<string> | undefined;
  #distinctStems: ReadonlySet<string> | undefined;

  constructor(line: string) {
    this.words = line === '' ? [] : line.split(' ');
  }

  /** Same places as `words`; gaps stay gaps. */
  get stems(): readonly string[] {
    this.#stems ??= this.words.map(cachedStem);
    return this.#stems;
  }

  /** Without the gap. */
  get distinct(): ReadonlySet<string> {
    this.#distinct ??= withoutGap(this.words);
    return this.#distinct;
  }

  get distinctStems(): ReadonlySet<string> {
    this.#distinctStems ??= withoutGap(this.stems);
    return this.#distinctStems;
  }
}

function withoutGap(words: readonly string[]): ReadonlySet<string> {
  const distinct = new Set(words);
  distinct.delete(WORD_GAP);
  return distinct;
}

type Words = Readonly<Record<string, string>>;

const columnsOf = new WeakMap<Words, Map<string, WordColumn>>();

/** The column of a tokenised field, or of all columns when no name is given. */
export function wordColumns(words: Words, name: string | undefined): readonly WordColumn[] {
  let columns = columnsOf.get(words);
  if (!columns) {
    columns = new Map();
    columnsOf.set(words, columns);
  }
  const names = name === undefined ? Object.keys(words) : [name];
  const chosen: WordColumn[] = [];
  for (const column of names) {
    let known = columns.get(column);
    if (!known) {
      const line = Object.hasOwn(words, column) ? words[column] : undefined;
      if (line === undefined) continue;
      known = new WordColumn(line);
      columns.set(column, known);
    }
    chosen.push(known);
  }
  return chosen;
}
