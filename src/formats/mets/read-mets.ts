/** A METS document read into its parts: ours, so that it can be written again, and those of others. */
import type {
  AdminPart,
  MetsAgent,
  MetsArea,
  MetsDiv,
  MetsFile,
  MetsFileGroup,
  MetsFilePointer,
  MetsHead,
  MetsLink,
  MetsLocation,
  MetsMetadata,
  MetsStructure,
} from './mets-document.ts';
import { type MetsEvent, readMetsEvents } from './read-events.ts';

/** As `MetsParts`, all in memory. */
export interface MetsDocument {
  readonly head: MetsHead;
  readonly descriptions: readonly MetsMetadata[];
  readonly admins: readonly ({ readonly id?: string } & { [Part in AdminPart]?: MetsMetadata[] })[];
  readonly fileGroups: readonly (MetsFileGroup & { readonly files: readonly MetsFile[] })[];
  readonly structures: readonly MetsStructure[];
  readonly links: readonly MetsLink[];
}

type Start = Extract<MetsEvent, { kind: 'start' }>;
type Mutable<T> = { -readonly [K in keyof T]: T[K] };
type OpenDiv = Mutable<Omit<MetsDiv, 'divs' | 'files' | 'pointers'>> & {
  readonly divs: MetsDiv[];
  readonly files: MetsFilePointer[];
  readonly pointers: MetsLocation[];
};

export type OpenFile = Mutable<MetsFile> & { readonly locations: MetsLocation[] };

/** The bytes are UTF-8 and well-formed. What is not known is left out; references are not checked. */
export function readMets(bytes: Uint8Array): MetsDocument {
  let head: Mutable<MetsHead> = { agents: [] };
  const agents: MetsAgent[] = [];
  const descriptions: MetsMetadata[] = [];
  const admins: Mutable<MetsDocument['admins'][number]>[] = [];
  const fileGroups: { use?: string; files: MetsFile[] }[] = [];
  const groupUses: (string | undefined)[] = [];
  const structures: MetsStructure[] = [];
  const links: MetsLink[] = [];

  let agent: Mutable<MetsAgent> | undefined;
  let metadata: Mutable<MetsMetadata> | undefined;
  let file: OpenFile | undefined;
  let structure: { readonly type?: string; readonly label?: string } = {};
  const divs: OpenDiv[] = [];
  let areas: MetsArea[] | undefined;
  let isParallel = false;
  const content: string[] = [];

  function start({ name, attributes }: Start): void {
    const text = (attribute: string) => attributes.get(attribute);
    switch (name) {
      case 'mets':
        head = {
          ...given({ objectId: text('OBJID'), label: text('LABEL') }),
          ...given({ type: text('TYPE'), profile: text('PROFILE') }),
          agents,
        };
        break;
      case 'metsHdr':
        Object.assign(head, given({ created: text('CREATEDATE'), modified: text('LASTMODDATE') }));
        break;
      case 'agent':
        agent = {
          role: text('ROLE') ?? '',
          ...given({ type: text('TYPE'), otherType: text('OTHERTYPE') }),
          name: '',
        };
        break;
      case 'amdSec':
        admins.push(given({ id: text('ID') }));
        break;
      case 'dmdSec':
      case 'techMD':
      case 'rightsMD':
      case 'sourceMD':
      case 'digiprovMD':
        metadata = { id: text('ID') ?? '', type: '' };
        break;
      case 'mdWrap':
      case 'mdRef':
        if (metadata)
          Object.assign(metadata, {
            type: text('MDTYPE') ?? '',
            ...given({ otherType: text('OTHERMDTYPE'), version: text('MDTYPEVERSION') }),
          });
        break;
      case 'fileGrp':
        // A group may hold groups; files are listed under the innermost use that is named.
        groupUses.push(text('USE') ?? groupUses.at(-1));
        break;
      case 'file':
        file = fileOf(attributes);
        break;
      case 'FLocat':
        file?.locations.push(locationOf(attributes));
        break;
      case 'structMap':
        structure = given({ type: text('TYPE'), label: text('LABEL') });
        break;
      case 'div':
        divs.push(openDiv(attributes));
        break;
      case 'mptr':
        divs.at(-1)?.pointers.push(locationOf(attributes));
        break;
      case 'fptr': {
        const fileId = text('FILEID');
        if (fileId !== undefined) divs.at(-1)?.files.push({ fileId });
        areas = [];
        isParallel = false;
        break;
      }
      case 'par':
        isParallel = true;
        break;
      case 'area':
        areas?.push(areaOf(attributes));
        break;
      case 'smLink':
        links.push({
          from: text('xlink:from') ?? '',
          to: text('xlink:to') ?? '',
          ...given({ title: text('xlink:title') }),
        });
        break;
    }
  }

  function end(name: string, text: string): void {
    switch (name) {
      case 'name':
        if (agent) agent.name = text;
        break;
      case 'agent':
        if (agent) agents.push(agent);
        agent = undefined;
        break;
      case 'metsDocumentID':
        head.documentId = text;
        break;
      case 'xmlData':
        if (metadata) metadata.xml = text;
        break;
      case 'dmdSec':
        if (metadata) descriptions.push(metadata);
        metadata = undefined;
        break;
      case 'techMD':
      case 'rightsMD':
      case 'sourceMD':
      case 'digiprovMD': {
        const admin = admins.at(-1);
        if (admin && metadata) admin[name] = [...(admin[name] ?? []), metadata];
        metadata = undefined;
        break;
      }
      case 'binData':
        if (file) file.content = content.join('').replace(/\s+/g, '');
        content.length = 0;
        break;
      case 'file': {
        const use = groupUses.at(-1);
        const group = fileGroups.at(-1);
        if (file && group && group.use === use) group.files.push(file);
        else if (file) fileGroups.push({ ...given({ use }), files: [file] });
        file = undefined;
        break;
      }
      case 'fileGrp':
        groupUses.pop();
        break;
      case 'fptr': {
        const [area] = areas ?? [];
        if (areas && isParallel) divs.at(-1)?.files.push({ parallel: areas });
        else if (area) divs.at(-1)?.files.push({ area });
        areas = undefined;
        break;
      }
      case 'div': {
        const div = divs.pop();
        const parent = divs.at(-1);
        if (div && parent) parent.divs.push(div);
        else if (div) structures.push({ ...structure, root: div });
        break;
      }
    }
  }

  for (const event of readMetsEvents([bytes])) {
    if (event.kind === 'start') start(event);
    else if (event.kind === 'content') content.push(Buffer.from(event.bytes).toString('latin1'));
    else end(event.name, event.text);
  }
  return { head, descriptions, admins, fileGroups, structures, links };
}

