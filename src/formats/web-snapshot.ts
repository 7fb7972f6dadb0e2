/**
 * One crawl or import as a whole: the complex object that lists its captures. The list itself is a blob of
 * JSON lines, since it may be long; the record tells what is in it.
 */
import type { CataloguedValues } from './catalogued.ts';
import { COMMON_CROSSWALK } from './crosswalk.ts';
import { common, preferred } from './fields.ts';
import type { MetadataFormat } from './format.ts';

export interface WebSnapshot {
  readonly webSnapshot: 1;
  /** `{series}:{YYYYMMDDThhmmssZ}`. */
  readonly identifier: string;
  /** What it is a snapshot of, again and again: a topic or a site. */
  readonly series: string;
  readonly title: string;
  readonly type: 'Web snapshot';
  /** Of the first and the last capture; ISO 8601, UTC. */
  readonly startedAt: string;
  readonly endedAt: string;
  readonly captures: number;
  readonly urls: number;
  readonly hosts: readonly string[];
  readonly files: readonly string[];
  /** The blob. */
  readonly manifest: { readonly digest: string; readonly size: number };
  /** What its resources say of themselves, merged. */
  readonly described?: SnapshotDescription;
  /** What a curator says instead. */
  readonly catalogued?: CataloguedValues;
  readonly cataloguedBy?: string;
  readonly comparedWith?: SnapshotComparison;
  /** A blob: the ranked list of candidates that it was crawled from, JSON. */
  readonly candidates?: { readonly digest: string; readonly size: number };
}

export interface SnapshotDescription {
  readonly description?: readonly string[];
  readonly subject?: readonly string[];
  readonly creator?: readonly string[];
  readonly publisher?: readonly string[];
  readonly language?: readonly string[];
  readonly rights?: readonly string[];
}

/** How many of its URLs are what they were in the snapshot before. */
export interface SnapshotComparison {
  readonly identifier: string;
  /** From which share of common words on a text counts as essentially the same. */
  readonly threshold: number;
  readonly same: number;
  readonly similar: number;
  readonly changed: number;
  readonly added: number;
  readonly gone: number;
  /** Other bytes, but nearly the same words; the first of them. */
  readonly essentiallyUnchanged?: readonly { readonly url: string; readonly similarity: number }[];
  /** The first of the others that are not the same; absent in older snapshots, and where there are none. */
  readonly named?: Readonly<Partial<Record<'changed' | 'added' | 'gone', readonly ComparedUrl[]>>>;
}

export interface ComparedUrl {
  readonly url: string;
  /** Of the answer; of one that is gone, as it was. */
  readonly status?: number;
}

/** One line of the manifest. */
export interface SnapshotLine {
  readonly url: string;
  readonly at: number;
  readonly type: string;
  readonly status?: number;
  readonly mediaType?: string;
  readonly digest?: string;
  readonly recordId?: string;
  readonly file: string;
  readonly offset: number;
  readonly inner?: number;
  readonly length?: number;
}

export const webSnapshot: MetadataFormat = {
  name: 'web_snapshot',
  label: 'Web snapshot',
  syntax: 'json',
  namespace: 'urn:garner:web-snapshot',
  schemaLocation: 'urn:garner:web-snapshot',
  namespaces: {},
  detect: [{ test: '/webSnapshot=1 and /manifest' }],
  identifier: ['/identifier'],
  fields: [
    preferred('title', '/catalogued/title', '/title'),
    ...(['description', 'subject', 'creator', 'publisher', 'language', 'rights'] as const).map((name) =>
      preferred(name, `/catalogued/${name}`, `/described/${name}`),
    ),
    common('place', ['/catalogued/place']),
    common('cataloguedBy', ['/cataloguedBy']),
    common('identifier', ['/identifier']),
    common('series', ['/series']),
    common('type', ['/type', '/catalogued/genre']),
    preferred('date', '/catalogued/date', '/startedAt'),
    common('captured', ['/startedAt']),
    common('time', [''], { parts: ['/startedAt', '/endedAt'] }),
  ],
  texts: ['/identifier', '/hosts'],
  dublinCore: COMMON_CROSSWALK,
};
