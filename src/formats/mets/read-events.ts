/**
 * A METS document as a stream of its elements, by local name, with what stands in `xmlData` left as it is.
 * Any prefix may stand for METS; elements of other namespaces outside of `xmlData` are passed over.
 */
import { GarnerError } from '../../core/errors.ts';
import { innerScope, type NamespaceScope } from '../../xml/namespace-scope.ts';
import { MarkupScanner } from '../../xml/scan.ts';
import { decodeReferences, parseStartTag } from '../../xml/start-tag.ts';
import { METS } from './mets-document.ts';

export type MetsEvent =
  | {
      readonly kind: 'start';
      readonly name: string;
      /** By local name, `xlink:` ones with that prefix whatever the document uses. */
      readonly attributes: ReadonlyMap<string, string>;
      readonly line: number;
    }
  | { readonly kind: 'end'; readonly name: string; readonly text: string };

const XLINK = 'http://www.w3.org/1999/xlink';
const ATTRIBUTE = /\s([^\s=>/]+)\s*=\s*(?:"([^"]*)"|'([^']*)')/g;
/** Their content is kept as text; everything else has elements only. */
const KEEPS_TEXT = new Set(['name', 'note', 'metsDocumentID', 'altRecordID', 'binData']);

interface OpenElement {
  readonly name: string;
  readonly scope: NamespaceScope;
  readonly isMets: boolean;
}

/** The chunks are UTF-8 and, together, well-formed (see `parseXml`); only what is being read stays in memory. */
export function* readMetsEvents(chunks: Iterable<Uint8Array>): Generator<MetsEvent> {
  const scanner = new MarkupScanner();
  scanner.keepFrom = 0;
  const open: OpenElement[] = [];
  /** Depth of the `xmlData` that is being passed over. */
  let wrappedAt: number | undefined;

  function* read(): Generator<MetsEvent> {
    while (scanner.next() === 'markup') {
      const { kind, start, end } = scanner;
      if (kind === 'start' || kind === 'empty') {
        const source = scanner.slice(start, end);
        const element = openElement(source, open.at(-1)?.scope);
        const { name, isMets, scope } = element;
        if (open.length === 0 && !(isMets && name === 'mets'))
          throw new GarnerError('xml.invalid', 'the document is no METS');
        open.push(element);
        const isTold = wrappedAt === undefined && isMets;
        if (isTold)
          yield {
            kind: 'start',
            name,
            attributes: readAttributes(source.toString(), scope),
            line: scanner.lineAt(start),
          };
        if (wrappedAt === undefined) scanner.keepFrom = end;
        if (isTold && name === 'xmlData' && kind === 'start') wrappedAt = open.length;
        if (kind === 'empty') {
          open.pop();
          if (isTold) yield { kind: 'end', name, text: '' };
        }
      } else if (kind === 'end') {
        const isWrapEnd = wrappedAt === open.length;
        const closed = open.pop();
        if (!closed || (wrappedAt !== undefined && !isWrapEnd)) continue;
        // What is kept begins behind the last start or end tag.
        const inside = isWrapEnd || KEEPS_TEXT.has(closed.name) ? scanner.slice(scanner.keepFrom, start) : '';
        const text = isWrapEnd ? inside.toString() : decodeReferences(inside.toString());
        wrappedAt = undefined;
        scanner.keepFrom = end;
        if (closed.isMets) yield { kind: 'end', name: closed.name, text };
      }
    }
  }

  for (const chunk of chunks) {
    scanner.push(chunk);
    yield* read();
  }
  scanner.finish();
  yield* read();
}

function openElement(source: Buffer, outer: NamespaceScope | undefined): OpenElement {
  const tag = parseStartTag(source);
  const scope = innerScope(outer, tag.declarations);
  const colon = tag.name.indexOf(':');
  const prefix = colon < 0 ? '' : tag.name.slice(0, colon);
  return {
    name: tag.name.slice(colon + 1),
    scope,
    isMets: scope.get(prefix)?.namespace === METS.namespace,
  };
}

function readAttributes(tag: string, scope: NamespaceScope): Map<string, string> {
  const attributes = new Map<string, string>();
  for (const [, name = '', double, single] of tag.matchAll(ATTRIBUTE)) {
    const colon = name.indexOf(':');
    const prefix = colon < 0 ? '' : name.slice(0, colon);
    if (prefix === 'xmlns' || name === 'xmlns') continue;
    const isLink = prefix !== '' && scope.get(prefix)?.namespace === XLINK;
    const written = (double ?? single ?? '').replace(/[\t\n\r]/g, ' ');
    attributes.set(isLink ? `xlink:${name.slice(colon + 1)}` : name, decodeReferences(written));
  }
  return attributes;
}
