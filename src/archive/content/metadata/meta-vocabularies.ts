/** What the names of META tags mean: Dublin Core, Open Graph, Twitter, Highwire citations. */
import type { DublinCoreValue, MetaTag, NamedValue } from './extracted.ts';

/** `DC.title`, `dcterms:created`, `DC.date.created`; spelled in every way there is. */
const DUBLIN_CORE = /^(dc|dcterms|dcq|dct)[.:]([a-z]+)(?:[.:]([a-z]+))?$/i;

export function dublinCoreOf(tag: MetaTag): DublinCoreValue | undefined {
  if (tag.attribute === 'http-equiv') return undefined;
  const match = DUBLIN_CORE.exec(tag.name.trim());
  if (!match) return undefined;
  const [, prefix = '', element = '', refinement] = match;
  return {
    vocabulary: prefix.toLowerCase() === 'dc' ? 'dc' : 'dcterms',
    element: element.toLowerCase(),
    ...(refinement !== undefined && { refinement: refinement.toLowerCase() }),
    value: tag.content,
    ...(tag.scheme !== undefined && { scheme: tag.scheme }),
    ...(tag.language !== undefined && { language: tag.language }),
  };
}

const OPEN_GRAPH = /^(?:og|article|book|profile|video|music|fb):/i;

export function openGraphOf({ attribute, name, content }: MetaTag): NamedValue | undefined {
  if (attribute === 'http-equiv' || !OPEN_GRAPH.test(name)) return undefined;
  return { name: name.toLowerCase(), value: content };
}

export function twitterOf({ attribute, name, content }: MetaTag): NamedValue | undefined {
  if (attribute === 'http-equiv' || !/^twitter:/i.test(name)) return undefined;
  return { name: name.slice(8).toLowerCase(), value: content };
}

export function citationOf({ attribute, name, content }: MetaTag): NamedValue | undefined {
  if (attribute === 'http-equiv' || !/^citation_/i.test(name)) return undefined;
  return { name: name.slice(9).toLowerCase(), value: content };
}
