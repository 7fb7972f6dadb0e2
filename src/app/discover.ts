/** Discovery put together: engines of the config with a client and a gate each, and looks that obey robots.txt. */
import { join } from 'node:path';
import type { Garner } from '../app.ts';
import { GarnerError } from '../core/errors.ts';
import type { Log } from '../core/log.ts';
import { nearestNames } from '../core/nearest.ts';
import { systemClock } from '../core/time.ts';
import { parseRobots } from '../crawl/robots/parse-robots.ts';
import { ALLOW_ALL, type RobotsVerdict, rulesFor } from '../crawl/robots/robots-rules.ts';
import type { FetchStart } from '../discover/categories/look.ts';
import {
  createEngineGate,
  discoverTopic,
  ENGINES,
  findFinished,
  harvestedEngine,
  type OpenEngine,
  openTopicRuns,
  quotaFile,
  type RunTopicOptions,
  runTopic,
  type Topic,
  type TopicReport,
  type TopicRun,
} from '../discover/index.ts';
import { createHostGate, createHttpClient, type HttpClient, userAgent } from '../harvest/http/index.ts';
import { systemSleep } from '../harvest/http/policy.ts';
import { mapHosts } from '../net/host-map.ts';

export interface Discovery extends Disposable {
  /** Asks, stores the list, and tells what came of it. */
  run(acronym: string, options?: RunTopicOptions): Promise<TopicReport>;
  /** Asks and lists; nothing is stored and no found host is looked at. */
  list(acronym: string, options?: RunTopicOptions): Promise<TopicRun>;
  /** `topic.unknown` with its neighbours. */
  getTopic(acronym: string): Topic;
}

const ROBOT = 'Garner';
const LOOK_TIMEOUT_MS = 15_000;
const MAX_ROBOTS_BYTES = 512 * 1024;

export function openDiscovery(garner: Garner, log: Log): Discovery {
  const { config, store, topics } = garner;
  const { fusion: method, allowPrivate, look, lookDelayMs, keepRuns } = config.discover;
  const clients: HttpClient[] = [];
  const runs = openTopicRuns(config.data);
  const engines = openEngines(garner, clients);

  const getTopic = (acronym: string): Topic => {
    const topic = topics.get(acronym);
    if (topic) return topic;
    const near = nearestNames(acronym, [...topics.keys()]);
    const hint = near.length > 0 ? `; did you mean ${near.join(' or ')}?` : '';
    throw new GarnerError('topic.unknown', `there is no topic ${acronym}${hint}`);
  };
  const depsFor = (topic: Topic) => {
    const chosen = engines.filter(({ name }) => topic.engines?.includes(name) ?? true);
    if (chosen.length === 0)
      throw new GarnerError('usage.invalid', 'the config names no engine to ask; see `engines`');
    return { engines: chosen, clock: systemClock, method, allowPrivate };
  };

  return {
    getTopic,
    run(acronym, options) {
      const topic = getTopic(acronym);
      return runTopic(
        topic,
        {
          ...depsFor(topic),
          store,
          blobs: store.blobs,
          runs,
          log,
          keepRuns,
          ...(look && { fetchStart: createFetchStart(garner, lookDelayMs, clients) }),
        },
        options,
      );
    },
    list(acronym, options = {}) {
      const topic = getTopic(acronym);
      const before = findFinished(runs, acronym);
      return discoverTopic(topic, depsFor(topic), { runId: 0, ...(before && { before }), ...options });
    },
    [Symbol.dispose]() {
      for (const client of clients) client.close();
    },
  };
}

function openEngines({ config, store }: Garner, clients: HttpClient[]): OpenEngine[] {
  const { baseUrl, adminEmail } = config.repository;
  return Object.entries(config.engines).map(([name, engineConfig]) => {
    const { kind, delayMs, quota, timeoutMs, allowPrivate, attempts } = engineConfig;
    const engine =
      engineConfig.kind === 'harvested'
        ? harvestedEngine(store.search, engineConfig.sources)
        : ENGINES[engineConfig.kind](engineConfig);
    const http = createHttpClient({
      userAgent: userAgent({ url: baseUrl, email: adminEmail }),
      allowPrivate,
      connectTimeoutMs: timeoutMs,
      idleTimeoutMs: timeoutMs,
      totalTimeoutMs: 4 * timeoutMs,
      ...mapHosts(config.net.hosts),
      ...(engine.headers && { headers: engine.headers }),
    });
    clients.push(http);
    const gate = createEngineGate(
      name,
      { delayMs, ...(quota && { quota }) },
      { clock: systemClock, sleep: systemSleep },
      quotaFile(join(config.data, 'topics', '.quota'), name),
    );
    const secret = 'key' in engineConfig ? engineConfig.key : undefined;
    return { name, kind, attempts, secret, engine, http, gate };
  });
}

function createFetchStart({ config }: Garner, delayMs: number, clients: HttpClient[]): FetchStart {
  const { baseUrl, adminEmail } = config.repository;
  const client = createHttpClient({
    userAgent: userAgent({ url: baseUrl, email: adminEmail }),
    allowPrivate: config.discover.allowPrivate,
    attempts: 1,
    delayMs,
    hostGate: createHostGate(),
    connectTimeoutMs: LOOK_TIMEOUT_MS,
    idleTimeoutMs: LOOK_TIMEOUT_MS,
    totalTimeoutMs: LOOK_TIMEOUT_MS,
    maxRedirects: 5,
    ...mapHosts(config.net.hosts),
  });
  clients.push(client);
  const rules = new Map<string, Promise<RobotsVerdict>>();
  return async (url, maxBytes, signal) => {
    const { origin } = new URL(url);
    let verdict = rules.get(origin);
    if (!verdict) {
      verdict = fetchRobots(client, origin, signal);
      rules.set(origin, verdict);
    }
    if (!(await verdict).isAllowed(new URL(url)))
      throw new GarnerError('crawl.robots', `robots.txt of ${origin} does not let robots look`);
    const response = await client.request({
      url,
      headers: { range: `bytes=0-${maxBytes - 1}`, accept: '*/*' },
      ...(signal && { signal }),
    });
    const chunks: Uint8Array[] = [];
    let size = 0;
    for await (const chunk of response.body) {
      chunks.push(chunk);
      size += chunk.length;
      if (size >= maxBytes) break;
    }
    const contentType = response.headers.get('content-type');
    return {
      bytes: Buffer.concat(chunks).subarray(0, maxBytes),
      url: response.url,
      ...(contentType !== undefined && { contentType }),
    };
  };
}

/** RFC 9309 §2.3.1: a missing file allows all; a host in trouble allows nothing, which is the client's error. */
async function fetchRobots(
  client: HttpClient,
  origin: string,
  signal: AbortSignal | undefined,
): Promise<RobotsVerdict> {
  const { status, bytes } = await client.read(
    {
      url: `${origin}/robots.txt`,
      accept: (code) => code < 500 && code !== 429,
      ...(signal && { signal }),
    },
    MAX_ROBOTS_BYTES,
  );
  return status === 200 ? rulesFor(parseRobots(bytes), ROBOT) : ALLOW_ALL;
}
