/** Records one by one: their headers by `ListIdentifiers`, each of them by `GetRecord`. */
import { asGarnerError, GarnerError } from '../../core/errors.ts';
import type { OaiGranularity } from '../../core/time.ts';
import type { Timing } from '../http/policy.ts';
import type { OaiConnection } from './connection.ts';
import type { ListSpec } from './list-state.ts';
import { type OaiHeader, readHeader } from './record-piece.ts';
import type { RecordSink } from './record-sink.ts';
import { type DateWindow, listArguments, tokenArguments } from './request.ts';

export interface FetchDeps {
  readonly connection: OaiConnection;
  readonly sink: Pick<RecordSink, 'record' | 'header' | 'problem' | 'miss'>;
  readonly timing: Timing;
  readonly signal: AbortSignal;
}

const MAX_PAGES = 1000;
const MAX_EMPTY_PAGES = 10;

export interface HeaderList {
  /** By identifier. */
  readonly headers: ReadonlyMap<string, OaiHeader>;
  /** Why there may be more of them. */
  readonly cut?: string;
}

/** Deletions among them go to the sink at once. */
export async function listHeaders(
  { connection, sink, signal }: FetchDeps,
  list: ListSpec,
  window: DateWindow,
  granularity: OaiGranularity,
): Promise<HeaderList> {
  const headers = new Map<string, OaiHeader>();
  let args = listArguments('ListIdentifiers', list, window, granularity);
  let emptyPages = 0;
  let size = Number.POSITIVE_INFINITY;
  const cutBy = (cut: string): HeaderList => (headers.size >= size ? { headers } : { headers, cut });
  for (let page = 0; page < MAX_PAGES; page++) {
    const before = headers.size;
    let onPage = 0;
    const { summary } = await connection.read(
      args,
      (event) => {
        if (event.kind !== 'element' || event.parent !== 'ListIdentifiers') return;
        onPage++;
        const header = readHeader(event.element);
        sink.header(header);
        if (header.identifier !== undefined) headers.set(header.identifier, header);
      },
      { signal },
    );
    const [error] = summary.errors;
    if (error && error.code !== 'noRecordsMatch') {
      if (page === 0) throw new GarnerError('oai.error', `the provider says ${error.code}`);
      return cutBy(`the list of identifiers ends with ${error.code}`);
    }
    const { token } = summary;
    if (!token?.text) return { headers };
    size = token.completeListSize ?? size;
    emptyPages = onPage === 0 ? emptyPages + 1 : 0;
    if (emptyPages > MAX_EMPTY_PAGES) return cutBy('the list of identifiers goes on without any');
    if (onPage > 0 && headers.size === before) return cutBy('the list of identifiers repeats itself');
    args = tokenArguments('ListIdentifiers', token.text);
  }
  return cutBy(`the list of identifiers has more than ${MAX_PAGES} pages`);
}

/** False, with a problem, when it cannot be got. */
export async function fetchRecord(deps: FetchDeps, prefix: string, header: OaiHeader): Promise<boolean> {
  const { identifier, deleted } = header;
  if (identifier === undefined || deleted) return true;
  const got = await getRecord(deps, prefix, identifier);
  if (got.kind !== 'got') deps.sink.miss(header, { code: 'oai.gap', message: got.message });
  return got.kind === 'got';
}

/** `absent`: the provider says that it has no such record. */
type GotRecord = { readonly kind: 'got' } | { readonly kind: 'absent' | 'failed'; readonly message: string };

const ABSENT: ReadonlySet<string> = new Set([
  'idDoesNotExist',
  'cannotDisseminateFormat',
  'noMetadataFormats',
  'noRecordsMatch',
]);

/** What comes goes to the sink. */
export async function getRecord(
  {
    connection,
    sink,
    timing,
    signal,
  }: Omit<FetchDeps, 'sink'> & {
    readonly sink: Pick<FetchDeps['sink'], 'record'>;
  },
  prefix: string,
  identifier: string,
): Promise<GotRecord> {
  const failed = (message: string): GotRecord => ({ kind: 'failed', message: `GetRecord: ${message}` });
  let found = false;
  let other: string | undefined;
  try {
    const { summary } = await connection.read(
      [
        ['verb', 'GetRecord'],
        ['identifier', identifier],
        ['metadataPrefix', prefix],
      ],
      async (event, url) => {
        if (event.kind !== 'record') return;
        // Some providers answer with whatever they have.
        const { identifier: given } = event.record.header;
        if (given !== undefined && given !== identifier) {
          other = given;
          return;
        }
        found = true;
        await sink.record(event.record, url, timing.clock());
      },
      { signal, attempts: 2 },
    );
    if (found) return { kind: 'got' };
    if (other !== undefined) return failed(`the answer is another record, ${other}`);
    const code = summary.errors[0]?.code;
    if (code !== undefined && ABSENT.has(code)) return { kind: 'absent', message: `GetRecord: ${code}` };
    return failed(code ?? 'there is no record in the answer');
  } catch (error) {
    signal.throwIfAborted();
    const { code, message } = asGarnerError(error);
    if (code === 'internal.bug' || code.startsWith('store.')) throw error;
    return failed(message);
  }
}
