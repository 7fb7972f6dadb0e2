/** The words of Garner's model. Everything that comes in becomes an item with versioned metadata records. */

/** Milliseconds since 1970-01-01T00:00:00Z. Names of instants end in `At`, of durations in `Ms`. */
export type Instant = number;

/** What a user says to name an item: the source it came from and the identifier it has there. */
export interface ItemRef {
  readonly source: string;
  readonly identifier: string;
}

export const FIELD_TYPES = ['text', 'string', 'number', 'date', 'interval', 'bbox', 'uri'] as const;
export type FieldType = (typeof FIELD_TYPES)[number];

/** WGS84 degrees. `west > east` means that the box crosses the antimeridian. */
export interface BoxValue {
  readonly west: number;
  readonly south: number;
  readonly east: number;
  readonly north: number;
}

/** Normalised ISO 8601 dates (see `time.ts`); an absent end is open. */
export interface IntervalValue {
  readonly start?: string;
  readonly end?: string;
}

/**
 * One value of a field. By the field's type: text, string, uri → string; number → number;
 * date → a normalised ISO 8601 string of year, month, day or second precision (UTC);
 * interval → IntervalValue; bbox → BoxValue.
 */
export type FieldValue = string | number | IntervalValue | BoxValue;

/** The values of one item by field name, in document order. Fields without a value are absent. */
export type Fields = Readonly<Record<string, readonly FieldValue[]>>;

/** How one field is read, kept and searched; fields of the same name in several formats search together. */
export interface FieldSpec {
  readonly name: string;
  readonly type: FieldType;
  /** Shown in the portal. */
  readonly label: string;
  /** Kept for display and for search answers. */
  readonly stored: boolean;
  /** Reachable by name in a query. */
  readonly indexed: boolean;
  /** Split into words (text, string and uri only); else only whole values match. */
  readonly tokenised: boolean;
  /** Words are matched by their English stem unless quoted. */
  readonly stemmed: boolean;
  /** Counted in facets (string, uri, number and date by year). */
  readonly facet: boolean;
  /** How much a hit in this field weighs against one in the rest of the text (1). */
  readonly weight: number;
}

/** Field names that the store itself fills: no format may define them. */
export const RESERVED_FIELDS = ['source', 'id', 'set', 'view', 'schema', 'updated'] as const;

/** What extraction made of one record: ready to be indexed. */
export interface IndexDocument {
  readonly fields: Fields;
  /**
   * Folded words, separated by one space, by name of the tokenised field; under `''` the rest of the
   * record's text. Values and text nodes are kept apart by WORD_GAP (`query/words.ts`).
   */
  readonly words: Readonly<Record<string, string>>;
}

/** A value that could not be understood: the record is kept, the problem is listed. */
export interface RecordProblem {
  readonly code: string;
  readonly message: string;
  /** Where in the origin: a file path, a URL, or path!entry inside an archive. */
  readonly where?: string;
  readonly line?: number;
  readonly identifier?: string;
}
