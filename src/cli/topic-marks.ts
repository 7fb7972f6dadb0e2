/** `garner topics mark`, `marks` and `why`: what curators think of candidates, and what Garner makes of it. */
import { openRelevance } from '../app/relevance.ts';
import type { Garner } from '../app.ts';
import { GarnerError } from '../core/errors.ts';
import { nearestNames } from '../core/nearest.ts';
import { systemClock } from '../core/time.ts';
import {
  type CandidateReasons,
  explainCandidate,
  findFinished,
  isCandidateAddress,
  MARKS,
  openTopicRuns,
  type Topic,
} from '../discover/index.ts';
import { callerName } from './caller-name.ts';
import { formatTable, type Terminal } from './terminal.ts';
import type { ExitCode } from './verb.ts';

export const TOPIC_ACTIONS = ['mark', 'marks', 'why'] as const;
export type TopicAction = (typeof TOPIC_ACTIONS)[number];

export function actOnTopic(
  action: TopicAction,
  [acronym, ...rest]: readonly string[],
  garner: Garner,
  terminal: Terminal,
): ExitCode {
  const topic = getTopic(garner, acronym);
  switch (action) {
    case 'mark':
      return markCandidates(garner, topic, rest, terminal);
    case 'marks':
      return listMarks(garner, topic, terminal);
    case 'why':
      return explain(garner, topic, rest, terminal);
  }
}

function getTopic({ topics }: Garner, acronym = ''): Topic {
  const topic = topics.get(acronym);
  if (topic) return topic;
  const near = nearestNames(acronym, [...topics.keys()]);
  throw new GarnerError(
    'topic.unknown',
    `there is no topic ${acronym || '(none was given)'}${near.length > 0 ? `; did you mean ${near.join(' or ')}?` : ''}`,
  );
}

function markCandidates(
  garner: Garner,
  topic: Topic,
  words: readonly string[],
  terminal: Terminal,
): ExitCode {
  const mark = [...MARKS, 'none' as const].find((one) => one === words.at(-1));
  const urls = words.slice(0, -1);
  if (mark === undefined || urls.length === 0)
    throw new GarnerError('usage.invalid', 'write: garner topics mark ACRONYM URL… good|bad|none');
  const wrong = urls.find((url) => !isCandidateAddress(url));
  if (wrong !== undefined) throw new GarnerError('usage.invalid', `${wrong} is no http or https address`);
  const { marks } = openRelevance(garner);
  const by = callerName();
  const at = systemClock();
  marks.add(
    topic.acronym,
    urls.map((url) => ({ url, mark, by, at })),
  );
  const now = marks.read(topic.acronym);
  terminal.answer({ marks: [...now.values()] });
  const good = [...now.values()].filter((one) => one.mark === 'good').length;
  terminal.say(`${topic.acronym}: ${good} good and ${now.size - good} bad examples`);
  return 0;
}

function listMarks(garner: Garner, { acronym }: Topic, terminal: Terminal): ExitCode {
  const marks = [...openRelevance(garner).marks.read(acronym).values()];
  terminal.answer({ marks });
  for (const line of formatTable(
    marks.map(({ mark, by, at, url }) => [mark, by, new Date(at).toISOString(), url]),
  ))
    terminal.say(line);
  return 0;
}

function explain(garner: Garner, topic: Topic, [url]: readonly string[], terminal: Terminal): ExitCode {
  if (url === undefined) throw new GarnerError('usage.invalid', 'write: garner topics why ACRONYM URL');
  const list = findFinished(openTopicRuns(garner.config.data), topic.acronym);
  if (!list) throw new GarnerError('usage.invalid', `${topic.acronym} has no list yet`);
  const assessment = openRelevance(garner).assess(topic, list);
  const reasons = explainCandidate(list, assessment, url);
  if (!reasons)
    throw new GarnerError('topic.candidate', `the list of run ${list.runId} does not have ${url}`);
  terminal.answer({ run: list.runId, rule: assessment.rule, ...reasons });
  for (const line of describeReasons(reasons)) terminal.say(line);
  terminal.say(`  crawled are ${assessment.rule}`);
  return 0;
}

function describeReasons(reasons: CandidateReasons): string[] {
  const { url, title, position, weight, weights, kind, kindReason, verdict, outcome } = reasons;
  const sum = weights.map(({ engine, rank, worth }) => `${Number(worth.toFixed(4))} (${engine} at ${rank})`);
  return [
    `${url}${title === undefined ? '' : `: ${title}`}`,
    position === undefined
      ? '  no engine gave it'
      : `  at ${position}, weight ${Number(weight.toFixed(4))} = ${sum.join(' + ')}`,
    `  ${kind}: ${kindReason}`,
    `  score ${verdict.score.toFixed(2)}`,
    ...verdict.parts.map(({ name, value, reason }) => `    ${name} ${value.toFixed(2)}: ${reason}`),
    `  ${verdict.accepted ? 'accepted' : 'not accepted'}: ${verdict.because}${verdict.mark ? ` by ${verdict.mark.by}, ${new Date(verdict.mark.at).toISOString()}` : ''}`,
    ...(outcome
      ? [
          `  in the crawl: ${[outcome.state, outcome.status, outcome.reason].filter((part) => part !== undefined).join(', ')}`,
        ]
      : []),
  ];
}
