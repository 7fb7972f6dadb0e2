/** One topic from query to list: ask, fuse, look, compare; told after each step. */
import { asGarnerError } from '../../core/errors.ts';
import type { Clock } from '../../core/time.ts';
import type { BlobStore } from '../../store/index.ts';
import { categorise } from '../categories/categorise.ts';
import { type FetchStart, type Looked, lookAt } from '../categories/look.ts';
import { createAsk, type DiscoverHttp } from '../engines/ask.ts';
import type { SearchEngine } from '../engines/engine.ts';
import type { EngineGate } from '../engines/gate.ts';
import { type FusedCandidate, type Fusion, type FusionMethod, fuse } from '../fusion/fuse.ts';
import type { TopicQuestion } from '../topics/topic.ts';
import { compareRuns } from './compare.ts';
import { keepLooks, linkedFromOf } from './looks.ts';
import type { Candidate, EngineReport, TopicCrawl, TopicRun } from './topic-run.ts';

/** An engine of the config, ready to be asked. */
export interface OpenEngine {
  readonly name: string;
  readonly kind: string;
  /** How often one request is tried. */
  readonly attempts: number;
  /** The provider's key, never to be shown. */
  readonly secret?: string | undefined;
  readonly engine: SearchEngine;
  readonly http: DiscoverHttp;
  readonly gate: EngineGate;
}

export interface DiscoverDeps {
  readonly engines: readonly OpenEngine[];
  readonly clock: Clock;
  readonly method: FusionMethod;
  readonly allowPrivate: boolean;
  /** Absent: raw answers are not kept. */
  readonly blobs?: BlobStore;
  /** Absent: nobody is looked at. */
  readonly fetchStart?: FetchStart;
}

export interface DiscoverOptions {
  readonly runId: number;
  /** The last finished run. */
  readonly before?: TopicRun;
  /** An interrupted run: engines that were done are not asked again. */
  readonly interrupted?: TopicRun;
  /** What is to be crawled of the finished list; told together with its end, so that neither is without the other. */
  readonly plan?: (list: TopicRun) => TopicCrawl | undefined;
  /** After every step that changed something. */
  readonly onChange?: (run: TopicRun) => void;
  readonly signal?: AbortSignal;
}

/** Hosts looked at together; each is asked one page at a time by the politeness of `fetchStart`. */
const LOOKS_AT_ONCE = 8;
/** A list is not written out for every single look, and a long one not a hundred times. */
const LEAST_LOOKS_TOLD = 10;
const MOST_TOLD = 50;

