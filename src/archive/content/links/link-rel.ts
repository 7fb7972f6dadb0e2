/** What `<link rel>` leads to; also the Link header, whose words are the same. */
import type { LinkKind } from '../link.ts';

const KIND_BY_REL: Readonly<Record<string, LinkKind>> = {
  stylesheet: 'style',
  icon: 'image',
  'shortcut icon': 'image',
  'apple-touch-icon': 'image',
  'apple-touch-icon-precomposed': 'image',
  'apple-touch-startup-image': 'image',
  'mask-icon': 'image',
  'fluid-icon': 'image',
  image_src: 'image',
  modulepreload: 'script',
  manifest: 'data',
  search: 'data',
  edituri: 'data',
  wlwmanifest: 'data',
  pingback: 'data',
  import: 'frame',
  canonical: 'canonical',
  shortlink: 'canonical',
  amphtml: 'alternate',
  alternate: 'alternate',
  prerender: 'page',
  describedby: 'page',
  meta: 'data',
};

const KIND_BY_AS: Readonly<Record<string, LinkKind>> = {
  script: 'script',
  worker: 'script',
  style: 'style',
  image: 'image',
  font: 'font',
  audio: 'media',
  video: 'media',
  track: 'media',
  document: 'frame',
  embed: 'object',
  object: 'object',
  fetch: 'data',
};

const FEED_TYPE = /(?:rss|atom|rdf|feed)\b/i;

/** Undefined when only a host is named, to be looked up early. */
export function kindOfRel(
  rel: string,
  type: string | undefined,
  as: string | undefined,
): LinkKind | undefined {
  const words = rel.toLowerCase().split(/\s+/, 16).filter(Boolean);
  const has = (word: string) => words.includes(word);
  if (has('stylesheet')) return 'style';
  if (has('dns-prefetch') || has('preconnect')) return undefined;
  if (has('preload') || has('prefetch'))
    return KIND_BY_AS[as?.toLowerCase() ?? ''] ?? (has('preload') ? 'embed' : 'page');
  if (has('alternate') || has('feed'))
    return FEED_TYPE.test(type ?? '') || has('feed') ? 'feed' : 'alternate';
  for (const word of words) {
    // Dublin Core in META names its vocabulary by `<link rel="schema.DC">`.
    if (word.startsWith('schema.')) return 'data';
    if (Object.hasOwn(KIND_BY_REL, word)) return KIND_BY_REL[word];
  }
  return 'page';
}
