/**
 * What Garner knows of one archived capture of a URL, as it is stored: small JSON. What the archive added,
 * what the content says of itself, and what was made of both for searching stand apart.
 */
import type { CataloguedValues } from './catalogued.ts';
import { COMMON_CROSSWALK } from './crosswalk.ts';
import { common, preferred } from './fields.ts';
import type { MetadataFormat } from './format.ts';

/** What a page says of itself, and may be wrong about. */
export const JUDGED_ELEMENTS = [
  'title',
  'description',
  'subject',
  'creator',
  'publisher',
  'date',
  'language',
] as const;
export type JudgedElement = (typeof JUDGED_ELEMENTS)[number];

export interface Doubt {
  /** The rule that found it: `saved-elsewhere`, `fits-text` … */
  readonly rule: string;
  /** For people; a clause that follows "since". */
  readonly reason: string;
}

/** Values that there is something to say against. */
export interface JudgedValues {
  readonly element: JudgedElement;
  readonly values: readonly string[];
  /** From 1, nothing to say against it, down to 0. */
  readonly score: number;
  /** `doubtful` values are kept here only: they are not the item's title, subject …; `noted` ones are. */
  readonly verdict: 'doubtful' | 'noted';
  readonly doubts: readonly Doubt[];
}

export interface WebCapture {
  readonly webCapture: 1;
  readonly url: string;
  readonly added: {
    /** ISO 8601, UTC. */
    readonly capturedAt: string;
    readonly status?: number;
    /** As the server said it, without parameters. */
    readonly contentType?: string;
    readonly contentLength?: number;
    /** Of the payload, as in the capture index. */
    readonly digest?: string;
    readonly recordId?: string;
    /** The archive file, and where in it the record lies. */
    readonly file?: string;
    readonly offset?: number;
    readonly length?: number;
    /** Software and operator, as the archive file names them. */
    readonly capturedBy?: string;
    /** Of a file that came in a package, when it has no address of its own. */
    readonly fileName?: string;
  };
  readonly described: {
    readonly type: 'Web capture';
    /** By its bytes. */
    readonly mediaType?: string;
    readonly title?: string;
    readonly description?: readonly string[];
    readonly creator?: readonly string[];
    readonly publisher?: readonly string[];
    readonly subject?: readonly string[];
    readonly date?: string;
    readonly published?: readonly string[];
    readonly modified?: readonly string[];
    readonly language?: readonly string[];
    readonly rights?: readonly string[];
    readonly judged?: readonly JudgedValues[];
    /** Of description and keywords together: equal for pages that share them, on whatever host. */
    readonly tagDigest?: string;
  };
  /** Stays when the page is captured again. */
  readonly catalogued?: CataloguedValues;
  readonly cataloguedBy?: string;
  /** By name, so that the names themselves are not searched. */
  readonly extracted: Readonly<Record<string, unknown>>;
  /** Of pages and PDF files; texts that are apart in the capture. Bounded. */
  readonly text?: readonly string[];
}

export const webCapture: MetadataFormat = {
  name: 'web_capture',
  label: 'Web capture',
  syntax: 'json',
  namespace: 'urn:garner:web-capture',
  schemaLocation: 'urn:garner:web-capture',
  namespaces: {},
  detect: [{ test: '/webCapture=1 and /added' }],
  identifier: ['/url'],
  fields: [
    preferred('title', '/catalogued/title', '/described/title', '/added/fileName', '/url'),
    ...(['description', 'creator', 'publisher', 'subject', 'language', 'rights'] as const).map((name) =>
      preferred(name, `/catalogued/${name}`, `/described/${name}`),
    ),
    common('place', ['/catalogued/place']),
    preferred('date', '/catalogued/date', '/described/date', '/added/capturedAt'),
    common('published', ['/described/published']),
    common('modified', ['/described/modified']),
    common('type', ['/described/type', '/catalogued/genre']),
    preferred('mediaType', '/described/mediaType', '/added/contentType'),
    common('identifier', ['/url']),
    common('link', ['/url']),
    common('captured', ['/added/capturedAt']),
    common('digest', ['/added/digest']),
    common('cataloguedBy', ['/cataloguedBy']),
    common('doubtful', ['/described/judged/*?verdict=doubtful/element']),
    common('tagDigest', ['/described/tagDigest']),
  ],
  // Not status, digest, offset …: a word that stands in every record finds nothing.
  texts: [
    '/url',
    ...[
      'meta',
      'dublinCore',
      'openGraph',
      'twitter',
      'citation',
      'headings',
      'jsonLd',
      'microdata',
      'rdfa',
    ].map((part) => `/extracted/${part}`),
    '/extracted/pdf',
    '/extracted/image',
    '/text',
  ],
  dublinCore: COMMON_CROSSWALK,
};
