/**
 * URLs in JSON: linked data, web app manifests, import maps, and any other document. Read by its strings,
 * not by a parser: places are kept, and what is cut off or malformed still gives what it has.
 */
import type { LinkKind } from '../link.ts';
import { rereadPart, type SourceText } from '../markup/source-text.ts';
import type { LinkList, LinkNotes } from './link-list.ts';
import { kindByName } from './looks-like-url.ts';
import { unescapeScript } from './script-links.ts';

export type JsonKind = 'json' | 'json-ld' | 'manifest' | 'import-map';

/** Names of schema.org, of the manifest and of feeds whose values are addresses, with what they lead to. */
const KIND_BY_KEY: Readonly<Record<string, LinkKind>> = {
  url: 'page',
  '@id': 'page',
  id: 'page',
  item: 'page',
  sameas: 'page',
  mainentityofpage: 'page',
  license: 'page',
  href: 'page',
  start_url: 'page',
  home_page_url: 'page',
  feed_url: 'feed',
  image: 'image',
  logo: 'image',
  thumbnail: 'image',
  thumbnailurl: 'image',
  primaryimageofpage: 'image',
  icon: 'image',
  contenturl: 'media',
  embedurl: 'frame',
  downloadurl: 'data',
};
/** Vocabularies are names; nobody loads them. */
const NAMES = new Set(['@context', '@type', '@vocab', '$schema', 'type', '@language', 'xmlns']);

export function jsonKindOf(mediaType: string): JsonKind {
  if (mediaType === 'application/ld+json') return 'json-ld';
  return mediaType === 'application/manifest+json' ? 'manifest' : 'json';
}

export function addJsonLinks(
  list: LinkList,
  source: SourceText,
  kind: JsonKind,
  notes: LinkNotes = {},
): void {
  let key = '';
  for (const token of listJsonStrings(source.text)) {
    const raw = source.text.slice(token.from, token.to);
    const value = raw.includes('\\') ? unescapeScript(raw) : raw;
    if (token.isKey) {
      key = value.toLowerCase();
      continue;
    }
    const found = judge(value, key, kind);
    if (!found) continue;
    const marked = { ...notes, rel: key, heuristic: found.heuristic };
    if (raw === value) list.add(source, found.kind, { ...marked, from: token.from, to: token.to });
    else list.add(rereadPart(source, token.from, token.to, value), found.kind, marked);
  }
}

function judge(
  value: string,
  key: string,
  kind: JsonKind,
): { readonly kind: LinkKind; readonly heuristic: boolean } | undefined {
  const absolute = /^https?:\/\/[^\s]+$/i.test(value) && value.length < 4096;
  if (kind === 'import-map')
    return absolute || /^\.{0,2}\/\S+$/.test(value) ? { kind: 'script', heuristic: false } : undefined;
  if (NAMES.has(key)) return undefined;
  const known = Object.hasOwn(KIND_BY_KEY, key) ? KIND_BY_KEY[key] : undefined;
  if (kind === 'manifest') {
    if (key === 'src') return { kind: 'image', heuristic: false };
    if (key === 'start_url') return { kind: 'page', heuristic: false };
  }
  if (absolute) return { kind: known ?? kindByName(value) ?? 'page', heuristic: known === undefined };
  // In linked data a relative address stands only where one is expected.
  const relative = kind === 'json-ld' && known !== undefined && /^\.{0,2}\/[^/\s]\S*$/.test(value);
  return relative ? { kind: known, heuristic: false } : undefined;
}

interface JsonString {
  readonly from: number;
  readonly to: number;
  readonly isKey: boolean;
}

function* listJsonStrings(json: string): Generator<JsonString> {
  for (let at = json.indexOf('"'); at >= 0; at = json.indexOf('"', at)) {
    let end = at + 1;
    while (end < json.length && json[end] !== '"') end += json[end] === '\\' ? 2 : 1;
    if (end >= json.length) return;
    let next = end + 1;
    while (next < json.length && json.charCodeAt(next) <= 0x20) next++;
    yield { from: at + 1, to: end, isKey: json[next] === ':' };
    at = end + 1;
  }
}
