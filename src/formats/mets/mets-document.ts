/**
 * The parts of a METS 1.12 document that Garner writes and reads. Lists are iterables: a writer may make
 * them while they are written, a reader gives arrays.
 */

export const METS = {
  prefix: 'mets',
  namespace: 'http://www.loc.gov/METS/',
  schema: 'http://www.loc.gov/standards/mets/mets.xsd',
} as const;

export interface MetsAgent {
  readonly role: string;
  readonly type?: string;
  readonly otherType?: string;
  readonly name: string;
}

export interface MetsHead {
  readonly objectId?: string;
  readonly label?: string;
  readonly type?: string;
  readonly profile?: string;
  /** ISO 8601. */
  readonly created?: string;
  readonly modified?: string;
  readonly agents: readonly MetsAgent[];
  readonly documentId?: string;
}

/** A piece of metadata: `dmdSec`, `techMD`, `rightsMD`, `sourceMD` or `digiprovMD`. */
export interface MetsMetadata {
  readonly id: string;
  readonly type: string;
  /** When `type` is `OTHER`. */
  readonly otherType?: string;
  readonly version?: string;
  /** What stands in `xmlData`, as written. Absent: the metadata lies elsewhere, or is no XML. */
  readonly xml?: string;
}

export const ADMIN_PARTS = ['techMD', 'rightsMD', 'sourceMD', 'digiprovMD'] as const;
export type AdminPart = (typeof ADMIN_PARTS)[number];

export type MetsAdmin = { readonly id?: string } & {
  readonly [Part in AdminPart]?: readonly MetsMetadata[];
};

export interface MetsLocation {
  readonly type: string;
  readonly otherType?: string;
  readonly href: string;
}

export interface MetsFile {
  readonly id: string;
  readonly mediaType?: string;
  readonly size?: number;
  readonly created?: string;
  readonly checksum?: string;
  readonly checksumType?: string;
  readonly ownerId?: string;
  readonly admIds: readonly string[];
  readonly dmdIds: readonly string[];
  readonly locations: readonly MetsLocation[];
  /** Base64 of the file itself (FContent). */
  readonly content?: string;
}

export interface MetsFileGroup {
  readonly use?: string;
  readonly files: Iterable<MetsFile>;
}

export interface MetsArea {
  readonly fileId: string;
  /** Offsets of the first and the last byte. */
  readonly bytes?: { readonly first: number; readonly last: number };
}

/** One `fptr`: a whole file, a part of one, or files that belong together (`par`). */
export type MetsFilePointer =
  | { readonly fileId: string }
  | { readonly area: MetsArea }
  | { readonly parallel: readonly MetsArea[] };

export interface MetsDiv {
  readonly id?: string;
  readonly type?: string;
  readonly order?: number;
  readonly label?: string;
  readonly dmdIds: readonly string[];
  readonly admIds: readonly string[];
  readonly contentIds: readonly string[];
  /** What `smLink`s name it by (`xlink:label`). */
  readonly linkLabel?: string;
  /** `mptr`: other METS documents. */
  readonly pointers: readonly MetsLocation[];
  readonly files: readonly MetsFilePointer[];
  readonly divs: Iterable<MetsDiv>;
}

export interface MetsStructure {
  readonly type?: string;
  readonly label?: string;
  readonly root: MetsDiv;
}

export interface MetsLink {
  readonly from: string;
  readonly to: string;
  readonly title?: string;
}

export interface MetsParts {
  readonly head: MetsHead;
  readonly descriptions: Iterable<MetsMetadata>;
  readonly admins: Iterable<MetsAdmin>;
  readonly fileGroups: Iterable<MetsFileGroup>;
  readonly structures: readonly MetsStructure[];
  readonly links: Iterable<MetsLink>;
}
