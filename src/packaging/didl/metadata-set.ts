/** The metadata of one URL: what its content says of itself, and apart from that what the archive added. */
import { DC_ELEMENTS, type DublinCore } from '../../formats/format.ts';
import { writeOaiDc } from '../../formats/oai-dc.ts';
import type { WebCapture } from '../../formats/web-capture.ts';
import type { StoredCapture } from '../../store/index.ts';
import { escapeText } from '../../xml/write.ts';
import type { SnapshotResource } from '../snapshot/read-snapshot.ts';
import type { ListedCandidate } from './candidate-list.ts';
import type { PackedDirectory } from './pack-directory.ts';
import { PackageXml } from './package-xml.ts';

export interface MetadataFacts {
  readonly resource: SnapshotResource;
  /** What was read of the capture; absent when it could not be read, or is an error or redirect. */
  readonly described?: WebCapture | undefined;
  readonly candidate?: ListedCandidate | undefined;
  readonly packed?: PackedDirectory | undefined;
  /** Why the content cannot be given. */
  readonly problem?: { readonly code: string; readonly message: string } | undefined;
}

/** One element without an XML declaration. */
export function writeMetadataSet({ resource, described, candidate, packed, problem }: MetadataFacts): string {
  const xml = new PackageXml();
  const content =
    xml.element('extracted', described ? writeExtracted(xml, described) : '') +
    xml.element('added', writeAdded(xml, resource, described, candidate, packed)) +
    xml.text('problem', problem?.message, { code: problem?.code });
  return xml.root('metadata', content);
}

function writeExtracted(xml: PackageXml, { extracted }: WebCapture): string {
  const { title } = extracted;
  const meta = valuesByName(extracted.meta).map(([name, value]) => xml.text('meta', value, { name }));
  const dublinCore = toElements(valuesByName(extracted.dublinCore));
  for (const value of Object.values(dublinCore).flat()) escapeText(value, xml.tally);
  return [
    xml.text('title', typeof title === 'string' ? title : undefined),
    ...meta,
    Object.keys(dublinCore).length > 0 ? writeOaiDc(dublinCore) : '',
  ].join('');
}

/** Kept by name, each with a list of values. */
function valuesByName(group: unknown): [name: string, value: string][] {
  if (typeof group !== 'object' || group === null) return [];
  return Object.entries(group).flatMap(([name, values]) =>
    Array.isArray(values)
      ? values.flatMap((value): [string, string][] => (typeof value === 'string' ? [[name, value]] : []))
      : [],
  );
}

/** `date.created` is a date. */
function toElements(values: readonly (readonly [string, string])[]): DublinCore {
  const grouped = Map.groupBy(values, ([name]) => name.split('.')[0]?.toLowerCase());
  return Object.fromEntries(
    DC_ELEMENTS.flatMap((element) => {
      const found = grouped.get(element);
      return found ? [[element, found.map(([, value]) => value)]] : [];
    }),
  );
}

function writeAdded(
  xml: PackageXml,
  { url, capture, visits }: SnapshotResource,
  described: WebCapture | undefined,
  candidate: ListedCandidate | undefined,
  packed: PackedDirectory | undefined,
): string {
  const file = packed?.files[0];
  return [
    xml.text('url', url),
    xml.text('capturedAt', new Date(capture.at).toISOString()),
    xml.text('status', capture.status),
    xml.text('mediaType', described?.described.mediaType ?? capture.mediaType),
    xml.text('redirect', capture.redirect),
    xml.text('payloadDigest', capture.digest),
    xml.text('file', file?.name, { size: file?.size, sha256: file?.sha256 }),
    xml.text('record', recordName(capture), { file: capture.file, offset: capture.offset }),
    xml.text('visits', visits),
    xml.text('capturedBy', described?.added.capturedBy),
    ...(candidate
      ? [
          xml.text('position', candidate.position),
          xml.text('weight', candidate.weight),
          ...Object.entries(candidate.ranks).map(([engine, rank]) => xml.text('rank', rank, { engine })),
        ]
      : []),
    ...(described?.described.judged ?? []).flatMap(({ element, score, verdict, doubts }) =>
      doubts.map(({ rule, reason }) => xml.text('doubt', reason, { element, rule, score, verdict })),
    ),
  ].join('');
}

const recordName = ({ recordId, type }: StoredCapture): string => recordId ?? type;
