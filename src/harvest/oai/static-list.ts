/** A static repository: one file with all records, read as a whole every time. */
import { asGarnerError, GarnerError } from '../../core/errors.ts';
import { type ListSpec, type ListState, listName } from './list-state.ts';
import type { WalkDeps, WalkEnd } from './list-walk.ts';

export async function readStaticList(deps: WalkDeps, list: ListSpec, state: ListState): Promise<WalkEnd> {
  const { connection, sink, timing, signal, onPage } = deps;
  if (state.windows.length === 0) return { kind: 'done', notes: [] };
  let records = 0;
  const lostAt = (line: number) => {
    const message = `${listName(list)}: the record in line ${line} of the file has no identifier`;
    state.gaps.push({ code: 'oai.gap', message });
  };
  try {
    const { summary } = await connection.read(
      [
        ['verb', 'ListRecords'],
        ['metadataPrefix', list.prefix],
      ],
      async (event, url) => {
        if (event.kind === 'record') {
          records++;
          if (event.record.header.identifier === undefined) lostAt(event.record.line);
          await sink.record(event.record, url, timing.clock());
        } else if (event.kind === 'problem') {
          const { code, message, line, header } = event;
          const problem = { code, message, where: url, line };
          if (header?.identifier === undefined) {
            lostAt(line);
            sink.problem(problem);
          } else sink.miss(header, problem);
        }
      },
      { signal, staticPrefix: list.prefix },
    );
    if (!summary.verbs.includes('ListRecords'))
      throw new GarnerError('oai.error', `the static repository has no ${list.prefix}`);
    if (!summary.complete)
      return { kind: 'outage', error: new GarnerError('oai.truncated', 'the file is cut off') };
  } catch (thrown) {
    signal.throwIfAborted();
    const error = asGarnerError(thrown);
    if (!error.code.startsWith('http.')) throw thrown;
    return { kind: 'outage', error };
  }
  state.windows = [];
  state.received = records;
  state.firstResponseAt ??= timing.clock();
  await onPage(state, records);
  return { kind: 'done', notes: [] };
}
