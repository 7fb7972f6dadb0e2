/** A corpus to take home: texts, metadata and word frequencies in one zip file. */
import { type StreamedEntry, streamZip } from '../../archive/wacz/zip-stream.ts';
import type { BlobStore } from '../../store/index.ts';
import { type Corpus, type CorpusDocument, stampOf } from './corpus.ts';

/** Words hold letters and digits only, so that nothing is to be quoted. */
export function writeWordTable({ words }: Pick<Corpus, 'words'>): string {
  const rows = words.map(({ word, count, documents }) => `${word},${count},${documents}\r\n`);
  return `word,count,documents\r\n${rows.join('')}`;
}

/** For programs; `file` is the name of the text in the zip file. */
export function writeCorpusDocument({ documents, acronym, snapshot, madeAt, wordCount, unread }: Corpus) {
  return {
    topic: acronym,
    snapshot,
    madeAt: new Date(madeAt).toISOString(),
    words: wordCount,
    documents: documents.map(({ text, capturedAt, ...document }, i) => ({
      file: fileName(document, i),
      ...document,
      capturedAt: new Date(capturedAt).toISOString(),
      textDigest: text.digest,
    })),
    unread,
  };
}

export function exportCorpus(corpus: Corpus, blobs: Pick<BlobStore, 'read'>): AsyncGenerator<Uint8Array> {
  const folder = `${corpus.acronym}-${stampOf(corpus.snapshot)}`;
  async function* entries(): AsyncGenerator<StreamedEntry> {
    yield {
      name: `${folder}/corpus.json`,
      bytes: Buffer.from(`${JSON.stringify(writeCorpusDocument(corpus), undefined, 1)}\n`),
    };
    yield { name: `${folder}/words.csv`, bytes: Buffer.from(writeWordTable(corpus)) };
    for (const [i, document] of corpus.documents.entries())
      yield {
        name: `${folder}/${fileName(document, i)}`,
        bytes: Buffer.from(await readText(document, blobs)),
      };
  }
  return streamZip(entries(), corpus.madeAt);
}

export async function readText(
  { text }: Pick<CorpusDocument, 'text'>,
  blobs: Pick<BlobStore, 'read'>,
): Promise<string> {
  const parts: Uint8Array[] = [];
  for await (const part of blobs.read(text.digest)) parts.push(part);
  return Buffer.concat(parts).toString('utf8');
}

/** `texts/0003-www.example.org-papers-clouds.txt`. */
function fileName({ url }: Pick<CorpusDocument, 'url'>, index: number): string {
  const name = url
    .replace(/^https?:\/\//, '')
    .replace(/[^A-Za-z0-9.]+/g, '-')
    .replace(/^[-.]+|[-.]+$/g, '')
    .slice(0, 80);
  return `texts/${String(index + 1).padStart(4, '0')}-${name}.txt`;
}
