/** What became of the URLs of a snapshot since the one before: the same, essentially the same, other, new, gone. */
import { OPERATOR } from '../../core/access.ts';
import { asGarnerError } from '../../core/errors.ts';
import type {
  ComparedUrl,
  SnapshotComparison,
  SnapshotLine,
  WebSnapshot,
} from '../../formats/web-snapshot.ts';
import type { GarnerStore } from '../../store/index.ts';
import { textSimilarity } from '../content/similarity.ts';
import { textForIndex } from '../content/text.ts';
import { identifierOf } from './describe-capture.ts';
import { openCapture } from './open-capture.ts';
import { readRecordContent } from './record-captures.ts';
import { chooseLine, findCapture, readManifest } from './snapshot-lines.ts';

export interface ComparingDeps {
  readonly store: Pick<GarnerStore, 'captures' | 'blobs'>;
  readonly dataFolder: string;
  readonly source: string;
  /** Of words in common, from which on two texts are essentially the same. */
  readonly threshold: number;
}

/** So many pages are told by name; all are counted. */
const MAX_NAMED = 200;
/** So many texts are read; the rest of what changed is just that. */
const MAX_READ = 5000;

export async function compareSnapshots(
  deps: ComparingDeps,
  before: WebSnapshot,
  now: Pick<WebSnapshot, 'manifest'>,
): Promise<SnapshotComparison> {
  const old = await linesByUrl(deps, before);
  const similar: { url: string; similarity: number }[] = [];
  const counts = { same: 0, similar: 0, changed: 0, added: 0, gone: 0 };
  const changed: ComparedUrl[] = [];
  const added: ComparedUrl[] = [];
  let read = 0;
  for (const [url, line] of await linesByUrl(deps, now)) {
    const known = old.get(url);
    old.delete(url);
    if (!known) {
      counts.added++;
      if (added.length < MAX_NAMED) added.push(namedOf([url, line]));
    } else if (isSame(known, line)) counts.same++;
    else {
      const similarity = read++ < MAX_READ ? await compareTexts(deps, known, line) : 0;
      if (similarity < deps.threshold) {
        counts.changed++;
        if (changed.length < MAX_NAMED) changed.push(namedOf([url, line]));
      } else {
        counts.similar++;
        if (similar.length < MAX_NAMED) similar.push({ url, similarity: Number(similarity.toFixed(4)) });
      }
    }
  }
  counts.gone = old.size;
  const gone = [...old.entries().take(MAX_NAMED)].map(namedOf);
  const named = Object.entries({ changed, added, gone }).filter(([, urls]) => urls.length > 0);
  return {
    identifier: before.identifier,
    threshold: deps.threshold,
    ...counts,
    ...(similar.length > 0 && { essentiallyUnchanged: similar }),
    ...(named.length > 0 && { named: Object.fromEntries(named) }),
  };
}

const namedOf = ([url, { status }]: readonly [string, SnapshotLine]): ComparedUrl => ({
  url,
  ...(status !== undefined && { status }),
});

async function linesByUrl(
  { store }: ComparingDeps,
  snapshot: Pick<WebSnapshot, 'manifest'>,
): Promise<Map<string, SnapshotLine>> {
  const lines = new Map<string, SnapshotLine>();
  for await (const line of readManifest(store, snapshot)) {
    const url = identifierOf(line.url);
    const known = lines.get(url);
    lines.set(url, (known && chooseLine([known, line])) ?? line);
  }
  return lines;
}

/** A server that says "not modified" sends no content to make a digest of. */
const isSame = (old: SnapshotLine, now: SnapshotLine): boolean =>
  now.digest === undefined ? now.type === 'revisit' : now.digest === old.digest;

/** 0 when one of them has no text that can be read. */
async function compareTexts(deps: ComparingDeps, old: SnapshotLine, now: SnapshotLine): Promise<number> {
  const before = await readText(deps, old);
  const after = before === undefined ? undefined : await readText(deps, now);
  return before === undefined || after === undefined ? 0 : textSimilarity(before, after);
}

async function readText(
  { store, dataFolder, source }: ComparingDeps,
  line: SnapshotLine,
): Promise<string | undefined> {
  const capture = await findCapture(store, source, line, OPERATOR);
  if (!capture) return undefined;
  try {
    const { record } = await openCapture({ captures: store.captures, dataFolder }, capture, OPERATOR);
    return textForIndex(await readRecordContent(record))?.parts.join('\n');
  } catch (thrown) {
    if (/^(?:archive|source)\./.test(asGarnerError(thrown).code)) return undefined;
    throw thrown;
  }
}
