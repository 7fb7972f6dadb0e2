/**
 * DIDL as other providers write it: first and second edition, with or without containers, known by local
 * names. Read without a parser: contents may be far longer than the texts that a parser takes.
 */
import { GarnerError } from '../../core/errors.ts';
import { innerScope, type NamespaceScope, withInheritedNamespaces } from '../../xml/namespace-scope.ts';
import { MarkupScanner } from '../../xml/scan.ts';
import { childText, parseSmallTree, type SmallElement } from '../../xml/small-tree.ts';
import { parseStartTag, type StartTag } from '../../xml/start-tag.ts';
import type { HttpHeader } from '../http-header.ts';

export interface ReadResource {
  readonly mediaType?: string;
  /** Where the bytes are. */
  readonly ref?: string;
  /** `base64`; absent: the content is XML or text. */
  readonly encoding?: string;
  /** What stands between the tags, as written; of XML with the namespaces it needs. Empty when there is nothing. */
  readonly content: Buffer;
  /** Number of its component, from 0: resources of one component are the same bytes. */
  readonly component: number;
}

export interface DidlFixity {
  /** `sha256`, `sha1`, `md5` …: lower case, without hyphens. */
  readonly algorithm: string;
  /** As written. */
  readonly digest: string;
}

export interface ReadDidl {
  /** What the document says it is of. */
  readonly identifier?: string;
  /** Of the http_header statement; absent when there is none. */
  readonly headers?: readonly HttpHeader[];
  readonly fixity: readonly DidlFixity[];
  /** In bytes, as PREMIS tells it. */
  readonly size?: number;
  readonly resources: readonly ReadResource[];
}

/** Throws `didl.content` when it is no DIDL. */
export function readDidl(bytes: Uint8Array): ReadDidl {
  const parts = findParts(bytes);
  const statements = parts.flatMap((part) => (part.name === 'Statement' ? (statementOf(part) ?? []) : []));
  const resources = parts.flatMap((part) => (part.name === 'Resource' ? [resourceOf(part)] : []));
  const identifier = statements.find(({ name }) => name === 'Identifier')?.text.trim();
  const header = statements.find(({ name }) => name === 'header');
  const object = statements.find(({ name }) => name === 'object' || name === 'premis');
  const size = object && findAll(object, 'size')[0]?.text.trim();
  return {
    ...(identifier && { identifier }),
    ...(header && { headers: header.children.map(({ name, text }): HttpHeader => [name, text.trim()]) }),
    fixity: object ? findAll(object, 'fixity').flatMap(fixityOf) : [],
    ...(size && /^\d{1,15}$/.test(size) && { size: Number(size) }),
    resources,
  };
}

interface Part {
  readonly name: string;
  /** The start tag, as an element without content. */
  readonly element: SmallElement | undefined;
  readonly content: Buffer;
  readonly scope: NamespaceScope;
  readonly component: number;
}

/** Statements and resources; what is in them is not looked into, it may be a DIDL again. */
function findParts(bytes: Uint8Array): Part[] {
  const scanner = new MarkupScanner();
  scanner.keepFrom = 0;
  scanner.push(bytes);
  scanner.finish();
  const parts: Part[] = [];
  const path: { readonly tag: StartTag; readonly scope: NamespaceScope }[] = [];
  let open: (Omit<Part, 'content'> & { readonly tag: StartTag; from: number; depth: number }) | undefined;
  let component = -1;
  let isDidl = false;
  while (scanner.next() === 'markup') {
    const { kind } = scanner;
    if (open) {
      if (kind === 'start' && scanner.isNamed(open.tag.nameBytes)) open.depth++;
      else if (kind === 'end' && scanner.isNamed(open.tag.nameBytes) && --open.depth === 0) {
        const { tag: _, from, depth: __, ...part } = open;
        parts.push({ ...part, content: scanner.slice(from, scanner.start) });
        open = undefined;
      }
    } else if (kind === 'end') {
      if (scanner.isNamed(path.at(-1)?.tag.nameBytes ?? new Uint8Array())) path.pop();
    } else if (kind === 'start' || kind === 'empty') {
      const markup = scanner.slice(scanner.start, scanner.end);
      const tag = parseStartTag(markup);
      const name = tag.name.slice(tag.name.indexOf(':') + 1);
      const scope = innerScope(path.at(-1)?.scope, tag.declarations);
      if (!isDidl && name !== 'DIDL')
        throw new GarnerError('didl.content', `the record is no DIDL, but <${tag.name.slice(0, 80)}>`);
      isDidl = true;
      if (name === 'Component') component++;
      if (name === 'Statement' || name === 'Resource') {
        const part = { name, element: parseSmallTree(markup), scope, component };
        if (kind === 'empty') parts.push({ ...part, content: Buffer.alloc(0) });
        else open = { ...part, tag, from: scanner.end, depth: 1 };
      } else if (kind === 'start') path.push({ tag, scope });
    }
  }
  if (!isDidl || open) throw new GarnerError('didl.content', 'the DIDL breaks off');
  return parts;
}

const statementOf = ({ content }: Part): SmallElement | undefined => parseSmallTree(content);

function resourceOf({ element, content, scope, component }: Part): ReadResource {
  const mediaType = element?.attributes.get('mimeType')?.trim();
  const ref = element?.attributes.get('ref')?.trim();
  const encoding = element?.attributes.get('encoding')?.trim().toLowerCase();
  return {
    ...(mediaType && { mediaType }),
    ...(ref && { ref }),
    ...(encoding && { encoding }),
    content: encoding ? content : withNamespaces(content, scope),
    component,
  };
}

/** XML that stands in the document by itself has its namespaces from around it. */
function withNamespaces(content: Buffer, scope: NamespaceScope): Buffer {
  const start = content.indexOf('<');
  if (start < 0 || content.toString('latin1', 0, start).trim() !== '' || content[start + 1] === 0x21)
    return content;
  const element = content.subarray(start);
  const end = element.indexOf('>');
  if (end < 0) return content;
  const tag = parseStartTag(element.subarray(0, end + 1));
  const needed = new Map([...scope].filter(([prefix]) => prefix === '' || element.includes(`${prefix}:`)));
  return Buffer.from(withInheritedNamespaces(element, tag, needed));
}

function fixityOf(fixity: SmallElement): DidlFixity[] {
  const algorithm = childText(fixity, 'messageDigestAlgorithm')?.toLowerCase().replaceAll('-', '');
  const digest = childText(fixity, 'messageDigest');
  return algorithm && digest ? [{ algorithm, digest }] : [];
}

function findAll(element: SmallElement, name: string): SmallElement[] {
  return element.children.flatMap((child) => [
    ...(child.name === name ? [child] : []),
    ...findAll(child, name),
  ]);
}
