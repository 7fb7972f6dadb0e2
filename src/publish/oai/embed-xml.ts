/** A stored document as an element inside of an answer: without its prolog, with its own namespaces. */
import { GarnerError } from '../../core/errors.ts';
import { toUtf8 } from '../../xml/encoding.ts';
import { parseStartTag } from '../../xml/start-tag.ts';
import { escapeAttribute } from '../../xml/write.ts';
import { XSI_NAMESPACE } from './protocol.ts';

export interface EmbeddedXml {
  /** Of the root element; empty when it has none. */
  readonly namespace: string;
  readonly bytes: Uint8Array;
}

const LESS = 0x3c;
const GREATER = 0x3e;
const BANG = 0x21;
const QUESTION = 0x3f;

/** `schema`: where the namespace's schema lies, for documents that do not say it themselves. */
export function embedXml(
  document: Uint8Array,
  schema: (namespace: string) => string | undefined,
): EmbeddedXml {
  const utf8 = toUtf8(document);
  const bytes = Buffer.from(utf8.buffer, utf8.byteOffset, utf8.length);
  const start = findRoot(bytes);
  const tag = bytes.subarray(start, findTagEnd(bytes, start) + 1);
  const { name, nameBytes, declarations } = parseStartTag(tag);
  const prefix = name.includes(':') ? name.slice(0, name.indexOf(':')) : '';
  const namespace = declarations.find((one) => one.prefix === prefix)?.namespace ?? '';
  const bound = new Map(declarations.map((one) => [one.prefix, one.namespace]));
  let added = '';
  // Unprefixed names that are in no namespace would fall into that of the answer around them.
  if (!bound.has('')) added += ' xmlns=""';
  const location = schema(namespace);
  const isLocated = declarations.some(
    (one) =>
      one.namespace === XSI_NAMESPACE &&
      new RegExp(`\\s${one.prefix}:schemaLocation\\s*=`).test(tag.toString()),
  );
  if (!isLocated && location !== undefined && namespace !== '') {
    let xsi = 'xsi';
    while (bound.has(xsi) && bound.get(xsi) !== XSI_NAMESPACE) xsi += 'x';
    if (!bound.has(xsi)) added += ` xmlns:${xsi}="${XSI_NAMESPACE}"`;
    added += ` ${xsi}:schemaLocation="${escapeAttribute(`${namespace} ${location}`)}"`;
  }
  const behindName = start + 1 + nameBytes.length;
  return {
    namespace,
    bytes:
      added === ''
        ? bytes.subarray(start)
        : Buffer.concat([bytes.subarray(start, behindName), Buffer.from(added), bytes.subarray(behindName)]),
  };
}

/** Behind byte order mark, declaration, comments and instructions. There is no DOCTYPE: such documents are refused. */
function findRoot(bytes: Buffer): number {
  for (let at = bytes.indexOf(LESS); at >= 0; at = bytes.indexOf(LESS, at)) {
    if (bytes[at + 1] === QUESTION) at = endOf(bytes, '?>', at);
    else if (bytes[at + 1] === BANG) at = endOf(bytes, '-->', at);
    else return at;
  }
  throw new GarnerError('store.corrupt', 'a stored record has no root element');
}

function endOf(bytes: Buffer, mark: string, from: number): number {
  const at = bytes.indexOf(mark, from + 2);
  return at < 0 ? bytes.length : at + mark.length;
}

function findTagEnd(bytes: Buffer, start: number): number {
  let quote = 0;
  for (let at = start + 1; at < bytes.length; at++) {
    const byte = bytes[at] ?? 0;
    if (quote !== 0) quote = byte === quote ? 0 : quote;
    else if (byte === 0x22 || byte === 0x27) quote = byte;
    else if (byte === GREATER) return at;
  }
  throw new GarnerError('store.corrupt', 'a stored record ends inside of its first tag');
}
