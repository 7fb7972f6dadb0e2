/** Results in RSS, RDF or Atom, as OpenSearch and arXiv give them. */
import { childText, parseSmallTree, type SmallElement } from '../../xml/small-tree.ts';
import { nonsense } from './answer-json.ts';
import type { EngineAnswer, EngineResult } from './engine.ts';
import { resultOf } from './result.ts';

const FEED_ROOTS: ReadonlySet<string> = new Set(['rss', 'RDF', 'feed']);

export function readFeedResults(answer: EngineAnswer, type?: string): EngineResult[] {
  const root = parseSmallTree(answer.bytes);
  if (!root || !FEED_ROOTS.has(root.name)) throw nonsense(answer.url, new TextDecoder().decode(answer.bytes));
  const entries = root.name === 'rss' ? root.children.flatMap(({ children }) => children) : root.children;
  return entries
    .filter(({ name }) => name === 'item' || name === 'entry')
    .flatMap((entry) =>
      resultOf({
        url: linkOf(entry, answer.url),
        doi: childText(entry, 'doi'),
        title: childText(entry, 'title'),
        snippet:
          childText(entry, 'description') ?? childText(entry, 'summary') ?? childText(entry, 'content'),
        type,
      }),
    );
}

/** RSS has the address as text; Atom in an attribute, of the link without `rel` or with `alternate`. */
function linkOf(entry: SmallElement, base: string): string | undefined {
  const links = entry.children.filter(({ name }) => name === 'link');
  const alternate = links.find(
    ({ attributes }) => attributes.has('href') && (attributes.get('rel') ?? 'alternate') === 'alternate',
  );
  const address =
    alternate?.attributes.get('href') ??
    links.map(({ text }) => text.trim()).find((text) => text !== '') ??
    childText(entry, 'id') ??
    childText(entry, 'guid');
  return address === undefined ? undefined : (URL.parse(address, base)?.href ?? address);
}
