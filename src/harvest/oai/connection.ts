/** Requests to one provider, and its answers event by event. */
import { GarnerError } from '../../core/errors.ts';
import type { Instant } from '../../core/model.ts';
import { parseHttpDate } from '../../net/retry-after.ts';
import type { HttpClient, HttpResponse } from '../http/index.ts';
import { type OaiEvent, type OaiSummary, type ReadOptions, readEnvelope } from './envelope.ts';
import { type OaiArguments, requestUrl } from './request.ts';
import type { StageTimes } from './stage-times.ts';

export interface OaiAnswer {
  readonly summary: OaiSummary;
  readonly url: string;
  /** Of the answer's Date header: the server's clock, where the envelope does not tell it. */
  readonly dateAt?: Instant;
}

export interface ConnectionOptions extends ReadOptions {
  readonly signal?: AbortSignal;
  readonly rawToken?: boolean;
  /** Tries of the HTTP request; default: the client's. */
  readonly attempts?: number;
}

export interface OaiConnection {
  /** Throws for what is no OAI-PMH; OAI errors and cut-off answers are in the summary. */
  read(
    args: OaiArguments,
    take: (event: OaiEvent, url: string) => void | Promise<void>,
    options?: ConnectionOptions,
  ): Promise<OaiAnswer>;
}

/** OAI errors come with status 4xx, too (422 for noRecordsMatch, say); 429 and the like are for the client. */
const mayBeOai = (status: number) =>
  (status >= 200 && status < 300) || (status >= 400 && status < 500 && ![408, 425, 429].includes(status));

export function createOaiConnection(
  client: HttpClient,
  baseUrl: string,
  stages: Pick<StageTimes, 'fetchMs'>,
  reading: Pick<ReadOptions, 'through'> = {},
): OaiConnection {
  /** Where the provider has moved to. */
  let base = baseUrl;

  const request = async (args: OaiArguments, options: ConnectionOptions): Promise<HttpResponse> => {
    const ask = (url: string) =>
      client.request({
        url,
        accept: mayBeOai,
        headers: { accept: 'text/xml, application/xml;q=0.9, */*;q=0.5' },
        ...(options.signal && { signal: options.signal }),
        ...(options.attempts !== undefined && { attempts: options.attempts }),
      });
    const startedAt = performance.now();
    try {
      const response = await ask(requestUrl(base, args, options.rawToken));
      // A redirect that loses the arguments: its target is the new base address.
      if (/[?&]verb=/.test(new URL(response.url).search)) return response;
      response.discard();
      base = response.url;
      return await ask(requestUrl(base, args, options.rawToken));
    } finally {
      stages.fetchMs += performance.now() - startedAt;
    }
  };

  return {
    async read(args, take, options = {}) {
      const response = await request(args, options);
      try {
        const events = readEnvelope(timed(response.body, stages), { ...reading, ...options });
        for (;;) {
          const step = await events.next();
          if (step.done) return answerOf(response, step.value);
          await take(step.value, response.url);
        }
      } catch (error) {
        response.discard();
        // A page of a web server that says 404 is a 404, and not bad XML.
        if (error instanceof GarnerError && response.status >= 400 && error.code !== 'http.interrupted')
          throw new GarnerError(
            'http.status',
            `${new URL(response.url).host} answered with status ${response.status}`,
            {
              cause: error,
              details: { status: response.status, url: response.url },
            },
          );
        throw error;
      }
    },
  };
}

function answerOf(response: HttpResponse, summary: OaiSummary): OaiAnswer {
  const date = response.headers.get('date');
  const dateAt = date === undefined ? undefined : parseHttpDate(date, Date.now());
  return { summary, url: response.url, ...(dateAt !== undefined && { dateAt }) };
}

async function* timed(
  body: AsyncIterable<Uint8Array>,
  stages: Pick<StageTimes, 'fetchMs'>,
): AsyncGenerator<Uint8Array> {
  let startedAt = performance.now();
  for await (const chunk of body) {
    stages.fetchMs += performance.now() - startedAt;
    yield chunk;
    startedAt = performance.now();
  }
}
