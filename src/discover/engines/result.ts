/** Results from what providers say: texts without markup, DOIs as addresses. */
import { decodeReferences } from '../../xml/start-tag.ts';
import { bareDoi, doiUrl } from '../doi.ts';
import type { EngineResult, Work } from './engine.ts';

interface Said {
  readonly url?: string | undefined;
  readonly doi?: string | undefined;
  readonly title?: string | undefined;
  readonly snippet?: string | undefined;
  readonly mediaType?: string | undefined;
  /** In the provider's own words; see `workOf`. */
  readonly type?: string | undefined;
}

/** Nothing when there is neither an address nor a DOI. A DOI is the address on which libraries agree. */
export function resultOf({ url, doi, title, snippet, mediaType, type }: Said): EngineResult[] {
  const bare = doi === undefined ? undefined : bareDoi(doi);
  const address = bare === undefined ? url : doiUrl(bare);
  if (address === undefined) return [];
  const work = workOf(type);
  return [
    {
      url: address,
      ...(title !== undefined && { title: plainText(title) }),
      ...(snippet !== undefined && { snippet: plainText(snippet) }),
      ...(mediaType !== undefined && { mediaType: mediaType.toLowerCase() }),
      ...(work && { work }),
      ...(bare !== undefined && { doi: bare }),
    },
  ];
}

const MAX_TEXT = 500;

/** Engines mark the words they found with tags. */
function plainText(text: string): string {
  return decodeReferences(text.replace(/<\/?[a-z][^>]*>/gi, ''))
    .replace(/\s+/g, ' ')
    .trim()
    .slice(0, MAX_TEXT);
}

const WORK_WORDS: readonly (readonly [RegExp, Work])[] = [
  [/data-?set|datafile|collection|database/i, 'dataset'],
  [/software|computationalnotebook|code/i, 'software'],
  [/presentation|slide|poster/i, 'slides'],
  [/image|figure|photo/i, 'image'],
  [/news|pressrelease/i, 'news'],
  [
    /article|paper|preprint|journal|proceedings|conference|review|thesis|dissertation|report|chapter|book|letter|text|posted|eprint|monograph|abstract/i,
    'article',
  ],
];

const workOf = (type: string | undefined): Work | undefined =>
  type === undefined ? undefined : WORK_WORDS.find(([words]) => words.test(type))?.[1];
