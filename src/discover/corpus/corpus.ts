/** The texts of a snapshot as one thing: documents with what they say of themselves, and how often each word stands. */
import type { Instant } from '../../core/model.ts';
import type { DocumentFacts } from '../documents/describe-document.ts';

export interface CorpusDocument extends DocumentFacts {
  readonly url: string;
  /** As of candidates. */
  readonly key: string;
  readonly capturedAt: Instant;
  readonly mediaType: string;
  readonly language?: string;
  /** Of the payload. */
  readonly digest?: string;
  /** The blob with its text, UTF-8. */
  readonly text: { readonly digest: string; readonly size: number };
  /** How many there are in all. */
  readonly wordCount: number;
  /** The most frequent that tell something. */
  readonly words: Readonly<Record<string, number>>;
  /** Keys of pages on other hosts, and of candidates, that it links to. */
  readonly linksTo: readonly string[];
}

export interface CorpusWord {
  readonly word: string;
  readonly count: number;
  /** That have it. */
  readonly documents: number;
}

export interface Corpus {
  readonly acronym: string;
  /** Identifier of the item. */
  readonly snapshot: string;
  readonly madeAt: Instant;
  readonly documents: readonly CorpusDocument[];
  /** Keys of documents by keys of seeds, of those that were redirected. */
  readonly landings: Readonly<Record<string, string>>;
  readonly wordCount: number;
  /** Most frequent first, so many at most. */
  readonly words: readonly CorpusWord[];
  /** What of the snapshot could not be read. */
  readonly unread: readonly { readonly url: string; readonly reason: string }[];
}

/** `20261115T030000Z`: what names a corpus beside its topic. */
export const stampOf = (snapshot: string): string => snapshot.slice(snapshot.lastIndexOf(':') + 1);
