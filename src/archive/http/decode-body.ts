/** From the body as it was stored to the payload (no transfer coding) and the content (no coding at all). */
import { type HeaderList, headerValues } from '../read/header-list.ts';
import { createDechunker } from './chunked.ts';
import { decodeAtOnce, decodeStream, listCodings, trueCoding, type UnpackLimits } from './content-coding.ts';

/** What a body turned out to be, against what its headers say. */
export type BodyProblem = 'false-chunked' | 'broken-chunks' | 'false-coding' | 'broken-coding';

/** Filled while a stream is read. */
export interface BodyReport {
  /** Content and transfer codings that were undone, outermost first. */
  readonly codings: string[];
  readonly problems: BodyProblem[];
}

export const newBodyReport = (): BodyReport => ({ codings: [], problems: [] });

/** So much of a body decides whether it is coded as its header says. */
const PROBE_BYTES = 64 * 1024;

export async function* payloadStream(
  headers: HeaderList,
  body: AsyncIterable<Buffer>,
  limits: UnpackLimits,
  report: BodyReport,
): AsyncGenerator<Buffer> {
  yield* undo(listCodings(headerValues(headers, 'Transfer-Encoding')), body, limits, report);
}

export async function* contentStream(
  headers: HeaderList,
  payload: AsyncIterable<Buffer>,
  limits: UnpackLimits,
  report: BodyReport,
): AsyncGenerator<Buffer> {
  yield* undo(listCodings(headerValues(headers, 'Content-Encoding')), payload, limits, report);
}

/** The common case, without a stream: small, whole, in memory. Undefined when the stream has to look closer. */
export function payloadAtOnce(headers: HeaderList, body: Buffer, report: BodyReport): Buffer | undefined {
  const codings = listCodings(headerValues(headers, 'Transfer-Encoding'));
  if (codings.length === 0) return body;
  if (codings.length > 1 || codings[0] !== 'chunked') return undefined;
  const dechunker = createDechunker();
  const parts = dechunker.push(body);
  const { rest, verdict } = dechunker.end();
  noteChunks(verdict, report);
  return verdict === 'false' ? body : Buffer.concat([...parts, ...rest]);
}

export function contentAtOnce(
  headers: HeaderList,
  payload: Buffer,
  limits: UnpackLimits,
  report: BodyReport,
): Buffer | undefined {
  const codings = listCodings(headerValues(headers, 'Content-Encoding'));
  if (codings.length === 0 || payload.length === 0) return payload;
  const [name = ''] = codings;
  const coding = codings.length === 1 ? trueCoding(name, payload.subarray(0, PROBE_BYTES)) : undefined;
  const content = coding && decodeAtOnce(coding, payload, limits);
  if (content) report.codings.push(name);
  return content;
}

async function* undo(
  codings: readonly string[],
  input: AsyncIterable<Buffer>,
  limits: UnpackLimits,
  report: BodyReport,
): AsyncGenerator<Buffer> {
  const last = codings.at(-1);
  if (last === undefined) {
    yield* input;
    return;
  }
  const outer = last === 'chunked' ? dechunk(input, report) : decode(last, input, limits, report);
  yield* undo(codings.slice(0, -1), outer, limits, report);
}

async function* dechunk(input: AsyncIterable<Buffer>, report: BodyReport): AsyncGenerator<Buffer> {
  const dechunker = createDechunker();
  for await (const bytes of input) yield* dechunker.push(bytes);
  const { rest, verdict } = dechunker.end();
  yield* rest;
  noteChunks(verdict, report);
}

function noteChunks(verdict: 'chunked' | 'false' | 'broken', report: BodyReport): void {
  if (verdict !== 'false') report.codings.push('chunked');
  if (verdict === 'false') report.problems.push('false-chunked');
  if (verdict === 'broken') report.problems.push('broken-chunks');
}

async function* decode(
  name: string,
  input: AsyncIterable<Buffer>,
  limits: UnpackLimits,
  report: BodyReport,
): AsyncGenerator<Buffer> {
  const rest = input[Symbol.asyncIterator]();
  const head: Buffer[] = [];
  let size = 0;
  let done = false;
  while (size < PROBE_BYTES && !done) {
    const next = await rest.next();
    done = next.done === true;
    if (next.done) break;
    head.push(next.value);
    size += next.value.length;
  }
  const whole = async function* () {
    yield* head;
    while (!done) {
      const next = await rest.next();
      if (next.done) return;
      yield next.value;
    }
  };
  const coding = trueCoding(name, Buffer.concat(head));
  if (coding === undefined) {
    if (size > 0) report.problems.push('false-coding');
    yield* whole();
    return;
  }
  report.codings.push(name);
  const outcome: { damaged?: boolean } = {};
  yield* decodeStream(coding, whole(), limits, outcome);
  if (outcome.damaged) report.problems.push('broken-coding');
}
