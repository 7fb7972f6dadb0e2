/**
 * How relevant a candidate is to its topic, from 0 to 1: a mean of four parts with fixed weights, each of which
 * can say why. What is not known (a similarity, while nobody marked a good example) does not count.
 */
import { splitWords, stemWord } from '../../query/words.ts';
import { isEmptyWord } from '../words/word-counts.ts';
import type { Mark } from './marks.ts';
import { compareTexts, type Similarity, type Words } from './similarity.ts';

export const SCORE_PARTS = ['title', 'text', 'links', 'agreement'] as const;
export type ScorePartName = (typeof SCORE_PARTS)[number];

/** Chosen, not learned: marks of one topic are too few to learn four numbers from. */
export const PART_WEIGHTS: Readonly<Record<ScorePartName, number>> = {
  title: 0.3,
  text: 0.35,
  links: 0.1,
  agreement: 0.25,
};

export interface ScorePart {
  readonly name: ScorePartName;
  /** 0 to 1. */
  readonly value: number;
  readonly reason: string;
}

/** What is judged. */
export interface Scored {
  readonly key: string;
  readonly url: string;
  readonly title?: string;
  readonly snippet?: string;
  readonly weight: number;
  readonly ranks: Readonly<Record<string, number>>;
  readonly words?: Words;
  readonly linkedFrom?: readonly string[];
}

export interface ScoreDeps {
  readonly acronym: string;
  readonly title: string;
  /** The weight of an address that every engine has first. */
  readonly mostWeight: number;
  readonly engines: number;
  /** By key. */
  readonly marks: ReadonlyMap<string, { readonly mark: Mark }>;
  /** Words of pages that are archived, by key; they go above those of a look. */
  readonly texts: ReadonlyMap<string, Words>;
}

export interface Score {
  readonly score: number;
  readonly parts: readonly ScorePart[];
}

/** By key. */
export function scoreCandidates(candidates: readonly Scored[], deps: ScoreDeps): Map<string, Score> {
  const words = new Map(deps.texts);
  for (const candidate of candidates)
    if (!words.has(candidate.key)) words.set(candidate.key, candidate.words ?? ownWords(candidate));
  const good = [...deps.marks].flatMap(([key, { mark }]) => (mark === 'good' && words.has(key) ? [key] : []));
  const similarTo = compareTexts(words).to(good);
  const names = new Map(candidates.map(({ key, url }) => [key, url]));
  return new Map(
    candidates.map((candidate) => {
      const parts = [
        titlePart(candidate, deps),
        ...textPart(similarTo(candidate.key), good.length),
        linksPart(candidate, deps, names),
        agreementPart(candidate, deps),
      ];
      const weights = parts.reduce((sum, { name }) => sum + PART_WEIGHTS[name], 0);
      const score = parts.reduce((sum, { name, value }) => sum + PART_WEIGHTS[name] * value, 0) / weights;
      return [candidate.key, { score, parts }];
    }),
  );
}

function ownWords({ title = '', snippet = '' }: Scored): Words {
  const counts: Record<string, number> = {};
  for (const word of splitWords(`${title} ${snippet}`)) counts[word] = (counts[word] ?? 0) + 1;
  return counts;
}

const stemsOf = (text: string): Set<string> =>
  new Set(
    splitWords(text)
      .filter((word) => !isEmptyWord(word))
      .map(stemWord),
  );

/** Words of the topic's title count whole where the candidate's title has them, half where its snippet or address has. */
function titlePart({ title = '', snippet = '', url }: Scored, topic: ScoreDeps): ScorePart {
  const wanted = stemsOf(topic.title);
  const inTitle = stemsOf(title);
  const nearby = stemsOf(`${snippet} ${url}`);
  let found = 0;
  for (const stem of wanted) found += inTitle.has(stem) ? 1 : nearby.has(stem) ? 0.5 : 0;
  const share = wanted.size === 0 ? 0 : found / wanted.size;
  const acronym = splitWords(topic.acronym).join(' ');
  const has = (text: string) => ` ${splitWords(text).join(' ')} `.includes(` ${acronym} `);
  const byAcronym = has(title) ? 1 : has(snippet) || has(url) ? 0.7 : 0;
  const value = Math.max(share, byAcronym);
  return {
    name: 'title',
    value,
    reason:
      byAcronym >= share && byAcronym > 0
        ? `the acronym ${topic.acronym} stands in its ${byAcronym === 1 ? 'title' : 'snippet or address'}`
        : `${Math.round(share * 100)} % of the topic’s words stand in its title, snippet or address`,
  };
}

function textPart(similarity: Similarity | undefined, good: number): ScorePart[] {
  if (!similarity) return [];
  const { cosine, because } = similarity;
  return [
    {
      name: 'text',
      value: cosine,
      reason:
        because.length === 0
          ? 'no word in common with the good examples'
          : `as the ${good} good ${good === 1 ? 'example' : 'examples'} it speaks of ${because.map(({ word }) => word).join(', ')}`,
    },
  ];
}

function linksPart(
  { linkedFrom = [] }: Scored,
  { marks }: ScoreDeps,
  names: ReadonlyMap<string, string>,
): ScorePart {
  const from = linkedFrom.filter((key) => marks.get(key)?.mark !== 'bad');
  const [first] = from;
  return {
    name: 'links',
    // One page that links to it counts half, and every further one half of what is left.
    value: 1 - 0.5 ** from.length,
    reason:
      first === undefined
        ? 'no other candidate is known to link to it'
        : `${from.length} other ${from.length === 1 ? 'candidate links' : 'candidates link'} to it, such as ${names.get(first) ?? first}`,
  };
}

function agreementPart({ weight, ranks }: Scored, { mostWeight, engines }: ScoreDeps): ScorePart {
  const by = Object.entries(ranks);
  const value = mostWeight > 0 ? Math.min(1, weight / mostWeight) : 0;
  return {
    name: 'agreement',
    value,
    reason:
      by.length === 0
        ? 'no engine gave it'
        : `${by.length} of ${engines} ${engines === 1 ? 'engine' : 'engines'} gave it (${by.map(([name, rank]) => `${name} at ${rank}`).join(', ')}), ${Math.round(value * 100)} % of the most weight there can be`,
  };
}
