/**
 * Metadata that a capture carries in itself, kept apart from what was added to it: nothing here was
 * judged, merged or improved. Every list is in document order and bounded by the limits.
 */
import type { RecordProblem } from '../../../core/model.ts';
import type { Charset } from '../charset.ts';
import type { ImageProperties } from '../image/image-properties.ts';
import type { Link, LinkKind } from '../link.ts';
import type { RobotsDirective } from '../robots-directives.ts';
import type { SniffedType } from '../sniff.ts';

export interface MetaTag {
  readonly attribute: 'name' | 'property' | 'http-equiv' | 'itemprop';
  /** As written. */
  readonly name: string;
  readonly content: string;
  readonly scheme?: string;
  readonly language?: string;
}

/** Dublin Core in META (DC-HTML): `DC.date.created` is the element `date` refined by `created`. */
export interface DublinCoreValue {
  readonly vocabulary: 'dc' | 'dcterms';
  /** Lower case; a term of DCTERMS stands here, too. */
  readonly element: string;
  readonly refinement?: string;
  readonly value: string;
  readonly scheme?: string;
  readonly language?: string;
}

export interface NamedValue {
  readonly name: string;
  readonly value: string;
}

/** A value with the place it was found at: `meta article:published_time`, `header last-modified`, `url`. */
export interface FoundValue {
  readonly value: string;
  readonly origin: string;
}

export interface FoundDate extends FoundValue {
  readonly meaning: 'published' | 'modified' | 'created' | 'mentioned';
  /** `value` is normalised; this is what stood there. */
  readonly written: string;
}

export interface FoundLicence {
  readonly url?: string;
  readonly text?: string;
  readonly origin: string;
}

export interface Heading {
  readonly level: 1 | 2 | 3 | 4 | 5 | 6;
  readonly text: string;
}

/** An item of microdata or of RDFa Lite. */
export interface MarkedItem {
  readonly types: readonly string[];
  readonly id?: string;
  readonly properties: readonly MarkedProperty[];
}

export interface MarkedProperty {
  readonly name: string;
  readonly value: string | MarkedItem;
}

export type JsonValue =
  | string
  | number
  | boolean
  | null
  | readonly JsonValue[]
  | { readonly [key: string]: JsonValue };
export type JsonObject = { readonly [key: string]: JsonValue };

export interface PdfProperties {
  readonly version?: string;
  readonly pages: number;
  readonly encrypted: boolean;
  /** The information dictionary: Title, Author, Producer … as text. */
  readonly info: readonly NamedValue[];
  /** Properties of the XMP packet, by qualified name. */
  readonly xmp: readonly NamedValue[];
}

export interface Extracted {
  readonly title?: string;
  readonly meta: readonly MetaTag[];
  readonly dublinCore: readonly DublinCoreValue[];
  readonly openGraph: readonly NamedValue[];
  readonly twitter: readonly NamedValue[];
  /** Names of citation_* tags (Highwire Press) without the prefix. */
  readonly citation: readonly NamedValue[];
  readonly jsonLd: readonly JsonObject[];
  readonly microdata: readonly MarkedItem[];
  readonly rdfa: readonly MarkedItem[];
  readonly languages: readonly FoundValue[];
  readonly headings: readonly Heading[];
  readonly linkCounts: Readonly<Partial<Record<LinkKind, number>>>;
  readonly dates: readonly FoundDate[];
  readonly licences: readonly FoundLicence[];
  /** Other addresses that the page itself says it was saved from, or resolves its links by. */
  readonly savedFrom: readonly FoundValue[];
  readonly wordCount: number;
  readonly pdf?: PdfProperties;
  readonly image?: ImageProperties;
}

export const NOTHING_EXTRACTED: Extracted = {
  meta: [],
  dublinCore: [],
  openGraph: [],
  twitter: [],
  citation: [],
  jsonLd: [],
  microdata: [],
  rdfa: [],
  languages: [],
  headings: [],
  linkCounts: {},
  dates: [],
  licences: [],
  savedFrom: [],
  wordCount: 0,
};

/** What the archive knows of a capture without looking inside: told by the crawl, never by the content. */
export interface AddedMetadata {
  readonly url: string;
  readonly capturedAt: number;
  /** Who or what crawled: the software, and the operator if known. */
  readonly capturedBy?: string;
  /** From discovery: how much each engine, and all together, thought of the URL. */
  readonly weights?: Readonly<Record<string, number>>;
}

/** Everything understood of one capture's content. */
export interface ContentReading {
  readonly type: SniffedType;
  readonly charset?: Charset;
  readonly links: readonly Link[];
  readonly robots: readonly RobotsDirective[];
  readonly extracted: Extracted;
  /** All visible text; blocks are separated by line breaks, pages of a PDF by form feeds. */
  readonly text: string;
  /** The text of `<main>` and `<article>`, where there are any. */
  readonly mainText?: string;
  /** What could not be read, or was cut; the capture itself is none the worse. */
  readonly problems: readonly RecordProblem[];
}
