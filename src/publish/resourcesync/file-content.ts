/**
 * Files and pages of a published folder: resources of their own at their own addresses, beside the records that
 * describe them (Z39.99, “Resources and Metadata about Resources”).
 */
import { itemPath } from '../../core/identifiers.ts';
import { formatOai } from '../../core/time.ts';
import { type WebFile, webFile } from '../../formats/web-file.ts';
import { readWebFile } from '../folder/forms.ts';
import type { FormatRecord, ListedRecord } from '../listing/list-records.ts';
import { changeOf, type ResourceMarks, type ResourceTerms, resourceUrl } from './resource.ts';
import { writeEntry, writeLn } from './sync-xml.ts';

/** The bytes of a published file; undefined when they are not given, or no longer those that were described. */
export type ReadFile = (source: string, file: WebFile) => Promise<Uint8Array | undefined>;

export const describesFile = (format: string): boolean => format === webFile.name;

/** Undefined when the file is gone. */
export const fileOf = ({ status, bytes }: ListedRecord): WebFile | undefined =>
  status === 'live' ? readWebFile(bytes) : undefined;

/** Needs the record's facts and raw bytes. */
export function writeFile(
  resource: FormatRecord,
  { baseUrl }: Pick<ResourceTerms, 'baseUrl'>,
  { changes, path }: ResourceMarks,
): string {
  const { format, record } = resource;
  const file = fileOf(record);
  const moment = formatOai(record.datestampAt);
  const page = baseUrl + itemPath(record.source, record.identifier);
  return writeEntry({
    loc: record.identifier,
    lastmod: file && (file.lastModified ?? moment),
    md: {
      ...(changes && { change: changeOf(resource), datetime: moment }),
      ...(file && { hash: `sha-256:${file.sha256}`, length: file.size, type: file.mediaType, path }),
    },
    ...(file && {
      links:
        writeLn('describedby', `${page}?format=oai_dc`, 'text/xml') +
        writeLn('describedby', resourceUrl(baseUrl, record, format), 'application/json') +
        writeLn('collection', `${baseUrl}/search?source=${record.source}`, 'text/html'),
    }),
  });
}
