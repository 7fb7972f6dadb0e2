/** After a crawl: the documents of the snapshot are read into a corpus, and give links and new candidates. */
import type { Garner } from '../app.ts';
import { createPdfReader } from '../archive/content/index.ts';
import { systemClock } from '../core/time.ts';
import {
  buildCorpus,
  type Corpora,
  type Corpus,
  findCandidates,
  stampOf,
  type TopicRun,
} from '../discover/index.ts';
import type { AfterCrawl } from './topic-pipeline.ts';

export function createReadDocuments({ store, config }: Garner, corpora: Corpora): AfterCrawl {
  return async ({ topic: { acronym }, identifier, list }, signal) => {
    const known = corpora.find(acronym, stampOf(identifier));
    if (known) return withFindings(list, known);
    const pdf = createPdfReader();
    try {
      const corpus = await buildCorpus(
        { store, dataFolder: config.data, pdf },
        {
          acronym,
          snapshot: identifier,
          madeAt: systemClock(),
          seeds: list.crawl?.seeds ?? [],
          candidates: new Set(list.candidates.map(({ key }) => key)),
        },
        signal,
      );
      corpora.write(corpus);
      return withFindings(list, corpus);
    } finally {
      await pdf.close();
    }
  };

  function withFindings(list: TopicRun, { documents, landings }: Corpus): TopicRun {
    const seeds = list.crawl?.seeds ?? [];
    const hops = new Set(seeds.flatMap(({ key, hop }) => (hop ? [key, landings[key] ?? key] : [])));
    const keys = new Set(list.candidates.flatMap(({ key }) => [key, landings[key] ?? key]));
    const found = findCandidates(
      documents.filter(({ key }) => !hops.has(key)),
      keys,
      config.discover.allowPrivate,
    );
    return { ...list, found };
  }
}
