/**
 * Reads an OAI-PMH answer of any size in bounded memory: records come out one by one, everything else is
 * small. Elements are known by their depth and local name: providers get namespaces and prefixes wrong,
 * and metadata may itself hold OAI-PMH elements.
 */
import { isUtf8 } from 'node:buffer';
import type { ErrorCode } from '../../core/errors.ts';
import { expandName, innerScope, type NamespaceScope } from '../../xml/namespace-scope.ts';
import { MarkupScanner } from '../../xml/scan.ts';
import { parseSmallTree, type SmallElement } from '../../xml/small-tree.ts';
import { parseStartTag, type StartTag } from '../../xml/start-tag.ts';
import { findEnvelope } from './envelope-start.ts';
import { cutRecord, type OaiHeader, type OaiRecordPiece } from './record-piece.ts';

export interface OaiToken {
  /** Empty: the list ends here. */
  readonly text: string;
  readonly completeListSize?: number;
  readonly cursor?: number;
}

export interface OaiErrorElement {
  readonly code: string;
  readonly message: string;
}

export type OaiEvent =
  | { readonly kind: 'record'; readonly record: OaiRecordPiece }
  /** An element of a short list: `header`, `set`, `metadataFormat`, or a child of `Identify`. */
  | {
      readonly kind: 'element';
      readonly parent: string;
      readonly element: SmallElement;
      readonly line: number;
    }
  | {
      readonly kind: 'problem';
      readonly code: ErrorCode;
      readonly message: string;
      readonly line: number;
      /** Of a record that is too large. */
      readonly header?: OaiHeader;
    };

/** What is known when the answer is at its end. */
export interface OaiSummary {
  readonly isStatic: boolean;
  readonly responseDate?: string;
  readonly errors: readonly OaiErrorElement[];
  readonly token?: OaiToken;
  /** The list elements that were there: `ListRecords`, … */
  readonly verbs: readonly string[];
  /** False: the answer broke off before the end of its root. */
  readonly complete: boolean;
}

const DEFAULT_MAX_RECORD_BYTES = 64 * 1024 * 1024;
/** The header of a record is at its beginning. */
const HEAD_BYTES = 64 * 1024;
const MAX_SMALL_BYTES = 4 * 1024 * 1024;
const LISTS: Readonly<Record<string, string>> = {
  ListRecords: 'record',
  GetRecord: 'record',
  ListIdentifiers: 'header',
  ListSets: 'set',
  ListMetadataFormats: 'metadataFormat',
  Identify: '*',
};

/** An element that is read to its end, or skipped. */
interface Capture {
  readonly start: number;
  readonly line: number;
  readonly tag: StartTag;
  readonly name: string;
  /** `skip`: nobody wants it. */
  readonly purpose: 'skip' | 'small' | 'record';
  open: number;
  tooLarge: boolean;
  header?: OaiHeader;
}

class EnvelopeReader {
  readonly #scanner = new MarkupScanner();
  readonly #encoding: string | undefined;
  readonly #maxRecordBytes: number;
  readonly #staticPrefix: string | undefined;
  /** The root and the list element in it. */
  readonly #path: { readonly name: string; readonly tag: StartTag; readonly scope: NamespaceScope }[] = [];
  readonly #errors: OaiErrorElement[] = [];
  readonly #verbs: string[] = [];
  #capture: Capture | undefined;
  #responseDate: string | undefined;
  #token: OaiToken | undefined;
  #isStatic = false;
  #closed = false;

  constructor(encoding: string | undefined, options: ReadOptions) {
    this.#encoding = encoding;
    this.#maxRecordBytes = options.maxRecordBytes ?? DEFAULT_MAX_RECORD_BYTES;
    this.#staticPrefix = options.staticPrefix;
  }

  get closed(): boolean {
    return this.#closed;
  }

  push(chunk: Uint8Array): void {
    this.#scanner.push(chunk);
  }

  finish(): void {
    this.#scanner.finish();
  }

