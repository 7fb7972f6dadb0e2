/** Topics and their lists, as a viewer may know of them. */
import { mayRead } from '../core/access-match.ts';
import { GarnerError } from '../core/errors.ts';
import type { Topic, TopicRun } from '../discover/index.ts';
import type { HttpContext } from './context.ts';
import type { TopicRoutesDeps } from './topic-pages.ts';

type TopicDeps = Pick<TopicRoutesDeps, 'topics' | 'runs' | 'access'>;

export function getReadableTopic(c: HttpContext, { topics, access }: TopicDeps, acronym: string): Topic {
  const topic = mayRead(access, c.get('viewer')) ? topics.get(acronym) : undefined;
  if (!topic) throw new GarnerError('topic.unknown', `there is no topic ${acronym}`);
  return topic;
}

export function findNewestList({ runs }: TopicDeps, acronym: string): TopicRun | undefined {
  return runs
    .list(acronym)
    .map((id) => runs.find(acronym, id))
    .find(Boolean);
}

/** Of the run that the request names, else the newest. */
export function findAskedList(c: HttpContext, deps: TopicDeps, { acronym }: Topic): TopicRun | undefined {
  const wanted = c.req.query('run');
  if (wanted === undefined) return findNewestList(deps, acronym);
  const run = /^\d{1,15}$/.test(wanted) ? deps.runs.find(acronym, Number(wanted)) : undefined;
  if (!run) throw new GarnerError('run.unknown', `${acronym} has no list of a run ${wanted.slice(0, 20)}`);
  return run;
}
