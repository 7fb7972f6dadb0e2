/** Corpora as files beside the store, `topics/ACRONYM/corpus/STAMP.json`; their texts are blobs. */
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { findWhole, unlessAbsent, writeWhole } from '../run/whole-file.ts';
import { type Corpus, stampOf } from './corpus.ts';

export interface Corpora {
  /** Stamps of the snapshots that have one, newest first. */
  list(acronym: string): readonly string[];
  find(acronym: string, stamp: string): Corpus | undefined;
  findNewest(acronym: string): Corpus | undefined;
  write(corpus: Corpus): void;
}

/** The number is that of several that began in one second. */
const STAMP = /^\d{8}T\d{6}Z(?:\.\d{2,})?$/;
/** Raised when the document's shape changes: older files are then as if they were not there. */
const SHAPE = 1;
const MOST_READ = 6;

export function openCorpora(dataFolder: string): Corpora {
  const folderOf = (acronym: string) => join(dataFolder, 'topics', acronym, 'corpus');
  const list = (acronym: string): string[] =>
    unlessAbsent(() => readdirSync(folderOf(acronym)), [])
      .filter((name) => name.endsWith('.json'))
      .map((name) => name.slice(0, -'.json'.length))
      .filter((stamp) => STAMP.test(stamp))
      .sort()
      .reverse();
  /** Files are large, and each page of a topic asks for the newest. */
  const read = new Map<string, { readonly modifiedAt: number; readonly corpus: Corpus | undefined }>();
  const find = (acronym: string, stamp: string): Corpus | undefined => {
    if (!STAMP.test(stamp)) return undefined;
    const path = join(folderOf(acronym), `${stamp}.json`);
    const modifiedAt = unlessAbsent(() => statSync(path).mtimeMs, 0);
    const known = read.get(path);
    if (known?.modifiedAt === modifiedAt) return known.corpus;
    const text = findWhole(path);
    if (text === undefined) return undefined;
    const { shape, corpus } = JSON.parse(text) as { shape: number; corpus: Corpus };
    const [oldest] = read.keys();
    if (read.size >= MOST_READ && oldest !== undefined) read.delete(oldest);
    read.set(path, { modifiedAt, corpus: shape === SHAPE ? corpus : undefined });
    return shape === SHAPE ? corpus : undefined;
  };
  return {
    list,
    find,
    findNewest: (acronym) => {
      for (const stamp of list(acronym)) {
        const corpus = find(acronym, stamp);
        if (corpus) return corpus;
      }
      return undefined;
    },
    write: (corpus) =>
      writeWhole(
        join(folderOf(corpus.acronym), `${stampOf(corpus.snapshot)}.json`),
        JSON.stringify({ shape: SHAPE, corpus }),
      ),
  };
}
