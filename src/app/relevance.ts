/** Relevance put together: the marks of a topic and the texts and links of its archive, for plans and pages. */
import type { Garner } from '../app.ts';
import {
  type Assessment,
  assess,
  type Corpus,
  openCorpora,
  openTopicMarks,
  type Topic,
  type TopicCrawl,
  type TopicMarks,
  type TopicRun,
} from '../discover/index.ts';

export interface Relevance {
  readonly marks: TopicMarks;
  /** By the marks and the archive as they are now. */
  assess(topic: Topic, list: TopicRun): Assessment;
  /** What is to be crawled of a list; undefined when nothing is. */
  plan(topic: Topic, list: TopicRun): TopicCrawl | undefined;
}

export function openRelevance({ config }: Pick<Garner, 'config'>): Relevance {
  const marks = openTopicMarks(config.data);
  const corpora = openCorpora(config.data);
  const judge = ({ acronym, top }: Topic, list: TopicRun): Assessment => {
    const known = corpora
      .list(acronym)
      .slice(0, CORPORA)
      .flatMap((stamp) => corpora.find(acronym, stamp) ?? []);
    return assess(withLinks(list, known), { marks: marks.read(acronym), texts: textsOf(known), top });
  };
  return {
    marks,
    assess: judge,
    plan(topic, list) {
      const { verdicts, rule } = judge(topic, list);
      const isAccepted = ({ key }: { key: string }) => verdicts.get(key)?.accepted === true;
      const seeds = [
        ...list.candidates.filter(isAccepted).map(({ key, url }) => ({ key, url })),
        ...(list.found ?? []).filter(isAccepted).map(({ key, url }) => ({ key, url, hop: true as const })),
      ];
      return seeds.length === 0 ? undefined : { state: 'waiting', seeds, rule };
    },
  };
}

/** What is not crawled any more has its text in an older one. */
const CORPORA = 5;

/** Newest first, as the corpora are. Documents that stand for a seed count under its key, too. */
function textsOf(corpora: readonly Corpus[]): Map<string, Readonly<Record<string, number>>> {
  const texts = new Map<string, Readonly<Record<string, number>>>();
  for (const { documents, landings } of corpora) {
    for (const { key, words } of documents) if (!texts.has(key)) texts.set(key, words);
    for (const [seed, landed] of Object.entries(landings)) {
      const words = texts.get(landed);
      if (words && !texts.has(seed)) texts.set(seed, words);
    }
  }
  return texts;
}

/** What a look saw of a page's beginning, the archive has in whole. */
function withLinks(list: TopicRun, corpora: readonly Corpus[]): TopicRun {
  const from = new Map<string, string[]>();
  for (const { key, linksTo } of corpora.flatMap(({ documents }) => documents))
    for (const target of linksTo) {
      const known = from.get(target);
      if (known) known.push(key);
      else from.set(target, [key]);
    }
  const landings: Readonly<Record<string, string>> = Object.assign(
    {},
    ...corpora.toReversed().map((corpus) => corpus.landings),
  );
  const linked = <T extends { key: string; linkedFrom?: readonly string[] }>(one: T): T => {
    const all = [one.key, landings[one.key] ?? one.key].flatMap((key) => from.get(key) ?? []);
    const linkedFrom = [...new Set([...(one.linkedFrom ?? []), ...all])].filter((key) => key !== one.key);
    return linkedFrom.length === 0 ? one : { ...one, linkedFrom };
  };
  return {
    ...list,
    candidates: list.candidates.map(linked),
    ...(list.found && {
      found: list.found.map((one) => linked({ ...one, linkedFrom: one.foundIn.map(({ key }) => key) })),
    }),
  };
}
