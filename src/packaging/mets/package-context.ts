/** What packages need to know beyond the captures: who made them, where they can be had, what happened to them. */
import type { CopiedTags } from '../../archive/trust/copied-tags.ts';
import { itemPath } from '../../core/identifiers.ts';
import type { Instant, ItemRef } from '../../core/model.ts';
import type { PlaceRecord } from '../package-form.ts';
import type { ModelFile } from '../site-model/model-types.ts';
import type { Catalogued, DescribePage } from './describe-page.ts';
import type { MetsIds } from './ids.ts';

/** Of the whole installation. */
export interface Publisher {
  readonly name: string;
  /** Without a slash at the end. */
  readonly baseUrl: string;
  /** `Garner/0.1.0`. */
  readonly software: string;
}

/** Something that was done to the object in the repository, not by its creator. */
export interface RepositoryEvent {
  readonly at: Instant;
  readonly type: string;
  readonly detail: string;
  /** Who or what did it; absent: the software. */
  readonly agent?: string;
}

export interface PackageContext {
  readonly publisher: Publisher;
  readonly item: ItemRef;
  readonly createdAt: Instant;
  readonly modifiedAt: Instant;
  readonly isPublic: boolean;
  readonly events: readonly RepositoryEvent[];
  readonly ids: MetsIds;
  readonly describePage: DescribePage;
  /** Of the page that speaks for the item: its tags are those of another site. */
  readonly copied?: (CopiedTags & { readonly page: string }) | undefined;
  readonly placeRecord?: PlaceRecord | undefined;
  /** What a curator says of the item. */
  readonly catalogued: Catalogued;
}

export const PROFILE = 'urn:garner:mets-profile:web-site:1';
export const AGGREGATOR_PROFILE = 'urn:garner:mets-profile:web-site-aggregator:1';

/** Where the archived bytes can be had, without any coding: those that offsets and digests count. */
export function archivedUrl(
  { publisher, item }: Pick<PackageContext, 'publisher' | 'item'>,
  { url, capturedAt }: Pick<ModelFile, 'url' | 'capturedAt'>,
): string {
  const at = new Date(capturedAt).toISOString().replace(/\D/g, '').slice(0, 14);
  const query = new URLSearchParams({ url, at, source: item.source });
  return `${publisher.baseUrl}/cdx/content?${query}`;
}

/** The METS of an item, or of one of the pages of a snapshot. */
export function metsUrl(
  { baseUrl }: Pick<Publisher, 'baseUrl'>,
  { source, identifier }: ItemRef,
  page?: string,
): string {
  const rest = page === undefined ? '' : `&page=${encodeURIComponent(page)}`;
  return `${baseUrl}${itemPath(source, identifier, '/packages/')}?format=mets${rest}`;
}

/** A URL as one entry of a list of URIs, in which white space divides. */
export const listedUri = (url: string): string =>
  url.replace(/[\s"<>\\^`{|}]/g, (character) => encodeURIComponent(character));
