/**
 * MPEG-21 DIDL, second edition (ISO/IEC 21000-2:2005), written piece by piece: a document may hold whole
 * files. Element order follows didl.xsd: in an Item descriptors come before components, in a Component
 * before resources.
 */
import { escapeAttribute, xml } from '../../xml/write.ts';
import { base64 } from './base64.ts';

export const OAI_DIDL = {
  prefix: 'oai_didl',
  namespace: 'urn:mpeg:mpeg21:2002:02-DIDL-NS',
  schema: 'http://standards.iso.org/ittf/PubliclyAvailableStandards/MPEG-21_schema_files/did/didl.xsd',
} as const;

export const DII = {
  namespace: 'urn:mpeg:mpeg21:2002:01-DII-NS',
  schema: 'http://standards.iso.org/ittf/PubliclyAvailableStandards/MPEG-21_schema_files/dii/dii.xsd',
} as const;

const STATEMENT_TYPE = 'application/xml; charset=utf-8';

/** All resources of one component are the same bytes. */
export interface DidlResource {
  readonly mediaType: string;
  /** Where the bytes are. */
  readonly ref?: string;
  /** The bytes themselves, or undefined for by reference only. */
  readonly bytes?: AsyncIterable<Uint8Array>;
}

export interface DidlComponent {
  readonly id: string;
  /** One XML element each, with its own namespaces. */
  readonly statements: readonly string[];
  readonly resources: readonly DidlResource[];
}

export interface DidlItem {
  readonly id: string;
  /** A URI. */
  readonly identifier: string;
  readonly statements: readonly string[];
  readonly components: readonly DidlComponent[];
}

/** One element without an XML declaration. `documentId` is a URI of this very document. */
export async function* writeDidl(documentId: string, item: DidlItem): AsyncGenerator<string> {
  yield `<didl:DIDL xmlns:didl="${OAI_DIDL.namespace}" xmlns:dii="${DII.namespace}" ` +
    'xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" ' +
    `xsi:schemaLocation="${OAI_DIDL.namespace} ${OAI_DIDL.schema} ${DII.namespace} ${DII.schema}" ` +
    `DIDLDocumentId="${escapeAttribute(documentId)}">`;
  yield* writeItem(item);
  yield '</didl:DIDL>';
}

async function* writeItem({ id, identifier, statements, components }: DidlItem): AsyncGenerator<string> {
  yield `<didl:Item id="${escapeAttribute(id)}">`;
  yield writeStatement(xml`<dii:Identifier>${identifier}</dii:Identifier>`);
  for (const statement of statements) yield writeStatement(statement);
  for (const component of components) yield* writeComponent(component);
  yield '</didl:Item>';
}

async function* writeComponent({ id, statements, resources }: DidlComponent): AsyncGenerator<string> {
  yield `<didl:Component id="${escapeAttribute(id)}">`;
  for (const statement of statements) yield writeStatement(statement);
  for (const resource of resources) yield* writeResource(resource);
  yield '</didl:Component>';
}

async function* writeResource({ mediaType, ref, bytes }: DidlResource): AsyncGenerator<string> {
  const type = `mimeType="${escapeAttribute(mediaType)}"`;
  if (bytes) {
    yield `<didl:Resource ${type} encoding="base64">`;
    yield* base64(bytes);
    yield '</didl:Resource>';
  }
  if (ref !== undefined) yield `<didl:Resource ${type} ref="${escapeAttribute(ref)}"/>`;
}

const writeStatement = (element: string): string =>
  `<didl:Descriptor><didl:Statement mimeType="${STATEMENT_TYPE}">${element}</didl:Statement></didl:Descriptor>`;
