/**
 * A metadata record as a resource of ResourceSync: byte for byte as it came, at the address where the portal gives
 * it.
 */
import { itemPath } from '../../core/identifiers.ts';
import type { ItemRef } from '../../core/model.ts';
import { formatOai } from '../../core/time.ts';
import { oaiDc } from '../../formats/oai-dc-format.ts';
import type { FormatRegistry } from '../../formats/registry.ts';
import { webFile } from '../../formats/web-file.ts';
import type { FileContents } from '../folder/index.ts';
import type { FormatRecord } from '../listing/list-records.ts';
import { writeEntry, writeLn } from './sync-xml.ts';

/** How the documents speak of records; the same for all of them. */
export interface ResourceTerms {
  /** Without a slash at the end. */
  readonly baseUrl: string;
  readonly formats: FormatRegistry;
  /** Of published folders; absent: only what describes them is listed. */
  readonly files?: FileContents | undefined;
}

type ResourceChange = 'created' | 'updated' | 'deleted';

/** One per stored format of an item, whichever of them is indexed. */
export function resourceUrl(baseUrl: string, { source, identifier }: ItemRef, format: string): string {
  return `${baseUrl}${itemPath(source, identifier)}?format=raw&schema=${encodeURIComponent(format)}`;
}

/** Where a published file is given. */
export const contentUrl = (baseUrl: string, { source, identifier }: ItemRef): string =>
  `${baseUrl}${itemPath(source, identifier)}?format=content`;

export function changeOf({ record }: FormatRecord): ResourceChange {
  if (record.status === 'deleted') return 'deleted';
  return record.facts?.isNew === true ? 'created' : 'updated';
}

/** As the portal labels the bytes. */
export function mediaTypeOf(formats: FormatRegistry, format: string): 'application/json' | 'text/xml' {
  return formats.find(format)?.syntax === 'json' ? 'application/json' : 'text/xml';
}

export interface ResourceMarks {
  /** In change lists and dumps of changes. */
  readonly changes: boolean;
  /** In manifests: where in the package it lies. */
  readonly path?: string | undefined;
}

/** Needs the record's facts; of a deleted one there are none. */
export function writeResource(
  resource: FormatRecord,
  terms: ResourceTerms,
  { changes, path }: ResourceMarks,
): string {
  const { format, record } = resource;
  const { facts } = record;
  const moment = formatOai(record.datestampAt);
  return writeEntry({
    loc: resourceUrl(terms.baseUrl, record, format),
    ...(facts && { lastmod: moment, links: writeLinks(record, format, terms) }),
    md: {
      ...(changes && { change: changeOf(resource), datetime: moment }),
      ...(facts && {
        hash: `sha-256:${facts.digest}`,
        length: facts.length,
        type: mediaTypeOf(terms.formats, format),
        path,
      }),
    },
  });
}

/** What the record describes, in which form else it is had, what its elements mean, and where it belongs. */
function writeLinks(record: ItemRef, format: string, { baseUrl, formats, files }: ResourceTerms): string {
  const page = baseUrl + itemPath(record.source, record.identifier);
  const namespace = formats.find(format)?.namespace;
  return [
    ...(format === webFile.name
      ? [
          writeLn('describes', record.identifier),
          files?.gives(record.source) ? writeLn('describes', contentUrl(baseUrl, record)) : '',
        ]
      : [writeLn('describes', page, 'text/html')]),
    format === oaiDc.name ? '' : writeLn('alternate', `${page}?format=oai_dc`, 'text/xml'),
    namespace ? writeLn('profile', namespace) : '',
    writeLn('collection', `${baseUrl}/search?source=${record.source}`, 'text/html'),
  ].join('');
}
