/** One file of a site in METS: its entry, and what is known of its technique, rights and history. */
import { writeHttpHeader } from '../../formats/http-header.ts';
import type { MetsAdmin, MetsFile, MetsMetadata } from '../../formats/mets/mets-document.ts';
import { MIX, writeMix } from '../../formats/mix-write.ts';
import {
  PREMIS,
  writePremisEvent,
  writePremisObject,
  writePremisRights,
} from '../../formats/premis-write.ts';
import { TEXTMD, writeTextMd } from '../../formats/textmd-write.ts';
import type { ModelFile } from '../site-model/model-types.ts';
import { archivedUrl, type PackageContext } from './package-context.ts';

/** The identifiers of its sections, in the order in which `fileAdmin` has them. */
function sectionsOf(file: ModelFile, { ids }: PackageContext) {
  const id = (kind: Parameters<typeof ids.of>[0]) => ids.of(kind, file.url);
  return {
    object: id('object'),
    headers: file.headers.length > 0 ? id('headers') : undefined,
    image: file.image && file.size !== undefined ? id('image') : undefined,
    text: file.charset === undefined ? undefined : id('text'),
    rights: file.described?.rights?.[0] === undefined ? undefined : id('rights'),
    event: id('event'),
  };
}

/** `crawlers`: names of those who captured it. */
export function fileAdmin(file: ModelFile, context: PackageContext, crawlers: readonly string[]): MetsAdmin {
  const sections = sectionsOf(file, context);
  const [licence] = file.described?.rights ?? [];
  return {
    id: context.ids.of('admin', file.url),
    techMD: [
      {
        id: sections.object,
        type: 'PREMIS:OBJECT',
        version: PREMIS.version,
        xml: writeObject(file, sections.event),
      },
      ...one(sections.headers, (id) => ({
        id,
        type: 'OTHER',
        otherType: 'HTTP-HEADER',
        xml: writeHttpHeader(file.headers),
      })),
      ...one(sections.image, (id) => ({
        id,
        type: 'NISOIMG',
        version: MIX.version,
        xml: writeMix({
          ...file.image,
          url: file.url,
          size: file.size ?? 0,
          mediaType: file.mediaType ?? '',
          sha256: file.sha256 ?? '',
        }),
      })),
      ...one(sections.text, (id) => ({
        id,
        type: 'TEXTMD',
        version: TEXTMD.version,
        xml: writeTextMd({
          markup: file.mediaType ?? 'text/plain',
          ...(file.charset !== undefined && { charset: file.charset }),
          ...(file.language !== undefined && { language: file.language }),
        }),
      })),
    ],
    ...(sections.rights !== undefined && {
      rightsMD: [
        {
          id: sections.rights,
          type: 'PREMIS:RIGHTS',
          version: PREMIS.version,
          xml: writePremisRights({
            identifier: sections.rights,
            ...(licence !== undefined && { licence }),
            act: 'use',
            restriction: 'as the page says',
          }),
        },
      ],
    }),
    digiprovMD: [
      {
        id: sections.event,
        type: 'PREMIS:EVENT',
        version: PREMIS.version,
        xml: writeCapture(file, sections.event, crawlers),
      },
    ],
  };
}

export function fileEntry(file: ModelFile, context: PackageContext): MetsFile {
  const { object, headers, image, text, rights, event } = sectionsOf(file, context);
  const { placeRecord = (stored) => stored } = context;
  const record = file.stored && placeRecord(file.stored);
  return {
    id: context.ids.of('file', file.url),
    ...(file.mediaType !== undefined && { mediaType: file.mediaType }),
    ...(file.size !== undefined && { size: file.size }),
    created: new Date(file.capturedAt).toISOString(),
    ...(file.sha256 !== undefined && { checksum: file.sha256, checksumType: 'SHA-256' }),
    ownerId: file.url,
    admIds: [object, headers, image, text, rights, event].filter((id) => id !== undefined),
    dmdIds: [],
    locations: [
      { type: 'URL', href: archivedUrl(context, file) },
      ...(record
        ? [{ type: 'OTHER', otherType: 'WARC', href: `${encodeURI(record.file)}#offset=${record.offset}` }]
        : []),
    ],
  };
}

function writeObject(file: ModelFile, event: string): string {
  const digest = readDigest(file.payloadDigest);
  return writePremisObject({
    identifier: { type: 'URL', value: file.url },
    fixities: [
      ...(file.sha256 === undefined
        ? []
        : [{ algorithm: 'SHA-256', digest: file.sha256, originator: 'repository, of the content' }]),
      ...(digest ? [{ ...digest, originator: 'archive file, of the payload as sent' }] : []),
    ],
    ...(file.size !== undefined && { size: file.size }),
    format: file.mediaType ?? 'application/octet-stream',
    ...(file.stored && { storedIn: `${file.stored.file}#offset=${file.stored.offset}` }),
    events: [event],
  });
}

/** SHA-1 in base32 has no label, others have. */
function readDigest(text: string | undefined): { algorithm: string; digest: string } | undefined {
  if (text === undefined) return undefined;
  const [, label, digest] = /^([a-z0-9-]+):(.+)$/i.exec(text) ?? [];
  if (label === undefined || digest === undefined) return { algorithm: 'SHA-1', digest: text };
  return { algorithm: label.toUpperCase().replace(/^SHA(\d)/, 'SHA-$1'), digest };
}

function writeCapture(file: ModelFile, identifier: string, crawlers: readonly string[]): string {
  const { status, recordId, repeatsAt, problems } = file;
  return writePremisEvent({
    identifier,
    type: file.captureType === 'conversion' ? 'migration' : 'capture',
    at: file.capturedAt,
    details: [
      ...(recordId === undefined ? [] : [`record ${recordId}`]),
      ...(repeatsAt === undefined
        ? []
        : [`unchanged since ${new Date(repeatsAt).toISOString()}, whose content it is`]),
      ...problems.map(({ code, message }) => `${code}: ${message}`),
    ],
    ...(status !== undefined && { outcome: `HTTP status ${status}` }),
    agents: crawlers.map((name) => ({ name, role: 'crawler' })),
    objects: [{ type: 'URL', value: file.url }],
  });
}

const one = (id: string | undefined, make: (id: string) => MetsMetadata): MetsMetadata[] =>
  id === undefined ? [] : [make(id)];
