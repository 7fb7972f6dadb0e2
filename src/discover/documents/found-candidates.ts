/**
 * New candidates out of documents, one hop from what engines found: publications that they cite or speak of, and
 * pages of their authors. They are listed as what they are, and only a score or a mark lets them be crawled.
 */
import { canonicalKey } from '../fusion/canonical.ts';
import { refuse } from '../fusion/refuse.ts';
import { countWords } from '../words/word-counts.ts';
import type { DocumentFacts } from './describe-document.ts';
import type { FoundIdentifier } from './identifiers.ts';

export type FoundWhere = 'references' | 'text' | 'authors';

export interface FoundPlace {
  /** Of the document. */
  readonly url: string;
  readonly key: string;
  readonly where: FoundWhere;
}

export interface FoundCandidate {
  readonly key: string;
  readonly url: string;
  readonly kind: 'publication' | 'author page';
  /** The reference, or the author's name. */
  readonly title?: string;
  readonly identifier?: { readonly kind: FoundIdentifier['kind']; readonly value: string };
  /** At least one. */
  readonly foundIn: readonly FoundPlace[];
  /** Of the reference. */
  readonly words: Readonly<Record<string, number>>;
}

interface Source extends DocumentFacts {
  readonly url: string;
  readonly key: string;
}

const MOST_FOUND = 500;

/** Those that most documents have first; without those that are known already. */
export function findCandidates(
  documents: readonly Source[],
  known: ReadonlySet<string>,
  allowPrivate: boolean,
): FoundCandidate[] {
  const found = new Map<string, FoundCandidate>();
  const add = (
    { url: from, key: fromKey }: Source,
    where: FoundWhere,
    url: string,
    more: Pick<FoundCandidate, 'kind'> & { title?: string | undefined; identifier?: FoundIdentifier },
  ): void => {
    if (refuse(url, allowPrivate) !== undefined) return;
    const key = canonicalKey(url);
    if (known.has(key) || key === fromKey) return;
    const { kind, title, identifier } = more;
    const place = { url: from, key: fromKey, where };
    const before = found.get(key);
    const name = before?.title ?? title;
    found.set(key, {
      key,
      url: before?.url ?? url,
      kind,
      ...(name !== undefined && { title: name }),
      ...(identifier && { identifier: { kind: identifier.kind, value: identifier.value } }),
      foundIn: before?.foundIn.some((one) => one.key === fromKey)
        ? before.foundIn
        : [...(before?.foundIn ?? []), place],
      words: Object.fromEntries(countWords([name ?? ''])),
    });
  };
  for (const document of documents) {
    const identified = (where: FoundWhere, identifier: FoundIdentifier, title?: string) => {
      if (identifier.url === undefined) return;
      const kind = identifier.kind === 'orcid' ? 'author page' : 'publication';
      add(document, where, identifier.url, { kind, title, identifier });
    };
    for (const { text, identifiers } of document.references)
      for (const identifier of identifiers) identified('references', identifier, text);
    for (const identifier of document.mentioned) identified('text', identifier);
    for (const { url, name } of document.authorPages)
      add(document, 'authors', url, { kind: 'author page', title: name });
  }
  return [...found.values()]
    .sort((a, b) => b.foundIn.length - a.foundIn.length || (a.key < b.key ? -1 : 1))
    .slice(0, MOST_FOUND);
}
