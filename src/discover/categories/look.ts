/** A look at an address: the beginning of what is there, if its host lets robots. */
import { readContent } from '../../archive/content/index.ts';
import { isHtmlType, isXhtmlType } from '../../archive/content/media-type.ts';
import { sniffType } from '../../archive/content/sniff.ts';
import { asGarnerError, GarnerError } from '../../core/errors.ts';
import { canonicalKey } from '../fusion/canonical.ts';
import { refuse } from '../fusion/refuse.ts';
import { tellingWords } from '../words/word-counts.ts';
import type { Look } from './categorise.ts';

/** Brought by the composition root, which knows robots.txt and politeness. */
export type FetchStart = (
  url: string,
  maxBytes: number,
  signal?: AbortSignal,
) => Promise<{ readonly bytes: Uint8Array; readonly contentType?: string; readonly url: string }>;

export interface Looked {
  readonly look?: Look;
  /** Where redirects led. */
  readonly landedAt?: string;
  /** Why there is none. */
  readonly failure?: string;
  /** Its name, or where it leads, is in a private network. */
  readonly isPrivate?: true;
  /** Of a page. */
  readonly words?: Readonly<Record<string, number>>;
  /** Keys of addresses that the page links to. */
  readonly linksTo?: ReadonlySet<string>;
}

const FIRST_BYTES = 32 * 1024;
const MOST_WORDS = 80;

export async function lookAt(url: string, fetchStart: FetchStart, signal?: AbortSignal): Promise<Looked> {
  try {
    const { bytes, contentType, url: landedAt } = await fetchStart(url, FIRST_BYTES, signal);
    const { type, by } = sniffType(bytes, contentType, landedAt);
    return {
      look: { mediaType: type, by },
      ...(landedAt !== url && { landedAt }),
      ...((isHtmlType(type) || isXhtmlType(type)) && (await readPage(bytes, contentType, landedAt))),
    };
  } catch (thrown) {
    if (signal?.aborted) throw thrown;
    if (!(thrown instanceof GarnerError)) throw asGarnerError(thrown);
    return { failure: thrown.message, ...(thrown.code === 'http.address' && { isPrivate: true }) };
  }
}

async function readPage(
  bytes: Uint8Array,
  contentType: string | undefined,
  url: string,
): Promise<Pick<Looked, 'words' | 'linksTo'>> {
  const { links, text, extracted } = await readContent({
    url,
    bytes: Buffer.from(bytes),
    ...(contentType !== undefined && { headers: [['content-type', contentType]] }),
  });
  const described = extracted.meta.filter(({ name }) => /^(?:description|keywords|abstract)$/i.test(name));
  return {
    words: tellingWords(
      [extracted.title ?? '', ...described.map(({ content }) => content), text],
      MOST_WORDS,
    ),
    linksTo: linkedKeys(links),
  };
}

/** Keys of the pages that links lead to. */
export function linkedKeys(links: readonly { readonly kind: string; readonly url: string }[]): Set<string> {
  const keys = new Set<string>();
  for (const { kind, url } of links)
    if (kind === 'page' && refuse(url, true) === undefined) keys.add(canonicalKey(url));
  return keys;
}
