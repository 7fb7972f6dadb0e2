/**
 * Pages that are in the store judged again: by rules that came after them, and by pages of other sites that are known
 * now. What changes becomes a version that the repository drove; what was extracted stays as it was.
 */
import { OPERATOR } from '../../core/access.ts';
import { asGarnerError } from '../../core/errors.ts';
import type { FieldSpec } from '../../core/model.ts';
import type { VersionEvent } from '../../core/version-event.ts';
import { parseJson } from '../../formats/extract-json.ts';
import { type WebCapture, webCapture } from '../../formats/web-capture.ts';
import type { GarnerStore, IncomingRecord, RawRecord } from '../../store/index.ts';
import type { PdfReader } from '../content/index.ts';
import { doubtTags, findCopiedTags } from '../trust/copied-tags.ts';
import { describeCapture } from './describe-capture.ts';
import { readStored } from './open-capture.ts';
import { findOwnCapture } from './own-capture.ts';
import { captureRecord, readRecordContent } from './record-captures.ts';

interface JudgingDeps {
  readonly store: Pick<GarnerStore, 'items' | 'captures' | 'search'>;
  readonly fields: readonly FieldSpec[];
  readonly dataFolder: string;
  readonly pdf: PdfReader;
}

interface JudgingReport {
  judged: number;
  changed: number;
  /** Their content is not here, or cannot be read: they stay as they are. */
  unread: number;
}

interface JudgingRun {
  readonly source: string;
  readonly runId: number;
}

const BATCH = 100;

const event = (reason: string): VersionEvent => ({ type: 'modification', driver: 'repository', reason });

interface JudgingOptions {
  readonly signal?: AbortSignal;
  onProgress?(report: JudgingReport): void;
}

/** The run must hold the lease of the source. */
export async function judgeCaptures(
  deps: JudgingDeps,
  run: JudgingRun,
  options: JudgingOptions = {},
): Promise<JudgingReport> {
  const { tagged, ...report } = await judgeOnce(deps, run, options);
  if (!tagged) return report;
  // Who copied from whom is known when the tags of all are.
  const { changed } = await judgeOnce(deps, run, options);
  return { ...report, changed: report.changed + changed };
}

/** `tagged`: there are tags that were not known before. */
async function judgeOnce(
  deps: JudgingDeps,
  { source, runId }: JudgingRun,
  options: JudgingOptions,
): Promise<JudgingReport & { tagged: boolean }> {
  const { items } = deps.store;
  const report = { judged: 0, changed: 0, unread: 0, tagged: false };
  for (let after = 0; ; ) {
    options.signal?.throwIfAborted();
    const page = await items.listRaw(source, after, BATCH);
    const last = page.at(-1);
    if (!last) return report;
    after = last.recordKey;
    const records: IncomingRecord[] = [];
    for (const raw of page) {
      if (raw.format !== webCapture.name) continue;
      const before = parseJson(raw.bytes) as WebCapture;
      const described = await describeAnew(deps, raw, before);
      if (!described) report.unread++;
      else report.judged++;
      if (!described || JSON.stringify(described) === JSON.stringify(before.described)) continue;
      if (described.tagDigest !== before.described.tagDigest) report.tagged = true;
      const reason = 'what the page says of itself was judged anew';
      records.push(captureRecord({ ...before, described }, deps.fields, { event: event(reason) }));
    }
    if (records.length > 0) report.changed += (await items.commit({ source, runId, records })).updated;
    options.onProgress?.(report);
  }
}

async function describeAnew(
  deps: JudgingDeps,
  { source, identifier }: RawRecord,
  before: WebCapture,
): Promise<WebCapture['described'] | undefined> {
  const { store, dataFolder, pdf } = deps;
  const capture = await findOwnCapture(store, source, before, OPERATOR);
  if (!capture) return undefined;
  try {
    const reading = await readRecordContent(await readStored({ dataFolder }, capture), pdf);
    const { described } = describeCapture(capture, reading, before.added.capturedBy);
    const item = await store.items.findItem({ source, identifier }, OPERATOR);
    const { tagDigest } = described;
    // By the tags as they are read now: an older record may not tell them.
    const fields = { ...item?.fields, ...(tagDigest !== undefined && { tagDigest: [tagDigest] }) };
    const copied = await findCopiedTags(store.search, { identifier, fields }, OPERATOR);
    return copied ? doubtTags(described, copied.reason) : described;
  } catch (thrown) {
    if (!/^(?:archive|source|content)\./.test(asGarnerError(thrown).code)) throw thrown;
    return undefined;
  }
}

/** For pages that just came in: what is found copied is no longer theirs. */
export async function doubtCopied(
  { store, fields }: Pick<JudgingDeps, 'fields'> & { readonly store: Pick<GarnerStore, 'items'> },
  { source, runId }: JudgingRun,
  identifier: string,
  reason: string,
): Promise<void> {
  const content = await store.items.findContent(
    { source, identifier },
    { format: webCapture.name },
    OPERATOR,
  );
  if (!content) return;
  const before = parseJson(content.bytes) as WebCapture;
  const record = { ...before, described: doubtTags(before.described, reason) };
  if (JSON.stringify(record) === JSON.stringify(before)) return;
  await store.items.commit({
    source,
    runId,
    records: [captureRecord(record, fields, { event: event(reason) })],
  });
}
