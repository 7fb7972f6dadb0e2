/**
 * What Garner knows of one archived capture of a URL, as it is stored: small JSON. What the archive added,
 * what the content says of itself, and what was made of both for searching stand apart.
 */
import { COMMON_CROSSWALK } from './crosswalk.ts';
import { common, preferred } from './fields.ts';
import type { MetadataFormat } from './format.ts';

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
  };
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
    preferred('title', '/described/title', '/url'),
    common('description', ['/described/description']),
    common('creator', ['/described/creator']),
    common('publisher', ['/described/publisher']),
    common('subject', ['/described/subject']),
    preferred('date', '/described/date', '/added/capturedAt'),
    common('published', ['/described/published']),
    common('modified', ['/described/modified']),
    common('type', ['/described/type']),
    preferred('mediaType', '/described/mediaType', '/added/contentType'),
    common('language', ['/described/language']),
    common('rights', ['/described/rights']),
    common('identifier', ['/url']),
    common('link', ['/url']),
    common('captured', ['/added/capturedAt']),
    common('digest', ['/added/digest']),
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
