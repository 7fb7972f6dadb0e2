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
  readonly sink: Pick<RecordSink, 'record' | 'header' | 'problem'>;
  readonly timing: Timing;
  readonly signal: AbortSignal;
}

const MAX_PAGES = 1000;

/** By identifier. Deletions among them go to the sink at once. */
export async function listHeaders(
  { connection, sink, signal }: FetchDeps,
  list: ListSpec,
  window: DateWindow,
  granularity: OaiGranularity,
): Promise<Map<string, OaiHeader>> {
  const headers = new Map<string, OaiHeader>();
  let args = listArguments('ListIdentifiers', list, window, granularity);
  for (let page = 0; page < MAX_PAGES; page++) {
    const before = headers.size;
    const { summary } = await connection.read(
      args,
      (event) => {
        if (event.kind !== 'element' || event.parent !== 'ListIdentifiers') return;
        const header = readHeader(event.element);
        sink.header(header);
        if (header.identifier !== undefined) headers.set(header.identifier, header);
      },
      { signal },
    );
    const [error] = summary.errors;
    if (error && error.code !== 'noRecordsMatch' && headers.size === 0)
      throw new GarnerError('oai.error', `the provider says ${error.code}`);
    const token = summary.token?.text;
    if (!token || headers.size === before) break;
    args = tokenArguments('ListIdentifiers', token);
  }
  return headers;
}

/** False, with a problem, when it cannot be got. */
export async function fetchRecord(
  { connection, sink, timing, signal }: FetchDeps,
  prefix: string,
  { identifier, deleted }: OaiHeader,
): Promise<boolean> {
  if (identifier === undefined || deleted) return true;
  const fail = (message: string) => {
    sink.problem({ code: 'oai.gap', message: `GetRecord: ${message}`, identifier });
    return false;
  };
  let found = false;
  try {
    const { summary } = await connection.read(
      [
        ['verb', 'GetRecord'],
        ['identifier', identifier],
        ['metadataPrefix', prefix],
      ],
      async (event, url) => {
        if (event.kind !== 'record') return;
        found = true;
        await sink.record(event.record, url, timing.clock());
      },
      { signal, attempts: 2 },
    );
    return found || fail(summary.errors[0]?.code ?? 'there is no record in the answer');
  } catch (error) {
    signal.throwIfAborted();
    const { code, message } = asGarnerError(error);
    if (code === 'internal.bug' || code.startsWith('store.')) throw error;
    return fail(message);
  }
}
