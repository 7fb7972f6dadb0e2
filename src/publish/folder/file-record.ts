/** The record of one file or page, ready for the store. */
import { setOfType } from '../../archive/content/index.ts';
import type { AccessRule } from '../../core/access.ts';
import type { FieldSpec, Instant } from '../../core/model.ts';
import { formatOai } from '../../core/time.ts';
import { createJsonExtractor } from '../../formats/extract-json.ts';
import { type WebFile, webFile } from '../../formats/web-file.ts';
import { makeIndexDocument } from '../../query/index-document.ts';
import type { IncomingRecord } from '../../store/index.ts';

export interface FileFacts {
  readonly url: string;
  /** The entry of a file; a page has none. */
  readonly path?: string;
  readonly fileName: string;
  readonly title?: string;
  readonly size: number;
  readonly mediaType: string;
  readonly charset?: string;
  readonly language?: string;
  readonly sha256: string;
  readonly modifiedAt?: Instant;
}

export type MakeRecord = (facts: FileFacts, access: AccessRule | undefined) => IncomingRecord;

/** `specs`: the fields of the installation. */
export function createRecordMaker(specs: readonly FieldSpec[]): MakeRecord {
  const extract = createJsonExtractor(webFile);
  return (facts, access) => {
    const described = describe(facts);
    const { fields } = extract(described);
    return {
      identifier: facts.url,
      format: webFile.name,
      raw: Buffer.from(JSON.stringify(described)),
      // The words of the address; digests and sizes would be a word of their own for every file.
      document: makeIndexDocument(fields, specs, [described.title, decodeWords(described.url)]),
      sets: [setOfType(facts.mediaType)],
      // Told every time: the web server's rule is the one that counts.
      access: access ?? 'source',
    };
  };
}

function describe({
  url,
  path,
  fileName,
  title,
  size,
  mediaType,
  charset,
  language,
  sha256,
  modifiedAt,
}: FileFacts): WebFile {
  return {
    webFile: 1,
    url,
    ...(path !== undefined && { path }),
    title: title ?? (fileName || url),
    size,
    contentType:
      charset !== undefined && isTextual(mediaType) ? `${mediaType}; charset=${charset}` : mediaType,
    mediaType,
    ...(modifiedAt !== undefined && { lastModified: formatOai(modifiedAt) }),
    ...(language !== undefined && { language }),
    sha256,
    extent: `${size} bytes`,
  };
}

const isTextual = (mediaType: string): boolean => mediaType.startsWith('text/') || /[/+]xml$/.test(mediaType);

function decodeWords(url: string): string {
  try {
    return decodeURIComponent(url);
  } catch {
    // Names that are no UTF-8 have no words.
    return '';
  }
}
