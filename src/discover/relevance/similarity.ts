/** How alike texts are: TF-IDF vectors of stems, and the cosine of their angle. */
import { stemWord } from '../../query/words.ts';
import { isEmptyWord } from '../words/word-counts.ts';

/** Word counts of one text. */
export type Words = Readonly<Record<string, number>>;
type Vector = ReadonlyMap<string, number>;

export interface SharedWord {
  readonly word: string;
  /** Its part of the similarity. */
  readonly share: number;
}

export interface Similarity {
  /** 0 to 1. */
  readonly cosine: number;
  /** The stems that make most of it. */
  readonly because: readonly SharedWord[];
}

export interface Similarities {
  /**
   * With the middle of the texts of those keys; a text is never compared with itself. Undefined where nothing is left
   * to compare with.
   */
  to(keys: Iterable<string>): (key: string) => Similarity | undefined;
}

const MOST_REASONS = 5;

/** Of all texts, by key: how rare a word is depends on all of them. */
export function compareTexts(texts: ReadonlyMap<string, Words>): Similarities {
  const stems = new Map([...texts].map(([key, words]) => [key, stemCounts(words)]));
  const documents = new Map<string, number>();
  for (const counts of stems.values())
    for (const stem of counts.keys()) documents.set(stem, (documents.get(stem) ?? 0) + 1);
  const total = stems.size;
  const vectors = new Map(
    [...stems].map(([key, counts]) => {
      const weights = new Map<string, number>();
      // A stem of every text weighs nearly nothing, but not nothing: two texts alone must compare, too.
      for (const [stem, n] of counts)
        weights.set(stem, (1 + Math.log(n)) * Math.log((total + 1) / (documents.get(stem) ?? 1)));
      return [key, normalise(weights)];
    }),
  );
  return {
    to(keys) {
      const examples = new Set([...keys].filter((key) => vectors.has(key)));
      const all = normalise(sumOf([...examples].flatMap((key) => vectors.get(key) ?? [])));
      return (key) => {
        const own = vectors.get(key);
        const isOne = examples.has(key);
        if (examples.size === (isOne ? 1 : 0)) return undefined;
        if (!own) return { cosine: 0, because: [] };
        if (!isOne) return compare(own, all);
        const others = [...examples].flatMap((other) => (other === key ? [] : (vectors.get(other) ?? [])));
        return compare(own, normalise(sumOf(others)));
      };
    },
  };
}

function stemCounts(words: Words): Map<string, number> {
  const counts = new Map<string, number>();
  for (const [word, n] of Object.entries(words)) {
    if (isEmptyWord(word)) continue;
    const stem = stemWord(word);
    counts.set(stem, (counts.get(stem) ?? 0) + n);
  }
  return counts;
}

function normalise(vector: Vector): Vector {
  const length = Math.hypot(...vector.values());
  return length === 0 ? vector : new Map([...vector].map(([stem, weight]) => [stem, weight / length]));
}

/** Normalised, it is the middle of their directions. */
function sumOf(vectors: readonly Vector[]): Vector {
  const sum = new Map<string, number>();
  for (const vector of vectors)
    for (const [stem, weight] of vector) sum.set(stem, (sum.get(stem) ?? 0) + weight);
  return sum;
}

function compare(a: Vector, b: Vector): Similarity {
  const shares: SharedWord[] = [];
  for (const [word, weight] of a) {
    const share = weight * (b.get(word) ?? 0);
    if (share > 0) shares.push({ word, share });
  }
  shares.sort((x, y) => y.share - x.share || (x.word < y.word ? -1 : 1));
  return {
    cosine: Math.min(
      1,
      shares.reduce((sum, { share }) => sum + share, 0),
    ),
    because: shares.slice(0, MOST_REASONS),
  };
}
