/** An OAI-PMH 2.0 provider as a function from Request to Response, over any backend. */
import { createHash } from 'node:crypto';
import { asGarnerError, GarnerError } from '../../core/errors.ts';
import type { Instant } from '../../core/model.ts';
import { type Clock, systemClock } from '../../core/time.ts';
import { wantsGzip } from './accept-encoding.ts';
import {
  CLOSE_ENVELOPE,
  makeMetadata,
  openEnvelope,
  type RecordPieces,
  writeFormats,
  writeIdentify,
  writeProblems,
  writeRecord,
  writeResumption,
  writeSet,
} from './answer.ts';
import { parseArguments } from './arguments.ts';
import type { OaiBackend, OaiMetadata, OaiRecord } from './backend.ts';
import { MAX_FORM_BYTES, type RequestForm, readForm } from './form-body.ts';
import { openPage, type PageLimits, type PageStart, writePage } from './list-answer.ts';
import { createListGate, type ListGate } from './list-gate.ts';
import type { OaiErrorCode, OaiProblem } from './protocol.ts';
import { streamPieces } from './pull-stream.ts';
import { type ReadRequest, readRequest } from './request.ts';
import { parseToken, type SetsToken, writeToken } from './token.ts';

export interface OaiProviderOptions {
  /** The address that harvesters use, without a query. */
  readonly baseUrl: string;
  /** Records on one page of ListRecords. Default 500. */
  readonly pageSize?: number;
  /** Headers on one page of ListIdentifiers, and sets on one of ListSets. Default four times `pageSize`. */
  readonly headersPageSize?: number;
  /** A page ends with the record that goes past so many bytes. Default 4 MiB. */
  readonly pageBytes?: number;
  /** How long a resumption token is good. Default a day. */
  readonly tokenLifeMs?: number;
  /** Bounds the lists under way; share one among providers that share a machine. */
  readonly gate?: ListGate;
  readonly clock?: Clock;
  /** Hears of failures that the answer could hide: a page that ended early, a list that was not counted. */
  readonly onFailure?: (error: GarnerError) => void;
}

const DAY_MS = 86_400_000;
const RETRY_AFTER_SECONDS = 10;
const XML_TYPE = 'text/xml; charset=utf-8';

const REFUSALS: Record<NonNullable<RequestForm['refusal']>, OaiProblem> = {
  'too-long': { code: 'badArgument', message: `the arguments are longer than ${MAX_FORM_BYTES} bytes` },
  mixed: { code: 'badArgument', message: 'the arguments of a POST stand in its body, none in the address' },
  'content-type': {
    code: 'badVerb',
    message: 'no verb was read: the body of a POST must be application/x-www-form-urlencoded',
  },
};

