/** The columns of the CDX server API, by the names that its clients know. */
import { GarnerError } from '../../core/errors.ts';
import type { StoredCapture } from '../../store/captures.ts';

const COLUMNS = {
  urlkey: ({ urlKey }) => urlKey,
  timestamp: ({ at }) => timestampOf(at),
  original: ({ url }) => url,
  mimetype: ({ type, mediaType }) => (type === 'revisit' ? 'warc/revisit' : mediaType),
  statuscode: ({ status }) => status?.toString(),
  digest: ({ digest }) => digest,
  redirect: ({ redirect }) => redirect,
  length: ({ length }) => length?.toString(),
  offset: ({ offset }) => offset?.toString(),
  filename: ({ file }) => file,
  source: ({ source }) => source,
} as const satisfies Record<string, (capture: StoredCapture) => string | undefined>;

export type CdxField = keyof typeof COLUMNS;

/** Other servers have other names for some of them. */
const ALIASES: Readonly<Record<string, CdxField>> = {
  url: 'original',
  mime: 'mimetype',
  status: 'statuscode',
  statuscode: 'statuscode',
};

export const DEFAULT_FIELDS: readonly CdxField[] = [
  'urlkey',
  'timestamp',
  'original',
  'mimetype',
  'statuscode',
  'digest',
  'length',
];

export function readField(name: string): CdxField {
  const alias = Object.hasOwn(ALIASES, name) ? ALIASES[name] : undefined;
  if (alias) return alias;
  const known = Object.keys(COLUMNS).find((column): column is CdxField => column === name);
  if (known) return known;
  throw new GarnerError(
    'request.invalid',
    `there is no field "${name.slice(0, 100)}"; there are ${Object.keys(COLUMNS).join(', ')}`,
  );
}

/** A dash where there is nothing; columns are parted by blanks, so a value has none. */
export function columnOf(capture: StoredCapture, field: CdxField): string {
  const value = COLUMNS[field](capture);
  return value === undefined || value === '' ? '-' : value.replace(/\s/g, '%20');
}

/** `20261115083000`. */
export const timestampOf = (at: number): string => new Date(at).toISOString().replace(/\D/g, '').slice(0, 14);
