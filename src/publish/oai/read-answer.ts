/** An answer of the provider, read back for pages that show it: what people see is what harvesters get. */
import { formatOai } from '../../core/time.ts';
import { readXmlTree, type TreeElement } from '../../xml/tree.ts';
import { type OaiVerb, VERBS } from './protocol.ts';
import { parseToken } from './token.ts';

export type { TreeElement as AnswerElement } from '../../xml/tree.ts';

type Arguments = readonly (readonly [name: string, value: string])[];

export interface AnswerHeader {
  readonly identifier: string;
  readonly datestamp: string;
  readonly sets: readonly string[];
  readonly deleted: boolean;
}

export interface AnswerRecord extends AnswerHeader {
  /** Absent: deleted, or only headers were asked for. */
  readonly metadata?: TreeElement | undefined;
  readonly abouts: readonly TreeElement[];
}

export interface AnswerToken {
  /** Empty at the end of the list. */
  readonly text: string;
  readonly cursor?: number | undefined;
  readonly completeListSize?: number | undefined;
  readonly expirationDate?: string | undefined;
}

export interface OaiAnswer {
  readonly responseDate: string;
  readonly baseUrl: string;
  /** Without the verb; instead of a token, those of the first request. None when the request was wrong. */
  readonly arguments: Arguments;
  readonly errors: readonly { readonly code: string; readonly message: string }[];
  /** Absent with errors. */
  readonly verb?: OaiVerb | undefined;
  /** Of Identify, without its descriptions, in their order. */
  readonly facts: Arguments;
  readonly descriptions: readonly TreeElement[];
  readonly formats: readonly {
    readonly prefix: string;
    readonly schema: string;
    readonly namespace: string;
  }[];
  readonly sets: readonly {
    readonly spec: string;
    readonly name: string;
    readonly descriptions: readonly TreeElement[];
  }[];
  readonly records: readonly AnswerRecord[];
  readonly token?: AnswerToken | undefined;
}

/** Throws what the parser throws. */
export function readAnswer(bytes: Uint8Array): OaiAnswer {
  const root = readXmlTree(bytes);
  const request = childOf(root, 'request');
  const verb = (Object.keys(VERBS) as OaiVerb[]).find((name) => childOf(root, name));
  const body = verb && childOf(root, verb);
  const parts = body ? elementsOf(body) : [];
  const named = (name: string) => parts.filter((part) => part.name === name);
  const token = named('resumptionToken')[0];
  return {
    responseDate: textOf(childOf(root, 'responseDate')),
    baseUrl: textOf(request),
    arguments: request ? readArguments(request, verb) : [],
    errors: elementsOf(root)
      .filter(({ name }) => name === 'error')
      .map((error) => ({ code: attributeOf(error, 'code') ?? '', message: textOf(error) })),
    verb,
    facts:
      verb === 'Identify'
        ? parts.filter(({ name }) => name !== 'description').map((part) => [part.name, textOf(part)] as const)
        : [],
    descriptions: named('description').flatMap(elementsOf),
    formats: named('metadataFormat').map((format) => ({
      prefix: textOf(childOf(format, 'metadataPrefix')),
      schema: textOf(childOf(format, 'schema')),
      namespace: textOf(childOf(format, 'metadataNamespace')),
    })),
    sets: named('set').map((set) => ({
      spec: textOf(childOf(set, 'setSpec')),
      name: textOf(childOf(set, 'setName')),
      descriptions: elementsOf(set)
        .filter(({ name }) => name === 'setDescription')
        .flatMap(elementsOf),
    })),
    records: [
      ...named('header').map((header) => ({ ...readHeader(header), abouts: [] })),
      ...named('record').map(readRecord),
    ],
    token: token && readToken(token),
  };
}

function readArguments(request: TreeElement, verb: OaiVerb | undefined): Arguments {
  const resumed = attributeOf(request, 'resumptionToken');
  if (resumed === undefined || (verb !== 'ListRecords' && verb !== 'ListIdentifiers'))
    return request.attributes.filter(([name]) => name !== 'verb' && name !== 'resumptionToken');
  const token = parseToken(resumed, verb, textOf(request));
  if (!token || !('scope' in token)) return [];
  const { prefix, set, fromAt, untilAt } = token.scope;
  return [
    ['metadataPrefix', prefix],
    ...(set === undefined ? [] : [['set', set] as const]),
    ...(fromAt === undefined ? [] : [['from', formatOai(fromAt)] as const]),
    ...(token.open ? [] : [['until', formatOai(untilAt)] as const]),
  ];
}

function readRecord(record: TreeElement): AnswerRecord {
  const metadata = childOf(record, 'metadata');
  return {
    ...readHeader(childOf(record, 'header')),
    metadata: metadata && elementsOf(metadata)[0],
    abouts: elementsOf(record)
      .filter(({ name }) => name === 'about')
      .flatMap(elementsOf),
  };
}

function readHeader(header: TreeElement | undefined): AnswerHeader {
  const parts = header ? elementsOf(header) : [];
  const texts = (name: string) => parts.filter((part) => part.name === name).map(textOf);
  return {
    identifier: texts('identifier')[0] ?? '',
    datestamp: texts('datestamp')[0] ?? '',
    sets: texts('setSpec'),
    deleted: header !== undefined && attributeOf(header, 'status') === 'deleted',
  };
}

function readToken(token: TreeElement): AnswerToken {
  const number = (name: string) => {
    const value = attributeOf(token, name);
    return value === undefined ? undefined : Number(value);
  };
  return {
    text: textOf(token),
    cursor: number('cursor'),
    completeListSize: number('completeListSize'),
    expirationDate: attributeOf(token, 'expirationDate'),
  };
}

const elementsOf = ({ content }: TreeElement): TreeElement[] =>
  content.filter((part) => typeof part !== 'string');

const childOf = (element: TreeElement, name: string): TreeElement | undefined =>
  elementsOf(element).find((child) => child.name === name);

const attributeOf = ({ attributes }: TreeElement, name: string): string | undefined =>
  attributes.find(([key]) => key === name)?.[1];

const textOf = (element: TreeElement | undefined): string =>
  (element?.content ?? []).map((part) => (typeof part === 'string' ? part : textOf(part))).join('');
