/** A corpus of a snapshot; the same snapshot always gives the same one. */
import type { Instant } from '../../core/model.ts';
import { linkedKeys } from '../categories/look.ts';
import { describeDocument } from '../documents/describe-document.ts';
import { canonicalKey } from '../fusion/canonical.ts';
import type { TopicSeed } from '../run/topic-run.ts';
import { countWords, isEmptyWord, sortCounts, type WordCounts } from '../words/word-counts.ts';
import type { Corpus, CorpusDocument } from './corpus.ts';
import { findLandings } from './landings.ts';
import { getSnapshot, type ReadDocument, readDocuments, type SnapshotReader } from './read-snapshot.ts';

export interface CorpusOrder {
  readonly acronym: string;
  /** Identifier of the item. */
  readonly snapshot: string;
  readonly madeAt: Instant;
  readonly seeds: readonly TopicSeed[];
  /** Keys of candidates; links to them are kept even within one host. */
  readonly candidates: ReadonlySet<string>;
}

const MOST_WORDS = 100_000;
const MOST_WORDS_OF_DOCUMENT = 200;
const MOST_LINKS = 300;

export async function buildCorpus(
  reader: SnapshotReader,
  { acronym, snapshot: identifier, madeAt, seeds, candidates }: CorpusOrder,
  signal?: AbortSignal,
): Promise<Corpus> {
  const snapshot = await getSnapshot(reader.store, acronym, identifier);
  const documents: CorpusDocument[] = [];
  const unread: { url: string; reason: string }[] = [];
  const counts = new Map<string, { count: number; documents: number }>();
  let wordCount = 0;
  for await (const read of readDocuments(reader, acronym, snapshot, signal)) {
    if ('reason' in read) {
      unread.push({ url: read.url, reason: read.reason });
      continue;
    }
    const words = countWords([read.text]);
    const document = await describe(reader, read, words, candidates);
    documents.push(document);
    wordCount += document.wordCount;
    for (const [word, count] of words) {
      const known = counts.get(word);
      if (known) {
        known.count += count;
        known.documents++;
      } else counts.set(word, { count, documents: 1 });
    }
  }
  const ordered = [...counts]
    .map(([word, { count, documents: having }]) => ({ word, count, documents: having }))
    .sort((a, b) => b.count - a.count || (a.word < b.word ? -1 : 1));
  return {
    acronym,
    snapshot: identifier,
    madeAt,
    documents,
    landings: await findLandings(reader.store, acronym, snapshot, seeds),
    wordCount,
    words: ordered.slice(0, MOST_WORDS),
    unread,
  };
}

async function describe(
  { store }: SnapshotReader,
  { url, line, reading, text }: Extract<ReadDocument, { reading: unknown }>,
  words: WordCounts,
  candidates: ReadonlySet<string>,
): Promise<CorpusDocument> {
  const { digest, size } = await store.blobs.put(bytesOf(text));
  const language = reading.extracted.languages[0]?.value;
  const key = canonicalKey(url);
  return {
    ...describeDocument(reading),
    url,
    key,
    capturedAt: line.at,
    mediaType: reading.type.type,
    ...(language !== undefined && { language }),
    ...(line.digest !== undefined && { digest: line.digest }),
    text: { digest, size },
    wordCount: [...words.values()].reduce((sum, count) => sum + count, 0),
    words: Object.fromEntries(
      sortCounts(words)
        .filter(([word]) => !isEmptyWord(word))
        .slice(0, MOST_WORDS_OF_DOCUMENT),
    ),
    linksTo: [...linkedKeys(reading.links)]
      .filter((other) => other !== key && (candidates.has(other) || hostOf(other) !== hostOf(key)))
      .slice(0, MOST_LINKS),
  };
}

async function* bytesOf(text: string): AsyncGenerator<Uint8Array> {
  yield Buffer.from(text);
}

/** Keys begin with it. */
const hostOf = (key: string): string => key.split(/[/?]/, 1)[0] ?? key;
