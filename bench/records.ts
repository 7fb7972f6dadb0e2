/**
 * A seeded generator of realistic metadata: zipf-distributed words, four facet fields, a date, a number
 * and a box. The same seed gives the same records, so that runs can be compared.
 */
import { common } from '../src/formats/fields.ts';
import type { MetadataFormat } from '../src/formats/format.ts';

const NAMESPACE = 'urn:garner:bench';

const field = (
  name: string,
  type: 'text' | 'string' | 'number' | 'date',
  more: { facet?: boolean; weight?: number } = {},
) => ({
  name,
  type,
  label: name,
  stored: true,
  indexed: true,
  tokenised: type === 'text',
  stemmed: type === 'text',
  facet: more.facet ?? false,
  weight: more.weight ?? 1,
  paths: [`/b:record/b:${name}`],
});

/** Ten fields by XPath, as a user would configure them. */
export const BENCH_FORMAT: MetadataFormat = {
  name: 'bench',
  label: 'Benchmark record',
  syntax: 'xml',
  namespaces: { b: NAMESPACE },
  namespace: NAMESPACE,
  schemaLocation: 'urn:garner:bench.xsd',
  detect: [{ root: 'b:record' }],
  identifier: ['/b:record/b:id'],
  fields: [
    common('title', ['/b:record/b:title']),
    field('abstract', 'text', { weight: 3 }),
    field('region', 'string', { facet: true }),
    field('mission', 'string', { facet: true }),
    field('sensor', 'string', { facet: true }),
    field('keyword', 'string', { facet: true }),
    field('when', 'date'),
    field('depth', 'number'),
    {
      ...field('area', 'string'),
      type: 'bbox',
      tokenised: false,
      paths: ['/b:record/b:area'],
      parts: ['@west', '@south', '@east', '@north'],
    },
  ],
  dublinCore: {
    title: [{ field: 'title' }],
    description: [{ field: 'abstract' }],
    date: [{ field: 'when' }],
  },
};

const VOCABULARY = 120_000;
const ONSETS = [
  'b',
  'br',
  'c',
  'cl',
  'd',
  'f',
  'g',
  'gr',
  'h',
  'l',
  'm',
  'n',
  'p',
  'r',
  's',
  'st',
  't',
  'tr',
  'v',
  'w',
];
const NUCLEI = ['a', 'e', 'i', 'o', 'u', 'ai', 'ea', 'ou'];
const CODAS = ['', 'n', 'r', 's', 't', 'l', 'nd', 'rm'];

/** mulberry32 */
export function createRandom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = state;
    t = Math.imul(t ^ (t >>> 15), t | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
}

function makeVocabulary(random: () => number): string[] {
  const words = new Set<string>();
  const pick = (from: readonly string[]) => from[Math.floor(random() * from.length)] as string;
  while (words.size < VOCABULARY) {
    const syllables = 1 + Math.floor(random() * 3) + (words.size > 200 ? 1 : 0);
    let word = '';
    for (let i = 0; i < syllables; i++) word += pick(ONSETS) + pick(NUCLEI) + pick(CODAS);
    words.add(word);
  }
  return [...words];
}

export interface BenchRecords {
  readonly vocabulary: readonly string[];
  /** In how many of the records made so far each word stands, by its place in the vocabulary. */
  readonly documentCounts: Uint32Array;
  make(number: number, edition?: number): Uint8Array;
}

export function createBenchRecords(seed = 42): BenchRecords {
  const random = createRandom(seed);
  const vocabulary = makeVocabulary(random);
  const cumulative = new Float64Array(VOCABULARY);
  let sum = 0;
  for (let rank = 0; rank < VOCABULARY; rank++) {
    sum += 1 / (rank + 3) ** 1.05;
    cumulative[rank] = sum;
  }
  const documentCounts = new Uint32Array(VOCABULARY);
  const lastSeen = new Uint32Array(VOCABULARY);
  let made = 0;
  const encoder = new TextEncoder();

  const words = (count: number): string => {
    let text = '';
    for (let i = 0; i < count; i++) {
      const wanted = random() * sum;
      let low = 0;
      let high = VOCABULARY - 1;
      while (low < high) {
        const middle = (low + high) >>> 1;
        if ((cumulative[middle] as number) < wanted) low = middle + 1;
        else high = middle;
      }
      if (lastSeen[low] !== made) {
        lastSeen[low] = made;
        documentCounts[low] = (documentCounts[low] as number) + 1;
      }
      text += i === 0 ? vocabulary[low] : ` ${vocabulary[low]}`;
    }
    return text;
  };
  const skewed = (count: number) => Math.floor(random() ** 2 * count);

  return {
    vocabulary,
    documentCounts,
    make: (number, edition = 1) => {
      made += 1;
      const year = 1950 + Math.floor(random() * 76);
      const month = String(1 + Math.floor(random() * 12)).padStart(2, '0');
      const day = String(1 + Math.floor(random() * 28)).padStart(2, '0');
      const west = Math.round(random() * 3500 - 1800) / 10;
      const south = Math.round(random() * 1600 - 850) / 10;
      return encoder.encode(
        `<record xmlns="${NAMESPACE}"><id>bench:${number}</id><title>${words(6 + Math.floor(random() * 5))}</title>` +
          `<abstract>${words(35 + Math.floor(random() * 25))}</abstract>` +
          `<body edition="${edition}">${words(60 + Math.floor(random() * 40))}</body>` +
          `<region>region ${skewed(40)}</region><mission>mission ${skewed(300)}</mission>` +
          `<sensor>sensor ${skewed(1500)}</sensor><keyword>keyword ${skewed(5000)}</keyword><keyword>keyword ${skewed(5000)}</keyword>` +
          `<when>${year}-${month}-${day}</when><depth>${Math.round(random() * 60000) / 10}</depth>` +
          `<area west="${west}" south="${south}" east="${Math.min(180, west + random() * 20).toFixed(1)}" north="${Math.min(90, south + random() * 10).toFixed(1)}"/></record>`,
      );
    },
  };
}