  summary(): OaiSummary {
    return {
      isStatic: this.#isStatic,
      ...(this.#responseDate !== undefined && { responseDate: this.#responseDate }),
      errors: this.#errors,
      ...(this.#token && { token: this.#token }),
      verbs: this.#verbs,
      complete: this.#closed,
    };
  }

  next(): OaiEvent | undefined {
    const scanner = this.#scanner;
    while (!this.#closed) {
      if (scanner.next() !== 'markup') {
        this.#limit();
        return undefined;
      }
      const event = this.#capture ? this.#inside(this.#capture) : this.#outside();
      if (event) return event;
    }
    return undefined;
  }

  #outside(): OaiEvent | undefined {
    const scanner = this.#scanner;
    if (scanner.kind === 'end') {
      const open = this.#path.at(-1);
      // An end tag that closes nothing of the envelope belongs to something injected into it.
      if (open && scanner.isNamed(open.tag.nameBytes)) this.#path.pop();
      if (this.#path.length === 0) this.#closed = true;
      return undefined;
    }
    if (scanner.kind !== 'start' && scanner.kind !== 'empty') return undefined;
    const tag = parseStartTag(scanner.slice(scanner.start, scanner.end));
    const scope = this.#path.at(-1)?.scope;
    const { name } = expandName(tag, scope);
    const empty = scanner.kind === 'empty';
    if (this.#descends(name)) {
      if (empty) this.#closed = this.#path.length === 0;
      else this.#path.push({ name, tag, scope: innerScope(scope, tag.declarations) });
      return undefined;
    }
    const capture: Capture = {
      start: scanner.start,
      line: scanner.lineAt(scanner.start),
      tag,
      name,
      purpose: this.#purposeOf(name),
      open: 1,
      tooLarge: false,
    };
    if (capture.purpose !== 'skip') scanner.keepFrom = scanner.start;
    if (empty) return this.#close(capture);
    this.#capture = capture;
    if (capture.purpose === 'record') scanner.skipToEndTag(tag.nameBytes);
    return undefined;
  }

  /** Whether the element is a part of the envelope; notes what it tells. */
  #descends(name: string): boolean {
    const depth = this.#path.length;
    if (depth === 0) {
      this.#isStatic = name.toLowerCase() === 'repository';
      return true;
    }
    if (depth !== 1 || LISTS[name] === undefined) return false;
    if (this.#isStatic && name === 'ListRecords') {
      const scanner = this.#scanner;
      const list = parseSmallTree(scanner.slice(scanner.start, scanner.end));
      const prefix = list?.attributes.get('metadataPrefix');
      if (this.#staticPrefix !== undefined && prefix !== this.#staticPrefix) return false;
    }
    this.#verbs.push(name);
    return true;
  }

  #purposeOf(name: string): Capture['purpose'] {
    const list = this.#path.length === 2 ? LISTS[this.#path[1]?.name ?? ''] : undefined;
    if (list === 'record' && name === 'record') return 'record';
    if (list === name || list === '*' || name === 'resumptionToken') return 'small';
    if (this.#path.length === 1 && (name === 'error' || name === 'responseDate')) return 'small';
    return 'skip';
  }

  #inside(capture: Capture): OaiEvent | undefined {
    const scanner = this.#scanner;
    if (scanner.kind === 'start' && scanner.isNamed(capture.tag.nameBytes)) capture.open++;
    else if (scanner.kind === 'end' && scanner.isNamed(capture.tag.nameBytes) && --capture.open === 0)
      return this.#close(capture);
    // What was injected and never closed must not swallow the list around it.
    else if (capture.purpose === 'skip' && this.#belongsToEnvelope()) {
      this.#capture = undefined;
      return this.#outside();
    }
    return undefined;
  }

  #belongsToEnvelope(): boolean {
    const scanner = this.#scanner;
    if (scanner.kind === 'end') return this.#path.some(({ tag }) => scanner.isNamed(tag.nameBytes));
    if (scanner.kind !== 'start' && scanner.kind !== 'empty') return false;
    const { name } = expandName(parseStartTag(scanner.slice(scanner.start, scanner.end)), undefined);
    if (this.#path.length === 1) return LISTS[name] !== undefined && !this.#isStatic;
    return name === 'resumptionToken' || name === LISTS[this.#path[1]?.name ?? ''];
  }

  #close(capture: Capture): OaiEvent | undefined {
    const scanner = this.#scanner;
    this.#capture = undefined;
    scanner.keepFrom = Number.POSITIVE_INFINITY;
    if (capture.purpose === 'skip') return undefined;
    const { line, name } = capture;
    if (capture.tooLarge)
      return {
        kind: 'problem',
        code: 'xml.too-large',
        message: `<${name}> is larger than the limit`,
        line,
        ...(capture.header && { header: capture.header }),
      };
    const bytes = this.#decode(scanner.slice(capture.start, scanner.end));
    if (capture.purpose === 'record')
      return { kind: 'record', record: cutRecord(bytes, this.#path.at(-1)?.scope, line) };
    const element = parseSmallTree(bytes);
    if (!element) return undefined;
    const parent = this.#path[1]?.name;
    if (name === 'resumptionToken') this.#token = readToken(element);
    else if (parent !== undefined) return { kind: 'element', parent, element, line };
    else if (name === 'responseDate') this.#responseDate = element.text.trim();
    else
      this.#errors.push({ code: element.attributes.get('code')?.trim() ?? '', message: element.text.trim() });
    return undefined;
  }

  /**
   * What is valid UTF-8 is that, whatever was declared; the rest is in the declared encoding. Good until the
   * next bytes come: what is kept of it is copied where it is cut out.
   */
  #decode(bytes: Buffer): Uint8Array {
    if (this.#encoding === undefined || isUtf8(bytes)) return bytes;
    return Buffer.from(new TextDecoder(this.#encoding).decode(bytes));
  }

  #limit(): void {
    const scanner = this.#scanner;
    const limit = this.#capture?.purpose === 'record' ? this.#maxRecordBytes : MAX_SMALL_BYTES;
    const capture = this.#capture;
    if (!capture || scanner.length - scanner.keepFrom <= limit) return;
    capture.tooLarge = true;
    if (capture.purpose === 'record') {
      const head = this.#decode(scanner.slice(capture.start, capture.start + HEAD_BYTES));
      capture.header = cutRecord(head, this.#path.at(-1)?.scope, capture.line).header;
    }
    scanner.keepFrom = Number.POSITIVE_INFINITY;
  }
}

function readToken(element: SmallElement): OaiToken {
  const size = readCount(element.attributes.get('completeListSize'));
  const cursor = readCount(element.attributes.get('cursor'));
  return {
    text: element.text.trim(),
    ...(size !== undefined && { completeListSize: size }),
    ...(cursor !== undefined && { cursor }),
  };
}

function readCount(text: string | undefined): number | undefined {
  return text !== undefined && /^\s*\d{1,15}\s*$/.test(text) ? Number(text) : undefined;
}

export interface ReadOptions {
  readonly maxRecordBytes?: number;
  /** Of a static repository, only the list of this prefix. */
  readonly staticPrefix?: string;
  /** What the bytes go through before records are cut out of them. */
  readonly through?: (bytes: AsyncIterable<Uint8Array>) => AsyncIterable<Uint8Array>;
}

/** Throws `oai.response` or `source.empty` when there is no envelope at all. */
export async function* readEnvelope(
  body: AsyncIterable<Uint8Array>,
  options: ReadOptions = {},
): AsyncGenerator<OaiEvent, OaiSummary> {
  const { bytes, encoding } = await findEnvelope(body);
  const reader = new EnvelopeReader(encoding, options);
  for await (const chunk of options.through?.(bytes) ?? bytes) {
    reader.push(chunk);
    for (let event = reader.next(); event; event = reader.next()) yield event;
    // Whatever comes after the root is not looked at, but read: the connection shall live on.
  }
  reader.finish();
  for (let event = reader.next(); event; event = reader.next()) yield event;
  return reader.summary();
}