export function createOaiProvider(
  backend: OaiBackend,
  options: OaiProviderOptions,
): (request: Request) => Promise<Response> {
  const { baseUrl, clock = systemClock, onFailure = () => {} } = options;
  const granularity = backend.granularity ?? 'YYYY-MM-DDThh:mm:ssZ';
  const gate = options.gate ?? createListGate({ clock });
  const pageSize = options.pageSize ?? 500;
  const limits: Record<'ListRecords' | 'ListIdentifiers' | 'ListSets', PageLimits> = (() => {
    const records = {
      records: pageSize,
      bytes: options.pageBytes ?? 4 * 2 ** 20,
      tokenLifeMs: options.tokenLifeMs ?? DAY_MS,
    };
    const headers = { ...records, records: options.headersPageSize ?? 4 * pageSize };
    return { ListRecords: records, ListIdentifiers: headers, ListSets: headers };
  })();

  return async (request) => {
    if (!['GET', 'HEAD', 'POST'].includes(request.method))
      return new Response('OAI-PMH is asked by GET or POST.\n', {
        status: 405,
        headers: { allow: 'GET, HEAD, POST', 'content-type': 'text/plain; charset=utf-8' },
      });
    const form = await readForm(request);
    if (form.refusal) return answerProblems(request, [], REFUSALS[form.refusal]);
    const read = readRequest(parseArguments(form.bytes), granularity);
    try {
      return await answer(request, read);
    } catch (thrown) {
      const error = asGarnerError(thrown);
      if (!error.retryable) throw error;
      onFailure(error);
      return comeAgain();
    }
  };

  async function answer(
    request: Request,
    { request: asked, echo, problems }: ReadRequest,
  ): Promise<Response> {
    if (!asked) return answerProblems(request, echo, ...problems);
    const fail = (code: OaiErrorCode, message: string) => answerProblems(request, echo, { code, message });
    const whole = (content: string, changedAt?: Instant) => answerWhole(request, echo, content, changedAt);
    if ('token' in asked) {
      const token = parseToken(asked.token, asked.verb, baseUrl);
      if (!token) return fail('badResumptionToken', 'the token is damaged, or not one of this list');
      if (token.expiresAt <= clock()) return fail('badResumptionToken', 'the token has expired');
      if (token.verb === 'ListSets') return answerSets(token);
      return answerList(request, echo, { verb: token.verb, scope: token.scope, resumed: token });
    }
    switch (asked.verb) {
      case 'Identify':
        return whole(writeIdentify(await backend.identify(), baseUrl, granularity));
      case 'ListMetadataFormats': {
        const formats = await backend.listFormats(asked.identifier);
        if (!formats) return fail('idDoesNotExist', 'there is no item with that identifier');
        if (formats.length === 0) return fail('noMetadataFormats', 'the item has no metadata formats');
        return whole(writeFormats(formats));
      }
      case 'ListSets':
        return answerSets(undefined);
      case 'GetRecord': {
        const record = await backend.findRecord(asked.identifier, asked.prefix);
        if (record === undefined) return fail('idDoesNotExist', 'there is no item with that identifier');
        if (record === 'no-format')
          return fail('cannotDisseminateFormat', `the item is not there in the format ${asked.prefix}`);
        return answerRecord(request, echo, record, await makeMetadata(record));
      }
      default:
        return answerList(request, echo, asked);
    }

    async function answerSets(token: SetsToken | undefined): Promise<Response> {
      if (!backend.listSets) return fail('noSetHierarchy', 'this repository has no sets');
      const { sets, more } = await backend.listSets(token?.position, limits.ListSets.records);
      const last = sets.at(-1);
      if (!last)
        return token
          ? fail('badResumptionToken', 'the sets that were left are gone')
          : fail('noSetHierarchy', 'this repository has no sets');
      const cursor = token?.cursor ?? 0;
      const expiresAt = clock() + limits.ListSets.tokenLifeMs;
      const next: SetsToken = {
        verb: 'ListSets',
        position: last.spec,
        cursor: cursor + sets.length,
        expiresAt,
      };
      let end = '';
      if (more) end = writeResumption(writeToken(next, baseUrl), { cursor, size: undefined, expiresAt });
      else if (token) end = writeResumption('', { cursor, size: cursor + sets.length, expiresAt: undefined });
      return whole(`<ListSets>\n${sets.map(writeSet).join('')}${end}</ListSets>\n`);
    }
  }

  async function answerList(
    request: Request,
    echo: ReadRequest['echo'],
    start: PageStart,
  ): Promise<Response> {
    let giveUp = () => {};
    const place = gate.enter(() => giveUp());
    if (!place) return comeAgain();
    try {
      const now = clock();
      const page = await openPage(backend, start, limits[start.verb], now);
      if ('code' in page) {
        place.leave();
        return answerProblems(request, echo, page);
      }
      const opening = openEnvelope({ baseUrl, echo }, page.responseAt);
      const pieces = writePage(page, opening, {
        backend,
        verb: start.verb,
        baseUrl,
        limits: limits[start.verb],
        now,
        onFailure,
      });
      if (request.method === 'HEAD') {
        place.leave();
        return respond(request, null, { 'cache-control': 'no-store' });
      }
      const list = streamPieces(pieces, {
        pulled: () => place.touch(),
        ended: () => place.leave(),
      });
      giveUp = () => list.abort(new GarnerError('request.timeout', 'the harvester stopped reading'));
      return respond(request, list.stream, { 'cache-control': 'no-store' });
    } catch (error) {
      place.leave();
      throw error;
    }
  }

  /** Whole, unless the metadata is so large that the backend gives it in pieces. */
  function answerRecord(
    request: Request,
    echo: ReadRequest['echo'],
    record: OaiRecord,
    metadata: OaiMetadata | undefined,
  ): Response {
    const pieces = writeRecord(record, metadata, granularity);
    if (pieces.every(isWhole)) {
      const text = pieces.map((piece) => (typeof piece === 'string' ? piece : Buffer.from(piece).toString()));
      return answerWhole(request, echo, `<GetRecord>\n${text.join('')}</GetRecord>\n`, record.datestampAt);
    }
    const opening = `${openEnvelope({ baseUrl, echo }, clock())}<GetRecord>\n`;
    const bytes = joinPieces([opening, ...pieces, `</GetRecord>\n${CLOSE_ENVELOPE}`]);
    const { stream } = streamPieces(bytes, { pulled: () => {}, ended: () => {} });
    return respond(request, request.method === 'HEAD' ? null : stream, { 'cache-control': 'no-store' });
  }

  function answerProblems(
    request: Request,
    echo: ReadRequest['echo'],
    ...problems: readonly OaiProblem[]
  ): Response {
    const text = openEnvelope({ baseUrl, echo }, clock()) + writeProblems(problems) + CLOSE_ENVELOPE;
    return respond(request, text, { 'cache-control': 'no-store' });
  }

  /** Small answers are made whole, so that a client which has them already need not get them again. */
  function answerWhole(
    request: Request,
    echo: ReadRequest['echo'],
    content: string,
    changedAt: Instant | undefined,
  ): Response {
    const now = clock();
    // Weak: responseDate differs every time.
    const etag = `W/"${createHash('sha256').update(content).digest('base64url').slice(0, 27)}"`;
    const headers: Record<string, string> = { etag, 'cache-control': 'private, no-cache' };
    // The same second may still bring another change.
    if (changedAt !== undefined && changedAt < now - 2000)
      headers['last-modified'] = new Date(changedAt).toUTCString();
    if (request.method !== 'POST' && isKnown(request, etag, headers['last-modified']))
      return new Response(null, { status: 304, headers });
    const text = openEnvelope({ baseUrl, echo }, now) + content + CLOSE_ENVELOPE;
    return respond(request, text, headers);
  }
}

