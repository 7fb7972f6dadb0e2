/** METS written piece by piece, in the order of mets.xsd: a large site never stands in memory as a whole. */
import { escapeAttribute, escapeText } from '../../xml/write.ts';
import { HTTP_HEADER } from '../http-header.ts';
import { MIX } from '../mix-write.ts';
import { MODS } from '../mods-write.ts';
import { PREMIS } from '../premis-write.ts';
import { TEXTMD } from '../textmd-write.ts';
import {
  ADMIN_PARTS,
  METS,
  type MetsAdmin,
  type MetsArea,
  type MetsDiv,
  type MetsFile,
  type MetsFileGroup,
  type MetsFilePointer,
  type MetsHead,
  type MetsLocation,
  type MetsMetadata,
  type MetsParts,
} from './mets-document.ts';

const VOCABULARIES = [
  ['mods', MODS],
  ['premis', PREMIS],
  ['mix', MIX],
  ['textmd', TEXTMD],
] as const;

const SCHEMA_LOCATIONS = [METS, ...VOCABULARIES.map(([, vocabulary]) => vocabulary), HTTP_HEADER]
  .map(({ namespace, schema }) => `${namespace} ${schema}`)
  .join(' ');

/** One document without an XML declaration; each piece is whole markup. */
export function* writeMets(parts: MetsParts): Generator<string> {
  yield writeRoot(parts.head);
  yield writeHeader(parts.head);
  for (const metadata of parts.descriptions) yield `${writeMetadata('dmdSec', metadata)}\n`;
  for (const admin of parts.admins) yield writeAdmin(admin);
  yield* writeFileSection(parts.fileGroups);
  for (const { type, label, root } of parts.structures) {
    yield `<mets:structMap${attributes({ TYPE: type, LABEL: label })}>\n`;
    yield* writeDiv(root);
    yield '</mets:structMap>\n';
  }
  yield* writeLinks(parts.links);
  yield '</mets:mets>\n';
}

function writeRoot({ objectId, label, type, profile }: MetsHead): string {
  const declared = VOCABULARIES.map(([prefix, { namespace }]) => ` xmlns:${prefix}="${namespace}"`);
  return (
    `<mets:mets xmlns:mets="${METS.namespace}" xmlns:xlink="http://www.w3.org/1999/xlink" ` +
    `xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance"${declared.join('')} ` +
    `xsi:schemaLocation="${SCHEMA_LOCATIONS}"` +
    `${attributes({ OBJID: objectId, LABEL: label, TYPE: type, PROFILE: profile })}>\n`
  );
}

function writeHeader({ created, modified, agents, documentId }: MetsHead): string {
  const written = agents.map(
    ({ role, type, otherType, name }) =>
      `<mets:agent${attributes({ ROLE: role, TYPE: type, OTHERTYPE: otherType })}><mets:name>${escapeText(name)}</mets:name></mets:agent>`,
  );
  const id =
    documentId === undefined ? '' : `<mets:metsDocumentID>${escapeText(documentId)}</mets:metsDocumentID>`;
  return `<mets:metsHdr${attributes({ CREATEDATE: created, LASTMODDATE: modified })}>${written.join('')}${id}</mets:metsHdr>\n`;
}

function writeMetadata(element: string, { id, type, otherType, version, xml }: MetsMetadata): string {
  const wrapped =
    xml === undefined
      ? ''
      : `<mets:mdWrap${attributes({ MDTYPE: type, OTHERMDTYPE: otherType, MDTYPEVERSION: version })}><mets:xmlData>${xml}</mets:xmlData></mets:mdWrap>`;
  return `<mets:${element}${attributes({ ID: id })}>${wrapped}</mets:${element}>`;
}

function writeAdmin(admin: MetsAdmin): string {
  let written = `<mets:amdSec${attributes({ ID: admin.id })}>\n`;
  for (const part of ADMIN_PARTS)
    for (const metadata of admin[part] ?? []) written += `${writeMetadata(part, metadata)}\n`;
  return `${written}</mets:amdSec>\n`;
}

