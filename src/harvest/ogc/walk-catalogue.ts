/** A static STAC catalogue: JSON files that link to each other, without a service behind them. */
import { asGarnerError } from '../../core/errors.ts';
import { mapAhead } from '../../core/map-ahead.ts';
import type { OriginFinding } from '../files/entry.ts';
import type { HttpClient } from '../http/index.ts';
import { FETCH_AHEAD, fetchEntry } from '../remote/remote-entry.ts';
import { identifyBy } from './identify.ts';
import { readLinks, readObject } from './links.ts';

const MAX_DOCUMENTS = 1_000_000;

export interface WalkOptions {
  readonly collections?: readonly string[] | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** Every item, found from catalogue to catalogue; one that cannot be read costs the certainty of a whole reading. */
export async function* walkCatalogue(
  client: HttpClient,
  root: string,
  options: WalkOptions,
): AsyncGenerator<OriginFinding> {
  const findings = mapAhead(listItems(client, root, options), FETCH_AHEAD, async (found) =>
    typeof found === 'string'
      ? fetchEntry(client, { url: found, modifiedAt: 0 }, { ...options, identify: identifyBy('stac') })
      : found,
  );
  yield* findings;
}

async function* listItems(
  client: HttpClient,
  root: string,
  { collections, signal }: WalkOptions,
): AsyncGenerator<string | OriginFinding> {
  const met = new Set([root]);
  const waiting = [root];
  for (let url = waiting.pop(); url !== undefined; url = waiting.pop()) {
    let links: ReturnType<typeof readLinks>;
    try {
      const { document, url: base } = await readObject(client, url, signal);
      const { id } = document;
      const unwanted =
        document.type === 'Collection' &&
        collections !== undefined &&
        !collections.some((name) => name === id);
      if (unwanted) continue;
      links = readLinks(document, base);
    } catch (thrown) {
      signal?.throwIfAborted();
      const { code, message } = asGarnerError(thrown);
      if (url === root || code === 'internal.bug') throw thrown;
      yield { kind: 'problem', name: url, loss: 'rest', problem: { code, message, where: url } };
      continue;
    }
    for (const { rel, href } of links) {
      if ((rel !== 'item' && rel !== 'child') || met.has(href)) continue;
      if (met.size >= MAX_DOCUMENTS) {
        const message = `more than ${MAX_DOCUMENTS} documents; the rest was not read`;
        yield {
          kind: 'problem',
          name: root,
          loss: 'rest',
          problem: { code: 'source.answer', message, where: root },
        };
        return;
      }
      met.add(href);
      if (rel === 'item') yield href;
      else waiting.push(href);
    }
  }
}
