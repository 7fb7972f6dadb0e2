/** Relevance put together: the marks of a topic and the texts of its archive, for plans and pages. */
import type { Garner } from '../app.ts';
import {
  type Assessment,
  assess,
  openTopicMarks,
  type Topic,
  type TopicCrawl,
  type TopicMarks,
  type TopicRun,
} from '../discover/index.ts';

export interface Relevance {
  readonly marks: TopicMarks;
  /** By the marks as they are now. */
  assess(topic: Topic, list: TopicRun): Assessment;
  /** What is to be crawled of a list; undefined when nothing is. */
  plan(topic: Topic, list: TopicRun): TopicCrawl | undefined;
}

export function openRelevance({ config }: Pick<Garner, 'config'>): Relevance {
  const marks = openTopicMarks(config.data);
  const judge = (topic: Topic, list: TopicRun): Assessment =>
    assess(list, { marks: marks.read(topic.acronym), texts: new Map(), top: topic.top });
  return {
    marks,
    assess: judge,
    plan(topic, list) {
      const { verdicts, rule } = judge(topic, list);
      const seeds = list.candidates
        .filter(({ key }) => verdicts.get(key)?.accepted)
        .map(({ key, url }) => ({ key, url }));
      return seeds.length === 0 ? undefined : { state: 'waiting', seeds, rule };
    },
  };
}
