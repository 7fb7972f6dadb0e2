/** What a captured web site consists of, as the model's tables hold it. */
import type { ImageProperties, LinkKind } from '../../archive/content/index.ts';
import type { HeaderList } from '../../archive/index.ts';
import type { Instant, RecordProblem } from '../../core/model.ts';
import type { WebCapture } from '../../formats/web-capture.ts';

/** Groups of files; `error` are answers with a status from 400 on, whatever they contain. */
export const FILE_KINDS = [
  'page',
  'document',
  'style',
  'script',
  'image',
  'media',
  'font',
  'object',
  'data',
  'other',
  'error',
] as const;
export type FileKind = (typeof FILE_KINDS)[number];

/** One URL of the site with the capture that stands for it. */
export interface ModelFile {
  readonly key: number;
  readonly url: string;
  readonly capturedAt: Instant;
  /** `response`, `revisit`, `resource`, `conversion`. */
  readonly captureType: string;
  readonly status?: number;
  readonly kind: FileKind;
  /** By its bytes; what the server said is in the headers. */
  readonly mediaType?: string;
  /** Of the content without codings. Absent when it cannot be read. */
  readonly size?: number;
  readonly sha256?: string;
  /** Of the payload as it was sent, from the archive. */
  readonly payloadDigest?: string;
  readonly charset?: string;
  readonly language?: string;
  readonly title?: string;
  /** What the content says of itself. */
  readonly described?: WebCapture['described'];
  readonly headers: HeaderList;
  readonly image?: ImageProperties;
  /** The archive file, and where in it the record with the content lies. */
  readonly stored?: { readonly file: string; readonly offset: number };
  readonly recordId?: string;
  /** Of a revisit: when the content was captured that it repeats. */
  readonly repeatsAt?: Instant;
  readonly problems: readonly RecordProblem[];
  /** Clicks from the entry page; absent: no way leads there. */
  readonly depth?: number;
}

/** A file that a page shows or needs: its own, or by way of a style sheet or frame. */
export interface EmbeddedFile {
  readonly key: number;
  readonly page: string;
  readonly url: string;
  readonly kind: LinkKind;
  /** Absent when it was not captured. */
  readonly fileKey?: number;
  /** Absent for what the page itself names. */
  readonly via?: string;
}

/** A file that a page is shown with, as it was captured. */
export interface Requisite {
  readonly url: string;
  readonly capturedAt: Instant;
  /** The style sheet or frame that names it; absent for what the page itself names. */
  readonly via?: string;
}

export type LinkScope = 'internal' | 'external' | 'missing';

export interface ModelLink {
  readonly key: number;
  readonly page: string;
  readonly url: string;
  readonly kind: LinkKind;
  readonly anchor?: string;
  readonly rel?: string;
  readonly scope: LinkScope;
  /** URL of the file it leads to, redirects followed. */
  readonly target?: string;
  /** How many links of the page to the same URL stand before it. */
  readonly occurrence: number;
  /** In bytes of the page's content: all of the anchor, or at least its URL. */
  readonly at?: number;
  readonly length?: number;
}

export interface Redirect {
  readonly key: number;
  readonly url: string;
  readonly target: string;
  readonly status?: number;
  readonly capturedAt: Instant;
  /** URL of the file at the end of the way. */
  readonly leadsTo?: string;
}

export interface SiteFacts {
  readonly source: string;
  /** Of the snapshot; absent: all captures of the source. */
  readonly snapshot?: string;
  readonly title: string;
  readonly startedAt?: Instant;
  readonly endedAt?: Instant;
  readonly entryUrl?: string;
  readonly pages: number;
  readonly files: number;
  readonly embedded: number;
  readonly links: { readonly [Scope in LinkScope]: number };
  readonly redirects: number;
  readonly mediaTypes: readonly string[];
  readonly languages: readonly string[];
  readonly archives: readonly ArchiveFacts[];
  /** Captures that could not be read, wholly or in part. */
  readonly problems: number;
}

/** An archive file, and what it says of its crawl. */
export interface ArchiveFacts {
  readonly file: string;
  readonly size?: number;
  /** Of its warcinfo or filedesc record. */
  readonly info: readonly (readonly [name: string, value: string])[];
}
