/** One `record` element, taken apart by depth: header, metadata, about. */
import type { OriginDescription } from '../../formats/provenance.ts';
import {
  expandName,
  innerScope,
  type NamespaceScope,
  withInheritedNamespaces,
} from '../../xml/namespace-scope.ts';
import { hasUnprefixedTag, MarkupScanner } from '../../xml/scan.ts';
import { childText, childTexts, parseSmallTree, type SmallElement } from '../../xml/small-tree.ts';
import { parseStartTag, type StartTag } from '../../xml/start-tag.ts';
import { readProvenance } from './provenance.ts';

export interface OaiHeader {
  readonly identifier?: string;
  /** As written. */
  readonly datestamp?: string;
  readonly sets: readonly string[];
  readonly deleted: boolean;
}

export interface OaiRecordPiece {
  readonly header: OaiHeader;
  /** The element inside `metadata`, with the namespaces it needs. */
  readonly metadata?: { readonly bytes: Uint8Array; readonly namespace: string; readonly line: number };
  /** What the provider says of where it has the record from. */
  readonly provenance?: OriginDescription;
  /** Of the record, in the answer. */
  readonly line: number;
}

export function readHeader(header: SmallElement | undefined): OaiHeader {
  if (!header) return { sets: [], deleted: false };
  const identifier = childText(header, 'identifier');
  // pycsw writes it as CSW does.
  const datestamp = childText(header, 'datestamp') ?? childText(header, 'dateStamp');
  return {
    ...(identifier !== undefined && { identifier }),
    ...(datestamp !== undefined && { datestamp }),
    sets: [...new Set(childTexts(header, 'setSpec'))],
    deleted: header.attributes.get('status')?.trim().toLowerCase() === 'deleted',
  };
}

/** An element and where it stands in the record's bytes. */
interface Part {
  readonly tag: StartTag;
  readonly name: string;
  readonly namespace: string;
  readonly scope: NamespaceScope | undefined;
  readonly start: number;
  readonly end: number;
  readonly line: number;
}

export function cutRecord(
  bytes: Uint8Array,
  scope: NamespaceScope | undefined,
  line: number,
): OaiRecordPiece {
  const { header, metadata, abouts } = findParts(bytes, scope);
  const sliceOf = ({ start, end }: Part) => Buffer.from(bytes.buffer, bytes.byteOffset + start, end - start);
  const provenance = abouts
    .map(sliceOf)
    .filter((about) => about.includes('originDescription'))
    .map((about) => readProvenance(parseSmallTree(about)))
    .find((found) => found !== undefined);
  return {
    header: readHeader(header && parseSmallTree(sliceOf(header))),
    ...(metadata && {
      metadata: {
        bytes: withNeededNamespaces(sliceOf(metadata), metadata.tag, metadata.scope),
        namespace: metadata.namespace,
        line: line + metadata.line - 1,
      },
    }),
    ...(provenance && { provenance }),
    line,
  };
}

function findParts(bytes: Uint8Array, outer: NamespaceScope | undefined) {
  const scanner = MarkupScanner.over(bytes);
  const abouts: Part[] = [];
  let header: Part | undefined;
  let metadata: Part | undefined;
  /** The record, and `metadata` in it. */
  const path: { tag: StartTag; scope: NamespaceScope }[] = [];
  let part: (Omit<Part, 'end'> & { open: number }) | undefined;

  const finish = (done: Omit<Part, 'end'>) => {
    const { tag, name, namespace, scope, start, line } = done;
    const found: Part = { tag, name, namespace, scope, start, end: scanner.end, line };
    if (path.length === 2) metadata ??= found;
    else if (name === 'header') header ??= found;
    else if (name === 'about') abouts.push(found);
  };

  while (scanner.next() === 'markup') {
    const { kind } = scanner;
    if (part) {
      if (kind === 'start' && scanner.isNamed(part.tag.nameBytes)) part.open++;
      else if (kind === 'end' && scanner.isNamed(part.tag.nameBytes) && --part.open === 0) {
        finish(part);
        part = undefined;
      }
    } else if (kind === 'end') {
      if (path.length > 0 && scanner.isNamed(path.at(-1)?.tag.nameBytes ?? new Uint8Array())) path.pop();
    } else if (kind === 'start' || kind === 'empty') {
      const tag = parseStartTag(scanner.slice(scanner.start, scanner.end));
      const scope = path.at(-1)?.scope ?? outer;
      const { name, namespace } = expandName(tag, scope);
      if (path.length === 0 || (path.length === 1 && name === 'metadata')) {
        if (kind === 'start') path.push({ tag, scope: innerScope(scope, tag.declarations) });
        continue;
      }
      const begun = {
        tag,
        name,
        namespace,
        scope,
        start: scanner.start,
        line: scanner.lineAt(scanner.start),
      };
      if (kind === 'empty') finish(begun);
      else {
        part = { ...begun, open: 1 };
        scanner.skipToEndTag(tag.nameBytes);
      }
    }
  }
  return { header, metadata, abouts };
}

/**
 * Only declarations that the element makes use of, so that its bytes do not change with the envelope
 * around it. A prefix may also be used in the text of an attribute (`xsi:type="dct:W3CDTF"`).
 */
function withNeededNamespaces(element: Buffer, tag: StartTag, scope: NamespaceScope | undefined): Uint8Array {
  const needed = new Map(
    [...(scope ?? [])].filter(([prefix]) =>
      prefix === '' ? hasUnprefixedTag(element) : element.includes(`${prefix}:`),
    ),
  );
  return withInheritedNamespaces(element, tag, needed);
}
