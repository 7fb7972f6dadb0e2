/** What a provider says of itself: `Identify`, `ListMetadataFormats`, `ListSets`. */
import type { Instant } from '../../core/model.ts';
import { dateSpan, type OaiGranularity } from '../../core/time.ts';
import { childText, type SmallElement } from '../../xml/small-tree.ts';
import type { OaiConnection } from './connection.ts';

export interface OaiIdentity {
  readonly repositoryName?: string;
  readonly baseURL?: string;
  readonly granularity: OaiGranularity;
  readonly deletedRecord: 'no' | 'transient' | 'persistent';
  readonly earliestAt?: Instant;
  readonly isStatic: boolean;
  /** What is missing or odd, in words. */
  readonly doubts: readonly string[];
}

export interface OaiFormatInfo {
  readonly prefix: string;
  readonly namespace: string;
  readonly schema: string;
}

export async function identify(connection: OaiConnection): Promise<OaiIdentity> {
  const children = new Map<string, string>();
  const { summary } = await connection.read([['verb', 'Identify']], (event) => {
    if (event.kind === 'element' && event.parent === 'Identify' && !children.has(event.element.name))
      children.set(event.element.name, event.element.text.trim());
  });
  const doubts: string[] = [];
  if (children.size === 0) doubts.push('it does not answer Identify');
  return {
    ...textOf(children, 'repositoryName'),
    ...textOf(children, 'baseURL'),
    granularity: readGranularity(children, doubts),
    deletedRecord: readDeletedRecord(children.get('deletedRecord'), doubts),
    ...readEarliest(children.get('earliestDatestamp'), doubts),
    isStatic: summary.isStatic,
    doubts,
  };
}

function textOf<Name extends string>(children: Map<string, string>, name: Name) {
  const text = children.get(name);
  return (text ? { [name]: text } : {}) as Partial<Record<Name, string>>;
}

/** Written in the wrong case by some. Days are understood by every server, so they are the safe guess. */
function readGranularity(children: Map<string, string>, doubts: string[]): OaiGranularity {
  const written = children.get('granularity') ?? '';
  if (/^yyyy-mm-ddthh:mm:ss(?:\.s+)?z$/i.test(written)) return 'YYYY-MM-DDThh:mm:ssZ';
  if (!/^yyyy-mm-dd$/i.test(written)) doubts.push(`its granularity is ${JSON.stringify(written)}`);
  return 'YYYY-MM-DD';
}

function readDeletedRecord(written: string | undefined, doubts: string[]): OaiIdentity['deletedRecord'] {
  const value = written?.toLowerCase();
  if (value === 'no' || value === 'transient' || value === 'persistent') return value;
  doubts.push(`its deletedRecord is ${JSON.stringify(written ?? '')}`);
  return 'no';
}

function readEarliest(written: string | undefined, doubts: string[]): { earliestAt?: Instant } {
  const earliestAt = written === undefined ? undefined : dateSpan(written)?.startAt;
  if (earliestAt !== undefined) return { earliestAt };
  doubts.push(`its earliestDatestamp is ${JSON.stringify(written ?? '')}`);
  return {};
}

const MAX_LIST_PAGES = 100;

/** Short lists, following their tokens. */
async function readShortList(
  connection: OaiConnection,
  verb: 'ListMetadataFormats' | 'ListSets',
): Promise<SmallElement[]> {
  const elements: SmallElement[] = [];
  const seen = new Set<string>();
  let token: string | undefined;
  for (let page = 0; page < MAX_LIST_PAGES; page++) {
    const { summary } = await connection.read(
      token === undefined
        ? [['verb', verb]]
        : [
            ['verb', verb],
            ['resumptionToken', token],
          ],
      (event) => {
        if (event.kind === 'element' && event.parent === verb) elements.push(event.element);
      },
    );
    token = summary.token?.text;
    if (!token || seen.has(token)) break;
    seen.add(token);
  }
  return elements;
}

export async function listFormats(connection: OaiConnection): Promise<OaiFormatInfo[]> {
  const formats = await readShortList(connection, 'ListMetadataFormats');
  return formats.flatMap((format) => {
    const prefix = childText(format, 'metadataPrefix');
    if (prefix === undefined) return [];
    return [
      {
        prefix,
        namespace: childText(format, 'metadataNamespace') ?? '',
        schema: childText(format, 'schema') ?? '',
      },
    ];
  });
}

export async function listSets(connection: OaiConnection): Promise<{ spec: string; name: string }[]> {
  const sets = await readShortList(connection, 'ListSets');
  return sets.flatMap((set) => {
    const spec = childText(set, 'setSpec');
    return spec === undefined ? [] : [{ spec, name: childText(set, 'setName') ?? spec }];
  });
}
