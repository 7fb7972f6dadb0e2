/**
 * ListIdentifiers as a feed of addresses: what a web server with OAI-PMH (mod_oai, `garner expose`) says has
 * come, changed or gone since the last time, without anything else being asked for.
 */
import { GarnerError } from '../../core/errors.ts';
import type { Instant, RecordProblem } from '../../core/model.ts';
import { createHttpClient, type HttpPolicy } from '../http/index.ts';
import { timingOf } from '../http/policy.ts';
import { createOaiConnection } from './connection.ts';
import { identify } from './identify.ts';
import { newListState } from './list-state.ts';
import { ListWalk } from './list-walk.ts';
import type { OaiHeader } from './record-piece.ts';
import { granuleMs } from './request.ts';

export interface UrlFeed {
  /** New or changed. */
  readonly urls: readonly string[];
  readonly deleted: readonly string[];
  /** The server's clock at the first page: where the next reading begins. Absent when there were gaps. */
  readonly readAt?: Instant;
  readonly problems: readonly RecordProblem[];
}

/** Every repository has it, and of records nothing but their identifiers is asked for. */
const PREFIX = 'oai_dc';
const isWebAddress = (identifier: string) => /^https?:\/\//i.test(identifier) && URL.canParse(identifier);

export async function readUrlFeed(
  baseUrl: string,
  policy: HttpPolicy,
  { sinceAt, signal }: { readonly sinceAt?: Instant; readonly signal: AbortSignal },
): Promise<UrlFeed> {
  const states = new Map<string, 'here' | 'gone'>();
  const problems: RecordProblem[] = [];
  const header = ({ identifier, deleted }: OaiHeader) => {
    if (identifier === undefined) return;
    if (isWebAddress(identifier)) states.set(identifier, deleted ? 'gone' : 'here');
    else {
      const message = `${JSON.stringify(identifier)} is no address to crawl`;
      problems.push({ code: 'record.identifier', message, where: baseUrl, identifier });
    }
  };
  const client = createHttpClient(policy);
  try {
    const connection = createOaiConnection(client, baseUrl, { fetchMs: 0 });
    const { granularity, earliestAt } = await identify(connection);
    const state = newListState([sinceAt === undefined ? {} : { fromAt: sinceAt - granuleMs(granularity) }]);
    const sink = {
      header,
      problem: (problem: RecordProblem) => void problems.push(problem),
      record: async () => {},
      miss: () => {},
    };
    const walk = new ListWalk(
      { connection, sink, timing: timingOf(policy), signal, onPage: async () => {} },
      {
        list: { prefix: PREFIX },
        granularity,
        feed: 'headers',
        ...(earliestAt !== undefined && { earliestAt }),
      },
      state,
    );
    const end = await walk.run();
    if (end.kind === 'outage') throw end.error;
    const inState = (wanted: 'here' | 'gone') =>
      [...states].filter(([, known]) => known === wanted).map(([url]) => url);
    if (sinceAt === undefined && states.size === 0)
      throw new GarnerError('source.empty', `${baseUrl} lists no address at all`);
    return {
      urls: inState('here'),
      deleted: inState('gone'),
      problems,
      ...(state.gaps.length === 0 &&
        state.firstResponseAt !== undefined && { readAt: state.firstResponseAt }),
    };
  } finally {
    client.close();
  }
}
