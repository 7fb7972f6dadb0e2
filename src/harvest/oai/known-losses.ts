/** Records that earlier harvests could not take in: asked for again one by one. */
import { asGarnerError } from '../../core/errors.ts';
import type { OaiGranularity } from '../../core/time.ts';
import type { KnownLoss, LossStore } from '../../store/index.ts';
import type { ListSpec } from './list-state.ts';
import { type FetchDeps, getRecord, listHeaders } from './single-records.ts';

/** So many in one run; those that waited longest come first. What is broken for good must not become a burden. */
const MOST_ASKED = 100;
/** After so many in a row without an answer the provider is left alone. */
const MOST_FAILED = 5;

interface AskedList {
  readonly source: string;
  readonly runId: number;
  readonly list: ListSpec;
  /** Those that the source is limited to. */
  readonly sets?: readonly string[] | undefined;
  readonly granularity: OaiGranularity;
}

/** What comes goes to the sink. Gives the names of those that the provider no longer has. */
export async function askForLosses(
  deps: FetchDeps,
  losses: Pick<LossStore, 'listLosses'>,
  { source, runId, list, sets, granularity }: AskedList,
): Promise<string[]> {
  const { prefix } = list;
  const due = await losses.listLosses({ source, due: { runId, list: prefix }, limit: MOST_ASKED });
  const gone: string[] = [];
  let failed = 0;
  for (const loss of due) {
    deps.signal.throwIfAborted();
    const { name, identifier = name } = loss;
    let isOutside = false;
    const record: FetchDeps['sink']['record'] = async (piece, url, now) => {
      isOutside = !isInSets(piece.header.sets, sets);
      if (!isOutside) await deps.sink.record(piece, url, now);
    };
    const got = await getRecord({ ...deps, sink: { record } }, prefix, identifier);
    failed = got.kind === 'failed' ? failed + 1 : 0;
    if (isOutside || (got.kind === 'absent' && (await isUnlisted(deps, list, granularity, loss))))
      gone.push(name);
    else if (got.kind !== 'got')
      deps.sink.miss({ identifier, sets: [], deleted: false }, { code: 'oai.gap', message: got.message });
    if (failed >= MOST_FAILED) break;
  }
  return gone;
}

/** Those of which a provider does not tell the sets are taken. */
const isInSets = (own: readonly string[], wanted: readonly string[] | undefined): boolean =>
  wanted === undefined ||
  own.length === 0 ||
  own.some((set) => wanted.some((spec) => set === spec || set.startsWith(`${spec}:`)));

/**
 * Some providers say of every record that they do not have it. So the list is asked as well, where the record was: if it
 * was changed since, it is in the list of changes.
 */
async function isUnlisted(
  deps: FetchDeps,
  list: ListSpec,
  granularity: OaiGranularity,
  { identifier, name, at }: KnownLoss,
): Promise<boolean> {
  if (at === undefined) return false;
  try {
    const { headers, cut } = await listHeaders(deps, list, { fromAt: at, untilAt: at }, granularity);
    return cut === undefined && !headers.has(identifier ?? name);
  } catch (thrown) {
    deps.signal.throwIfAborted();
    if (!/^(?:http|oai|xml)\./.test(asGarnerError(thrown).code)) throw thrown;
    return false;
  }
}
