/**
 * Files and pages of a published folder: resources of their own, beside the records that describe them (Z39.99,
 * “Resources and Metadata about Resources”). They are given from here, since clients believe a list only of what
 * lies at its own host; on the live site is a duplicate.
 */
import { itemPath } from '../../core/identifiers.ts';
import { formatOai } from '../../core/time.ts';
import { type WebFile, webFile } from '../../formats/web-file.ts';
import { readWebFile } from '../folder/forms.ts';
import type { FormatRecord, ListedRecord } from '../listing/list-records.ts';
import { changeOf, contentUrl, type ResourceMarks, type ResourceTerms, resourceUrl } from './resource.ts';
import { writeEntry, writeLn } from './sync-xml.ts';

export const describesFile = (format: string): boolean => format === webFile.name;

/** Undefined when the file is gone. */
export const fileOf = ({ status, bytes }: ListedRecord): WebFile | undefined =>
  status === 'live' ? readWebFile(bytes) : undefined;

/** Empty when the file is not given from here. Needs the record's facts and raw bytes. */
export function writeFile(
  resource: FormatRecord,
  { baseUrl, files }: Pick<ResourceTerms, 'baseUrl' | 'files'>,
  { changes, path }: ResourceMarks,
): string {
  const { format, record } = resource;
  if (!describesFile(format)) return '';
  const file = fileOf(record);
  if (files?.gives(record.source, file) !== true) return '';
  const moment = formatOai(record.datestampAt);
  const page = baseUrl + itemPath(record.source, record.identifier);
  return writeEntry({
    loc: contentUrl(baseUrl, record),
    lastmod: file && (file.lastModified ?? moment),
    md: {
      ...(changes && { change: changeOf(resource), datetime: moment }),
      ...(file && { hash: `sha-256:${file.sha256}`, length: file.size, type: file.mediaType, path }),
    },
    ...(file && {
      links:
        writeLn('describedby', `${page}?format=oai_dc`, 'text/xml') +
        writeLn('describedby', resourceUrl(baseUrl, record, format), 'application/json') +
        writeLn('duplicate', file.url) +
        writeLn('collection', `${baseUrl}/search?source=${record.source}`, 'text/html'),
    }),
  });
}