export async function discoverTopic(
  topic: TopicQuestion,
  deps: DiscoverDeps,
  options: DiscoverOptions,
): Promise<TopicRun> {
  const { clock, fetchStart } = deps;
  const { before, interrupted, signal } = options;
  const looks = keepLooks(interrupted);
  const reports = deps.engines.map(({ name, kind }): EngineReport => {
    const known = interrupted?.engines.find((engine) => engine.name === name);
    if (known?.status === 'done') return known;
    return { name, kind, status: 'waiting', lists: [], answers: [] };
  });
  let run: TopicRun = {
    acronym: topic.acronym,
    title: topic.title,
    runId: options.runId,
    queries: topic.queries,
    depth: topic.depth,
    method: deps.method,
    startedAt: clock(),
    step: 'asking',
    looked: 0,
    engines: reports,
    candidates: [],
    refused: [],
    ...(before && { comparedWith: before.runId }),
    gone: [],
    ...(before?.found && { found: before.found }),
  };
  const tell = (change: Partial<TopicRun>): void => {
    const lists = reports.flatMap(({ name, lists: found }) =>
      found.map((results) => ({ engine: name, results })),
    );
    const fused = fuse(lists, {
      depth: topic.depth,
      method: deps.method,
      allowPrivate: deps.allowPrivate,
    });
    const { candidates, refused } = refusePrivate(fused, looks);
    const linkedFrom = linkedFromOf(candidates, looks);
    const compared = compareRuns(
      candidates.map((candidate, i) => describe(candidate, i + 1, looks.get(candidate.key), linkedFrom)),
      before,
    );
    const keys = new Set(candidates.map(({ key }) => key));
    const found = run.found?.filter(({ key }) => !keys.has(key));
    run = {
      ...run,
      ...change,
      engines: [...reports],
      ...compared,
      ...(found && { found }),
      refused,
      looked: looks.size,
    };
    options.onChange?.(run);
  };
  const report = (i: number, change: Partial<EngineReport>): void => {
    const old = reports[i];
    if (old) reports[i] = { ...old, ...change };
  };

  tell({});
  await Promise.all(
    deps.engines.map(async (open, i) => {
      if (reports[i]?.status === 'done') return;
      report(i, { status: 'asking' });
      try {
        await askEngine(open, topic, deps, signal, (change) => report(i, change));
        report(i, { status: 'done' });
      } catch (thrown) {
        if (signal?.aborted) throw thrown;
        const { code, message } = asGarnerError(thrown);
        report(i, { status: 'failed', code, message });
      }
      tell({});
    }),
  );

  if (fetchStart) {
    tell({ step: 'looking' });
    const waiting = run.candidates.filter(({ key }) => !looks.has(key));
    const toldAfter = Math.max(LEAST_LOOKS_TOLD, Math.ceil(waiting.length / MOST_TOLD));
    await Promise.all(
      Array.from({ length: LOOKS_AT_ONCE }, async () => {
        for (let next = waiting.shift(); next; next = waiting.shift()) {
          looks.set(next.key, await lookAt(next.url, fetchStart, signal));
          if (looks.size % toldAfter === 0) tell({});
        }
      }),
    );
  }
  const crawl = options.plan?.(run);
  tell({ step: 'done', endedAt: clock(), ...(crawl && { crawl }) });
  return run;
}

/** Names do not show that they lead into a private network; only a look does. */
function refusePrivate({ candidates, refused }: Fusion, looks: ReadonlyMap<string, Looked>): Fusion {
  const isPrivate = ({ key }: FusedCandidate) => looks.get(key)?.isPrivate === true;
  if (!candidates.some(isPrivate)) return { candidates, refused };
  const more = candidates.filter(isPrivate).flatMap(({ url, ranks }) =>
    Object.entries(ranks).map(([engine, rank]) => ({
      url,
      engine,
      rank,
      reason: 'leads to a private network',
    })),
  );
  return {
    candidates: candidates.filter((candidate) => !isPrivate(candidate)),
    refused: [...refused, ...more],
  };
}

function describe(
  candidate: FusedCandidate,
  position: number,
  looked: Looked | undefined,
  linkedFrom: ReadonlyMap<string, readonly string[]>,
): Candidate {
  const from = linkedFrom.get(candidate.key);
  return {
    ...candidate,
    position,
    category: categorise(candidate, looked?.look),
    ...(looked?.landedAt !== undefined && { landedAt: looked.landedAt }),
    ...(looked?.failure !== undefined && { lookFailure: looked.failure }),
    ...(looked?.words && { words: looked.words }),
    ...(from && { linkedFrom: from }),
  };
}

async function askEngine(
  { attempts, secret, engine, http, gate }: OpenEngine,
  topic: TopicQuestion,
  deps: DiscoverDeps,
  signal: AbortSignal | undefined,
  report: (change: Partial<EngineReport>) => void,
): Promise<void> {
  const answers: EngineReport['answers'][number][] = [];
  const ask = createAsk({
    http,
    gate,
    clock: deps.clock,
    attempts,
    secret,
    ...(deps.blobs && { blobs: deps.blobs }),
    onAnswer: (answer) => {
      answers.push(answer);
      report({ answers: [...answers] });
    },
    ...(signal && { signal }),
  });
  const lists: EngineReport['lists'][number][] = [];
  for (const query of topic.queries) {
    let found: EngineReport['lists'][number] = [];
    for await (const page of engine.search(query, topic.depth, ask)) {
      found = [...found, ...page];
      // What came before a failure counts.
      report({ lists: [...lists, found] });
    }
    lists.push(found);
  }
}
