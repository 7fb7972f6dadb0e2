/** One model for every link that a capture has, whatever it was found in. */
import type { Span } from './markup/page-text.ts';

export const LINK_KINDS = [
  /** Followed by a reader: another page or document. */
  'page',
  /** Loaded with the page, of no better known kind. */
  'embed',
  'style',
  'script',
  'image',
  /** Sound, film, subtitles. */
  'media',
  'frame',
  'font',
  /** Plug-in content: Flash, Java, Shockwave. */
  'object',
  'redirect',
  'canonical',
  'alternate',
  /** A feed or sitemap. */
  'feed',
  'form',
  /** For programs: manifests, data files, schemas. */
  'data',
] as const;
export type LinkKind = (typeof LINK_KINDS)[number];

/** Kinds without which a page does not look as it looked. */
const REQUISITES: ReadonlySet<LinkKind> = new Set([
  'embed',
  'style',
  'script',
  'image',
  'media',
  'frame',
  'font',
  'object',
]);
export const isRequisite = ({ kind }: Pick<Link, 'kind'>): boolean => REQUISITES.has(kind);

export interface Link {
  /** Absolute, normalised by the URL Standard, without fragment; http, https or ftp. */
  readonly url: string;
  /** As it stands in the content, decoded but not resolved. */
  readonly written: string;
  readonly kind: LinkKind;
  /** `rel`, or what took its place: `sitemap`, `og:image`, `poster`. */
  readonly rel?: string;
  /** What the reader sees, or an image's `alt`; white space joined. */
  readonly anchor?: string;
  /**
   * Where the URL stands, in bytes of the content-decoded file: an attribute's whole value, or the part of
   * it (or of a style sheet or script) that is the URL. Absent where the file is packed in itself.
   */
  readonly position?: Span;
  /** Of `<a>` and `<area>`: all that the reader can follow, from the start tag to behind the end tag. */
  readonly extent?: Span;
  /** True when it only looks like a link. */
  readonly heuristic?: true;
}
