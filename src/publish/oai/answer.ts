/** The XML of answers (§3.2, §4). Everything that comes from outside is escaped; what backends give as XML is trusted to be it. */
import type { Instant } from '../../core/model.ts';
import { formatOai, type OaiGranularity } from '../../core/time.ts';
import { escapeAttribute, escapeText, xml } from '../../xml/write.ts';
import type { OaiIdentity, OaiMetadata, OaiMetadataFormat, OaiRecord, OaiSet } from './backend.ts';
import { OAI_NAMESPACE, OAI_SCHEMA, type OaiProblem, XSI_NAMESPACE } from './protocol.ts';

export interface Envelope {
  readonly baseUrl: string;
  readonly echo: readonly (readonly [name: string, value: string])[];
}

export function openEnvelope({ baseUrl, echo }: Envelope, responseAt: Instant): string {
  const attributes = echo.map(([name, value]) => ` ${name}="${escapeAttribute(value)}"`).join('');
  return (
    '<?xml version="1.0" encoding="UTF-8"?>\n' +
    `<OAI-PMH xmlns="${OAI_NAMESPACE}" xmlns:xsi="${XSI_NAMESPACE}" xsi:schemaLocation="${OAI_NAMESPACE} ${OAI_SCHEMA}">\n` +
    `<responseDate>${formatOai(responseAt)}</responseDate>\n` +
    `<request${attributes}>${escapeText(baseUrl)}</request>\n`
  );
}

export const CLOSE_ENVELOPE = '</OAI-PMH>\n';

export const writeProblems = (problems: readonly OaiProblem[]): string =>
  problems.map(({ code, message }) => xml`<error code="${code}">${message}</error>\n`).join('');

export function writeIdentify(identity: OaiIdentity, baseUrl: string, granularity: OaiGranularity): string {
  const { repositoryName, adminEmails, earliestDatestampAt, deletedRecord, descriptions = [] } = identity;
  return (
    xml`<Identify>\n<repositoryName>${repositoryName}</repositoryName>\n<baseURL>${baseUrl}</baseURL>\n` +
    '<protocolVersion>2.0</protocolVersion>\n' +
    adminEmails.map((email) => xml`<adminEmail>${email}</adminEmail>\n`).join('') +
    xml`<earliestDatestamp>${formatOai(earliestDatestampAt, granularity)}</earliestDatestamp>\n` +
    xml`<deletedRecord>${deletedRecord}</deletedRecord>\n<granularity>${granularity}</granularity>\n` +
    '<compression>gzip</compression>\n' +
    descriptions.map((description) => `<description>${description}</description>\n`).join('') +
    '</Identify>\n'
  );
}

export const writeFormats = (formats: readonly OaiMetadataFormat[]): string =>
  `<ListMetadataFormats>\n${formats
    .map(
      ({ prefix, schema, namespace }) =>
        xml`<metadataFormat><metadataPrefix>${prefix}</metadataPrefix><schema>${schema}</schema><metadataNamespace>${namespace}</metadataNamespace></metadataFormat>\n`,
    )
    .join('')}</ListMetadataFormats>\n`;

export const writeSet = ({ spec, name, descriptions = [] }: OaiSet): string =>
  xml`<set><setSpec>${spec}</setSpec><setName>${name}</setName>` +
  descriptions.map((description) => `<setDescription>${description}</setDescription>`).join('') +
  '</set>\n';

export function writeHeader(record: OaiRecord, granularity: OaiGranularity): string {
  let written = `<header${record.deleted ? ' status="deleted"' : ''}><identifier>${escapeText(record.identifier)}</identifier><datestamp>${formatOai(record.datestampAt, granularity)}</datestamp>`;
  for (const spec of record.sets) written += `<setSpec>${escapeText(spec)}</setSpec>`;
  return `${written}</header>`;
}

/** In pieces; only a large record's metadata is read while it is written, so that it never stands in memory. */
export type RecordPieces = readonly (string | Uint8Array | AsyncIterable<string | Uint8Array>)[];

/** Undefined where there is none: §2.5.1, a deleted record has neither metadata nor about. */
export function makeMetadata({
  metadata,
  deleted,
}: OaiRecord): OaiMetadata | undefined | Promise<OaiMetadata> {
  if (deleted) return undefined;
  return typeof metadata === 'function' ? metadata() : metadata;
}

/** `metadata`: what `makeMetadata` gave. */
export function writeRecord(
  record: OaiRecord,
  metadata: OaiMetadata | undefined,
  granularity: OaiGranularity,
): RecordPieces {
  const header = `<record>${writeHeader(record, granularity)}`;
  if (metadata === undefined) return [`${header}</record>\n`];
  let abouts = '';
  for (const about of record.abouts ?? []) abouts += `<about>${about}</about>`;
  if (typeof metadata === 'string') return [`${header}<metadata>${metadata}</metadata>${abouts}</record>\n`];
  return [`${header}<metadata>`, metadata, `</metadata>${abouts}</record>\n`];
}

export interface TokenAttributes {
  readonly cursor: number;
  readonly size: number | undefined;
  readonly expiresAt: Instant | undefined;
}

/** Empty text closes the last page of a list that was split (§3.5). */
export function writeResumption(token: string, { cursor, size, expiresAt }: TokenAttributes): string {
  const attributes =
    (expiresAt === undefined ? '' : ` expirationDate="${formatOai(expiresAt)}"`) +
    (size === undefined ? '' : ` completeListSize="${size}"`);
  return `<resumptionToken${attributes} cursor="${cursor}">${token}</resumptionToken>\n`;
}
