/** Of several captures of one URL the one that stands for it: the newest good answer, else the newest redirect or error. */
import { identifierOf } from '../../archive/items/index.ts';
import type { StoredCapture } from '../../store/index.ts';

/** Records about other records. */
const ASIDE = new Set(['request', 'metadata', 'warcinfo', 'filedesc', 'continuation']);
const WEB = /^(?:https?|ftp|gopher|urn|file):/i;

/** The captures come in the order of their URL keys; only those of one key are held at a time. */
export async function* chooseCaptures(captures: AsyncIterable<StoredCapture>): AsyncGenerator<StoredCapture> {
  let group = new Map<string, StoredCapture>();
  let groupKey: string | undefined;
  for await (const capture of captures) {
    if (ASIDE.has(capture.type) || !WEB.test(capture.url)) continue;
    if (capture.urlKey !== groupKey) {
      yield* group.values();
      group = new Map();
      groupKey = capture.urlKey;
    }
    const url = identifierOf(capture.url);
    const other = group.get(url);
    if (!other || isBetter(capture, other)) group.set(url, capture);
  }
  yield* group.values();
}

function isBetter(capture: StoredCapture, other: StoredCapture): boolean {
  const [worth, otherWorth] = [worthOf(capture), worthOf(other)];
  return worth === otherWorth ? capture.at >= other.at : worth > otherWorth;
}

const worthOf = ({ status = 200 }: StoredCapture): number =>
  status === 304 || (status >= 200 && status < 300) ? 2 : status >= 300 && status < 400 ? 1 : 0;
