/** What one DIDL carries: the address, the headers and the bytes of a file, checked against each other. */
import { identifierOf } from '../../../archive/items/index.ts';
import { GarnerError } from '../../../core/errors.ts';
import { Base64Reader } from '../../../formats/didl/base64.ts';
import { type ReadDidl, type ReadResource, readDidl } from '../../../formats/didl/read-didl.ts';
import type { HttpHeader } from '../../../formats/http-header.ts';
import { decodeReferences } from '../../../xml/start-tag.ts';
import { type FileValue, valueInMemory } from './value-spool.ts';

export interface DidlFileContent {
  readonly mediaType: string;
  /** Absent: the document does not tell them. */
  readonly headers?: readonly HttpHeader[];
  /** To be discarded. */
  readonly value: FileValue;
  /** Other files in the same document, which are not taken. */
  readonly others: number;
}

/** Answers with the bytes that a reference leads to, or says why there are none. */
export type OpenReference = (url: string) => Promise<FileValue>;

/** It becomes a line of a header. */
const PLAIN = /^[ -~]{1,200}$/;

/** Throws `didl.content`, `didl.reference`, `record.identifier` or `source.checksum`. */
export async function fileOfDidl(
  bytes: Uint8Array,
  /** Of the record, a URL. */
  identifier: string,
  findValue: (name: string) => FileValue | undefined,
  openReference: OpenReference,
): Promise<DidlFileContent> {
  const didl = readDidl(bytes);
  checkIdentifier(didl, identifier);
  const resource = chooseResource(didl.resources);
  const value =
    resource.content.length === 0 && resource.ref !== undefined
      ? await openReference(resource.ref)
      : decodeContent(resource, findValue);
  try {
    checkFixity(didl, value);
  } catch (error) {
    await value.discard();
    throw error;
  }
  return {
    mediaType: PLAIN.test(resource.mediaType ?? '') ? (resource.mediaType ?? '') : 'application/octet-stream',
    ...(didl.headers && { headers: didl.headers }),
    value,
    others: new Set(didl.resources.map(({ component }) => component)).size - 1,
  };
}

/** One that speaks of another address than its record would bring foreign content under that name. */
function checkIdentifier({ identifier: own }: ReadDidl, identifier: string): void {
  if (own === undefined || !/^(?:https?|ftp):/i.test(own) || identifierOf(own) === identifier) return;
  throw new GarnerError(
    'record.identifier',
    `the DIDL is of ${JSON.stringify(own.slice(0, 200))}, the record of ${identifier}`,
  );
}

/** Of the first component; by value before by reference. */
function chooseResource(resources: readonly ReadResource[]): ReadResource {
  const [first] = resources;
  const same = resources.filter(({ component }) => component === first?.component);
  const chosen =
    same.find(({ content, encoding }) => content.length > 0 && encoding === 'base64') ??
    same.find(({ content }) => content.length > 0) ??
    // An empty file has an empty value, and no reference in the same element.
    same.find(({ ref, encoding }) => ref === undefined && encoding === 'base64') ??
    same.find(({ ref }) => ref !== undefined) ??
    first;
  if (!chosen) throw new GarnerError('didl.content', 'the DIDL has no resource');
  return chosen;
}

function decodeContent(
  { encoding, content }: ReadResource,
  findValue: (name: string) => FileValue | undefined,
): FileValue {
  if (encoding === undefined) return valueInMemory(textOf(content));
  if (encoding !== 'base64')
    throw new GarnerError('didl.content', `the encoding ${JSON.stringify(encoding.slice(0, 40))} is unknown`);
  const plain = content.indexOf('<![CDATA[') < 0 ? content : textOf(content);
  const spooled = plain.length < 100 ? findValue(plain.toString('latin1')) : undefined;
  if (spooled) return spooled;
  const reader = new Base64Reader();
  return valueInMemory(Buffer.concat([reader.push(plain), reader.finish()]));
}

/** Elements stay as they are written; text is without its escaping. */
function textOf(content: Buffer): Buffer {
  const text = content.toString();
  const cdata = /^\s*<!\[CDATA\[(.*?)\]\]>\s*$/s.exec(text);
  if (cdata) return Buffer.from(cdata[1] ?? '');
  return text.includes('<') ? content : Buffer.from(decodeReferences(text));
}

function checkFixity({ fixity, size }: ReadDidl, value: FileValue): void {
  if (size !== undefined && size !== value.size)
    throw new GarnerError('source.checksum', `the content has ${value.size} bytes instead of ${size}`);
  for (const { algorithm, digest } of fixity) {
    const known = Object.entries(value.digests).find(([name]) => name === algorithm)?.[1];
    if (known !== undefined && known !== digest.trim().toLowerCase())
      throw new GarnerError(
        'source.checksum',
        `the content has not the ${algorithm} digest that is told of it`,
      );
  }
}