function* writeFileSection(groups: Iterable<MetsFileGroup>): Generator<string> {
  let isOpen = false;
  for (const { use, files } of groups) {
    let hasFiles = false;
    for (const file of files) {
      if (!isOpen) yield '<mets:fileSec>\n';
      if (!hasFiles) yield `<mets:fileGrp${attributes({ USE: use })}>\n`;
      isOpen = true;
      hasFiles = true;
      yield writeFile(file);
    }
    if (hasFiles) yield '</mets:fileGrp>\n';
  }
  if (isOpen) yield '</mets:fileSec>\n';
}

function writeFile(file: MetsFile): string {
  const { id, mediaType, size, created, checksum, checksumType, ownerId, admIds, dmdIds } = file;
  const given = attributes({
    ID: id,
    MIMETYPE: mediaType,
    SIZE: size,
    CREATED: created,
    CHECKSUM: checksum,
    CHECKSUMTYPE: checksumType,
    OWNERID: ownerId,
    ADMID: listOf(admIds),
    DMDID: listOf(dmdIds),
  });
  const locations = file.locations.map((location) => writeLocation('FLocat', location)).join('');
  const content =
    file.content === undefined
      ? ''
      : `<mets:FContent><mets:binData>${file.content}</mets:binData></mets:FContent>`;
  return `<mets:file${given}>${locations}${content}</mets:file>\n`;
}

const writeLocation = (element: string, { type, otherType, href }: MetsLocation): string =>
  `<mets:${element}${attributes({ LOCTYPE: type, OTHERLOCTYPE: otherType, 'xlink:href': href })}/>`;

function* writeDiv(div: MetsDiv): Generator<string> {
  const given = attributes({
    ID: div.id,
    TYPE: div.type,
    ORDER: div.order,
    LABEL: div.label,
    DMDID: listOf(div.dmdIds),
    ADMID: listOf(div.admIds),
    CONTENTIDS: listOf(div.contentIds),
    'xlink:label': div.linkLabel,
  });
  const pointers = div.pointers.map((pointer) => writeLocation('mptr', pointer)).join('');
  yield `<mets:div${given}>${pointers}${div.files.map(writePointer).join('')}`;
  let hasDivs = false;
  for (const inner of div.divs) {
    if (!hasDivs) yield '\n';
    hasDivs = true;
    yield* writeDiv(inner);
  }
  yield '</mets:div>\n';
}

function writePointer(pointer: MetsFilePointer): string {
  if ('fileId' in pointer) return `<mets:fptr${attributes({ FILEID: pointer.fileId })}/>`;
  if ('area' in pointer) return `<mets:fptr>${writeArea(pointer.area)}</mets:fptr>`;
  return `<mets:fptr><mets:par>${pointer.parallel.map(writeArea).join('')}</mets:par></mets:fptr>`;
}

/** METS leaves open whether END is the last byte or the one behind it; EXTENT makes it certain. */
function writeArea({ fileId, bytes }: MetsArea): string {
  return `<mets:area${attributes({
    FILEID: fileId,
    ...(bytes && {
      BEGIN: bytes.first,
      END: bytes.last,
      BETYPE: 'BYTE',
      EXTENT: bytes.last - bytes.first + 1,
      EXTTYPE: 'BYTE',
    }),
  })}/>`;
}

function* writeLinks(links: MetsParts['links']): Generator<string> {
  let isOpen = false;
  for (const { from, to, title } of links) {
    if (!isOpen) yield '<mets:structLink>\n';
    isOpen = true;
    yield `<mets:smLink${attributes({ 'xlink:from': from, 'xlink:to': to, 'xlink:title': title })}/>\n`;
  }
  if (isOpen) yield '</mets:structLink>\n';
}

const listOf = (names: readonly string[]): string | undefined =>
  names.length === 0 ? undefined : names.join(' ');

function attributes(values: Readonly<Record<string, string | number | undefined>>): string {
  let written = '';
  for (const name in values) {
    const value = values[name];
    if (value !== undefined) written += ` ${name}="${escapeAttribute(String(value))}"`;
  }
  return written;
}
