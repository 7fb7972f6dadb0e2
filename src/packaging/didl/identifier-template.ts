/**
 * Identifiers of the items in a container. What they are made of is configured, since an acronym alone does not
 * suffice for ever; what joins the parts is fixed, and every part is percent-encoded, so that the result is a
 * URI and can be taken apart again.
 */
import type { WebSnapshot } from '../../formats/web-snapshot.ts';

/** Never in an encoded part. */
export const SEPARATOR = ':';

export const ITEM_PARTS = ['METADATA', 'DATA'] as const;
export type ItemPart = (typeof ITEM_PARTS)[number];

export interface IdentifierFacts {
  /** A topic's or site's name. */
  readonly acronym: string;
  /** The moment of the crawl, as in the snapshot's identifier. */
  readonly time: string;
  /** Domain-like name of the repository. */
  readonly repository: string;
}

export const identifierFacts = (
  { series, identifier }: Pick<WebSnapshot, 'series' | 'identifier'>,
  repository: string,
): IdentifierFacts => ({
  acronym: series,
  time: identifier.slice(identifier.lastIndexOf(SEPARATOR) + 1),
  repository,
});

/** `{acronym}:{url}` with `ISCCP` and a URL gives `ISCCP:http%3A%2F%2F…`. */
export function itemIdentifier(template: string, facts: IdentifierFacts, url: string): string {
  const values: Readonly<Record<string, string>> = { ...facts, url };
  return template.replace(/\{(\w+)\}/g, (whole, name: string) => {
    const value = values[name];
    return value === undefined ? whole : encodeURIComponent(value);
  });
}

export const partIdentifier = (identifier: string, part: ItemPart): string =>
  `${identifier}${SEPARATOR}${part}`;
