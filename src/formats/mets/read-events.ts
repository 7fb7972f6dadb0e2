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
  /** A piece of a file that stands in the document, base64; good until the next event. */
  | { readonly kind: 'content'; readonly bytes: Uint8Array }
  | { readonly kind: 'end'; readonly name: string; readonly text: string };

const XLINK = 'http://www.w3.org/1999/xlink';
const ATTRIBUTE = /\s([^\s=>/]+)\s*=\s*(?:"([^"]*)"|'([^']*)')/g;
/** Their content is kept as text; everything else has elements only. */
const KEEPS_TEXT = new Set(['name', 'note', 'metsDocumentID', 'altRecordID']);

interface OpenElement {
  readonly name: string;
  readonly qualifiedName: string;
  readonly scope: NamespaceScope;
  readonly isMets: boolean;
  /** Its text is a file, which may be large. */
  readonly holdsFile: boolean;
}

/**
 * The chunks are UTF-8; only what is being read stays in memory. Tags must fit each other, or it is `xml.malformed`;
 * whether all else is well-formed is for the parser to tell, which takes no documents of any size.
 */
export function* readMetsEvents(chunks: Iterable<Uint8Array>): Generator<MetsEvent> {
  const reader = new MetsEventReader();
  for (const chunk of chunks) yield* reader.push(chunk);
  yield* reader.finish();
}

/** The same for chunks that come one after another. */
export async function* readMetsStream(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<MetsEvent> {
  const reader = new MetsEventReader();
  for await (const chunk of chunks) yield* reader.push(chunk);
  yield* reader.finish();
}

class MetsEventReader {
  readonly #scanner = new MarkupScanner();
  readonly #open: OpenElement[] = [];
  /** Depth of the `xmlData` that is being passed over. */
  #wrappedAt: number | undefined;
  #isEmpty = true;

  constructor() {
    this.#scanner.keepFrom = 0;
  }

  *push(chunk: Uint8Array): Generator<MetsEvent> {
    this.#scanner.push(chunk);
    yield* this.#read();
    // What is here of a file need not wait for the rest. A `<` may be the beginning of its end tag.
    if (!this.#open.at(-1)?.holdsFile || this.#scanner.truncated) return;
    const { keepFrom, length } = this.#scanner;
    const markup = this.#scanner.slice(keepFrom, length).indexOf('<');
    yield* this.#content(markup < 0 ? length : keepFrom + markup);
  }

  *finish(): Generator<MetsEvent> {
    this.#scanner.finish();
    yield* this.#read();
    if (this.#open.length > 0 || this.#isEmpty || this.#scanner.truncated)
      throw new GarnerError('xml.malformed', 'the document breaks off');
  }

  *#read(): Generator<MetsEvent> {
    const scanner = this.#scanner;
    while (scanner.next() === 'markup') {
      if (scanner.kind === 'start' || scanner.kind === 'empty') yield* this.#start();
      else if (scanner.kind === 'end') yield* this.#end();
    }
  }

  *#start(): Generator<MetsEvent> {
    const scanner = this.#scanner;
    const { kind, start, end } = scanner;
    const source = scanner.slice(start, end);
    const element = openElement(source, this.#open.at(-1)?.scope);
    const { name, isMets, scope } = element;
    if (this.#open.length === 0 && !(isMets && name === 'mets'))
      throw new GarnerError('xml.invalid', 'the document is no METS');
    this.#isEmpty = false;
    this.#open.push(element);
    const isTold = this.#wrappedAt === undefined && isMets;
    if (isTold) {
      const attributes = readAttributes(source.toString(), scope);
      yield { kind: 'start', name, attributes, line: scanner.lineAt(start) };
    }
    if (this.#wrappedAt === undefined) scanner.keepFrom = end;
    if (isTold && name === 'xmlData' && kind === 'start') this.#wrappedAt = this.#open.length;
    if (kind === 'empty') {
      this.#open.pop();
      if (isTold) yield { kind: 'end', name, text: '' };
    }
  }

  *#end(): Generator<MetsEvent> {
    const scanner = this.#scanner;
    const { start, end } = scanner;
    const isWrapEnd = this.#wrappedAt === this.#open.length;
    const closed = this.#open.pop();
    const written = scanner
      .slice(start + 2, end - 1)
      .toString()
      .trimEnd();
    if (closed?.qualifiedName !== written)
      throw new GarnerError(
        'xml.malformed',
        `line ${scanner.lineAt(start)}: </${written}> ends ${closed ? `<${closed.qualifiedName}>` : 'nothing'}`,
      );
    if (this.#wrappedAt !== undefined && !isWrapEnd) return;
    if (closed.holdsFile) yield* this.#content(start);
    // What is kept begins behind the last start or end tag.
    const inside = isWrapEnd || KEEPS_TEXT.has(closed.name) ? scanner.slice(scanner.keepFrom, start) : '';
    const text = isWrapEnd ? inside.toString() : decodeReferences(inside.toString());
    this.#wrappedAt = undefined;
    scanner.keepFrom = end;
    if (closed.isMets) yield { kind: 'end', name: closed.name, text };
  }

  *#content(to: number): Generator<MetsEvent> {
    const scanner = this.#scanner;
    if (to > scanner.keepFrom) yield { kind: 'content', bytes: scanner.slice(scanner.keepFrom, to) };
    scanner.keepFrom = to;
  }
}

function openElement(source: Buffer, outer: NamespaceScope | undefined): OpenElement {
  const tag = parseStartTag(source);
  const scope = innerScope(outer, tag.declarations);
  const colon = tag.name.indexOf(':');
  const prefix = colon < 0 ? '' : tag.name.slice(0, colon);
  const name = tag.name.slice(colon + 1);
  const isMets = scope.get(prefix)?.namespace === METS.namespace;
  return { name, qualifiedName: tag.name, scope, isMets, holdsFile: isMets && name === 'binData' };
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
