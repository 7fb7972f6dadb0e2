/** A metadata format: how to know it, which fields it has, how it becomes Dublin Core. Configuration, not code. */
import type { FieldSpec } from '../core/model.ts';

/** A field's values are the union of what its paths select: XPath 1.0 for XML, JSON Pointer (with `*` for any array index) for JSON. */
export interface FormatField extends FieldSpec {
  readonly paths: readonly string[];
  /**
   * interval: `[start path, end path]` relative to each node of `paths`;
   * bbox: `[west, south, east, north]` relative to each node of `paths`.
   */
  readonly parts?: readonly string[];
}

export const DC_ELEMENTS = [
  'title',
  'creator',
  'subject',
  'description',
  'publisher',
  'contributor',
  'date',
  'type',
  'format',
  'identifier',
  'source',
  'language',
  'relation',
  'coverage',
  'rights',
] as const;
export type DcElement = (typeof DC_ELEMENTS)[number];

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
  /** How a document of this format is known: root element (`prefix:local`, with `namespaces`) and/or a boolean path. */
  readonly detect: readonly { readonly root?: string; readonly test?: string }[];
  /** Where the identifier of a record stands; the first that gives text wins. */
  readonly identifier: readonly string[];
  readonly fields: readonly FormatField[];
  /** Dublin Core elements from field names, or from paths. */
  readonly dublinCore: Readonly<
    Partial<Record<DcElement, readonly { readonly field?: string; readonly path?: string }[]>>
  >;
  /** Path of an XSD file, from config. */
  readonly xsd?: string;
}