type Whole = Extract<RecordPieces[number], string | Uint8Array>;
const isWhole = (piece: RecordPieces[number]): piece is Whole =>
  typeof piece === 'string' || piece instanceof Uint8Array;

async function* joinPieces(pieces: RecordPieces): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  for (const piece of pieces) {
    if (isWhole(piece)) yield Buffer.from(piece);
    else for await (const part of piece) yield Buffer.from(part);
  }
}

function isKnown(request: Request, etag: string, lastModified: string | undefined): boolean {
  const tags = request.headers.get('if-none-match');
  if (tags !== null) return tags.split(',').some((tag) => tag.trim() === '*' || tag.trim() === etag);
  const since = Date.parse(request.headers.get('if-modified-since') ?? '');
  return lastModified !== undefined && Date.parse(lastModified) <= since;
}

function respond(
  request: Request,
  body: string | ReadableStream<Uint8Array<ArrayBuffer>> | null,
  headers: Record<string, string>,
): Response {
  const gzip = wantsGzip(request.headers.get('accept-encoding'));
  const all = {
    'content-type': XML_TYPE,
    vary: 'Accept-Encoding',
    ...headers,
    ...(gzip && { 'content-encoding': 'gzip' }),
  };
  if (request.method === 'HEAD' || body === null) return new Response(null, { headers: all });
  if (!gzip) return new Response(body, { headers: all });
  const plain = typeof body === 'string' ? new Blob([body]).stream() : body;
  return new Response(plain.pipeThrough(new CompressionStream('gzip')), { headers: all });
}

const comeAgain = (): Response =>
  new Response('Too many lists are under way; come again a little later.\n', {
    status: 503,
    headers: { 'retry-after': String(RETRY_AFTER_SECONDS), 'content-type': 'text/plain; charset=utf-8' },
  });
