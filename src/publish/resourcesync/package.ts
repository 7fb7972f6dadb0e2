/**
 * A package of a dump: a ZIP with the bytes of a window's records and `manifest.xml`, which stands last, since
 * it tells what was really packed. Files of published folders come with the records that describe them.
 */
import { formatOai } from '../../core/time.ts';
import type { FormatRegistry } from '../../formats/registry.ts';
import type { WantedList } from '../listing/cut-windows.ts';
import { gatherPieces } from '../listing/document.ts';
import { type FormatRecord, listRecords } from '../listing/list-records.ts';
import type { ListWindow } from '../listing/window.ts';
import { writeZip, type ZipFile } from '../zip-stream.ts';
import { describesFile, fileOf, writeFile } from './file-content.ts';
import { mediaTypeOf, type ResourceTerms, writeResource } from './resource.ts';

export const PACKAGE_TYPE = 'application/zip';
export const MANIFEST = 'manifest.xml';

export interface PackageParts {
  readonly list: WantedList;
  /** Closed, and small enough: its manifest is held until the end. */
  readonly window: ListWindow;
  readonly terms: ResourceTerms;
  /** With deletions, each entry with its change. */
  readonly changes: boolean;
  /** The manifest up to its first entry. */
  readonly opening: string;
}

export function writePackage(parts: PackageParts): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  return gatherPieces(writeZip(listFiles(parts)));
}

async function* listFiles(parts: PackageParts): AsyncGenerator<ZipFile> {
  const { list, window, terms, changes, opening } = parts;
  const entries = [opening];
  let count = 0;
  let newestAt = window.fromAt;
  for await (const resource of listRecords(list, window, () => ({ content: 'raw', facts: true }))) {
    const { record } = resource;
    newestAt = Math.max(newestAt, record.datestampAt);
    if (record.status === 'deleted') {
      if (changes)
        entries.push(writeFile(resource, terms, { changes }), writeResource(resource, terms, { changes }));
      continue;
    }
    count++;
    const file = describesFile(resource.format) ? fileOf(record) : undefined;
    const content = file && (await terms.files?.read(record.source, file));
    if (content) {
      const path = filePath(record, count);
      entries.push(writeFile(resource, terms, { changes, path: `/${path}` }));
      yield { name: path, bytes: content, modifiedAt: record.datestampAt };
    }
    const path = recordPath(resource, count, terms.formats);
    entries.push(writeResource(resource, terms, { changes, path: `/${path}` }));
    yield { name: path, bytes: record.bytes, modifiedAt: record.datestampAt };
  }
  entries.push('</urlset>\n');
  yield { name: MANIFEST, bytes: Buffer.from(entries.join('')), modifiedAt: newestAt };
}

/** A number that nothing else has, and enough of the identifier for people to find their way. */
const numbered = (number: number, readable: string): string =>
  `${String(number).padStart(6, '0')}-${readable.slice(-60)}`;

const filePath = ({ source, identifier }: FormatRecord['record'], number: number): string =>
  `files/${source}/${numbered(number, identifier.replace(/[^A-Za-z0-9_.-]+/g, '_'))}`;

function recordPath({ format, record }: FormatRecord, number: number, formats: FormatRegistry): string {
  const readable = record.identifier.replace(/[^A-Za-z0-9_-]+/g, '_');
  const ending = mediaTypeOf(formats, format) === 'application/json' ? 'json' : 'xml';
  return `resources/${record.source}/${numbered(number, readable)}.${ending}`;
}

/** The moments that a document of changes covers. */
export function spanOf({ fromAt, untilAt }: ListWindow): { from: string; until?: string } {
  return { from: formatOai(fromAt), ...(untilAt !== undefined && { until: formatOai(untilAt) }) };
}