/** As far as its own tag tells. */
export function fileOf(attributes: ReadonlyMap<string, string>): OpenFile {
  const text = (attribute: string) => attributes.get(attribute);
  const size = Number(text('SIZE') ?? Number.NaN);
  return {
    id: text('ID') ?? '',
    ...given({ mediaType: text('MIMETYPE'), created: text('CREATED') }),
    ...(Number.isSafeInteger(size) && { size }),
    ...given({ checksum: text('CHECKSUM'), checksumType: text('CHECKSUMTYPE') }),
    ...given({ ownerId: text('OWNERID') }),
    admIds: listOf(text('ADMID')),
    dmdIds: listOf(text('DMDID')),
    locations: [],
  };
}

function openDiv(attributes: ReadonlyMap<string, string>): OpenDiv {
  const order = Number(attributes.get('ORDER') ?? Number.NaN);
  return {
    ...given({ id: attributes.get('ID'), type: attributes.get('TYPE') }),
    ...(Number.isSafeInteger(order) && { order }),
    ...given({ label: attributes.get('LABEL'), linkLabel: attributes.get('xlink:label') }),
    dmdIds: listOf(attributes.get('DMDID')),
    admIds: listOf(attributes.get('ADMID')),
    contentIds: listOf(attributes.get('CONTENTIDS')),
    pointers: [],
    files: [],
    divs: [],
  };
}

export const locationOf = (attributes: ReadonlyMap<string, string>): MetsLocation => ({
  type: attributes.get('LOCTYPE') ?? '',
  ...given({ otherType: attributes.get('OTHERLOCTYPE') }),
  href: attributes.get('xlink:href') ?? '',
});

function areaOf(attributes: ReadonlyMap<string, string>): MetsArea {
  const fileId = attributes.get('FILEID') ?? '';
  const first = Number(attributes.get('BEGIN') ?? Number.NaN);
  const last = Number(attributes.get('END') ?? Number.NaN);
  const isBytes = attributes.get('BETYPE') === 'BYTE' && Number.isInteger(first) && Number.isInteger(last);
  return { fileId, ...(isBytes && { bytes: { first, last } }) };
}

const listOf = (text: string | undefined): string[] =>
  (text ?? '').split(/\s+/).filter((name) => name !== '');

/** Without what is undefined. */
function given<T extends Readonly<Record<string, string | undefined>>>(
  values: T,
): { [K in keyof T]?: Exclude<T[K], undefined> } {
  const kept: { [K in keyof T]?: Exclude<T[K], undefined> } = {};
  for (const key in values) {
    const value = values[key];
    if (isGiven(value)) kept[key] = value;
  }
  return kept;
}

const isGiven = <T>(value: T): value is Exclude<T, undefined> => value !== undefined;
