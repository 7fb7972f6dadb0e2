/** A metadata format: how to know it, which fields it has, how it becomes Dublin Core. Configuration, not code. */
import type { DcElement } from '../core/dublin-core.ts';
import type { FieldSpec, Fields } from '../core/model.ts';

export { DC_ELEMENTS, type DcElement } from '../core/dublin-core.ts';

/**
 * A field's values are the union of what its paths select: XPath 1.0 for XML, JSON Pointer for JSON
 * (`*` is any array element or object member, `*?key=value` only those whose member `key` is, or
 * contains, that value). A name may stand several times in a format, with the same FieldSpec: the
 * values are joined.
 */
export interface FormatField extends FieldSpec {
  readonly paths: readonly string[];
  /**
   * Paths relative to each node of `paths`.
   * interval: `[start, end]`;
   * bbox: `[west, south, east, north]`, where a part may select many numbers (the corners of a polygon);
   * text, string, uri: what the parts select, joined by `joiner`, is one value.
   */
  readonly parts?: readonly string[];
  /** Between the joined parts of a text; one space if absent. */
  readonly joiner?: string;
  /** Boxes that are texts give latitudes before longitudes: south, west, north, east (JSON only). */
  readonly latitudeFirst?: boolean;
  /** Only the first path that gives a value counts, in the order of preference. */
  readonly firstPath?: boolean;
}

/** Simple Dublin Core: values by element, in order. */
export type DublinCore = Readonly<Partial<Record<DcElement, readonly string[]>>>;

export interface MetadataFormat {
  /** Our name and the OAI metadataPrefix. */
  readonly name: string;
  readonly label: string;
  readonly syntax: 'xml' | 'json';
  /** Prefix → namespace URI, for the paths. */
  readonly namespaces: Readonly<Record<string, string>>;
  /** The namespace and schema that OAI-PMH announces. */
  readonly namespace: string;
  readonly schemaLocation: string;
  /**
   * How a document of this format is known: root element (`prefix:local`, with `namespaces`) and/or a
   * test: for XML a boolean XPath; for JSON pointers that must lead somewhere (`/stac_version`) or to a
   * value (`/type=Feature`), joined by ` and `. One fitting entry is enough; a format without entries is
   * never detected, only named.
   */
  readonly detect: readonly { readonly root?: string; readonly test?: string }[];
  /** Where the identifier of a record stands; the first that gives text wins. */
  readonly identifier: readonly string[];
  readonly fields: readonly FormatField[];
  /**
   * Built-in formats only: fields of attributes (`core/attributes.ts`), which no table can name beforehand,
   * and what of the record is searched by words.
   */
  readonly attributes?: (record: Uint8Array) => {
    readonly fields: Fields;
    readonly texts: readonly string[];
  };
  /** JSON only: what of a record is searched beside its fields; absent: all of it. */
  readonly texts?: readonly string[];
  /** Dublin Core elements from field names, or from paths. */
  readonly dublinCore: Readonly<
    Partial<Record<DcElement, readonly { readonly field?: string; readonly path?: string }[]>>
  >;
  /** Path of an XSD file, from config. */
  readonly xsd?: string;
}
