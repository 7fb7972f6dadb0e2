/**
 * Cuts a stream of XML into records that stand alone, in bounded memory whatever the size of the input.
 *
 * The first element that the caller recognises as a record fixes the depth and the name: all elements of
 * that name at that depth are records, and so are its siblings that the caller recognises too (files with
 * a mix of formats). When the root itself is the record, or nothing is recognised at all, the whole
 * document is one record, byte for byte.
 *
 * Records in another encoding than UTF-8 come out transcoded (see `encoding.ts`): the raw bytes of such a
 * record are the transcoded ones.
 */
import { isUtf8 } from 'node:buffer';
import { type ErrorCode, GarnerError } from '../core/errors.ts';
import { utf8Chunks } from './encoding.ts';
import {
  type ExpandedName,
  expandName,
  innerScope,
  type NamespaceScope,
  withInheritedNamespaces,
} from './namespace-scope.ts';
import { MarkupScanner } from './scan.ts';
import { parseStartTag, type StartTag } from './start-tag.ts';

export interface SplitRecord {
  readonly kind: 'record';
  readonly bytes: Uint8Array;
  /** Of the record's first byte in the input, from 1. */
  readonly line: number;
  /** Of the record's element. */
  readonly namespace: string;
  readonly name: string;
}

/** A record that could not be cut out, or the reason why the rest of the input was not read. */
export interface SplitProblem {
  readonly kind: 'problem';
  readonly code: ErrorCode;
  readonly message: string;
  readonly line: number;
}

export interface SplitOptions {
  readonly isRecord: (namespace: string, localName: string) => boolean;
  /** Larger records are skipped with a problem. */
  readonly maxRecordBytes?: number;
  /** Of elements around records, and of documents without a recognised record. */
  readonly maxDepth?: number;
}

const DEFAULT_MAX_RECORD_BYTES = 64 * 1024 * 1024;
/** libxml2's own limit. */
const DEFAULT_MAX_DEPTH = 2048;

/** An open element around the records. */
interface Ancestor {
  readonly name: string;
  /** In scope inside of it. */
  readonly scope: NamespaceScope;
}

/** The record being read. */
interface OpenRecord {
  readonly start: number;
  readonly line: number;
  readonly tag: StartTag;
  readonly expanded: ExpandedName;
  /**
   * Elements of the record's own qualified name that are open. In a well-formed record this finds the
   * same end as counting all elements, and in a broken one it still finds the right end.
   */
  open: number;
  tooLarge: boolean;
}

class RecordSplitter {
  readonly #scanner = new MarkupScanner();
  readonly #isRecord: SplitOptions['isRecord'];
  readonly #maxRecordBytes: number;
  readonly #maxDepth: number;
  readonly #ancestors: Ancestor[] = [];
  /** How many elements are open that are neither ancestors nor records. */
  #skipped = 0;
  #root: ExpandedName | undefined;
  #rootClosed = false;
  /** The whole document is, or may still become, the one record. */
  #whole: 'undecided' | 'yes' | 'no' = 'undecided';
  #wholeTooLarge = false;
  #fixed: (ExpandedName & { readonly depth: number }) | undefined;
  #record: OpenRecord | undefined;
  #finished = false;

  constructor(options: SplitOptions) {
    this.#isRecord = options.isRecord;
    this.#maxRecordBytes = options.maxRecordBytes ?? DEFAULT_MAX_RECORD_BYTES;
    this.#maxDepth = options.maxDepth ?? DEFAULT_MAX_DEPTH;
    this.#scanner.keepFrom = 0;
  }

  /** Nothing more will come: the input is at its end, or not worth reading further. */
  get finished(): boolean {
    return this.#finished;
  }

  push(chunk: Uint8Array): void {
    this.#scanner.push(chunk);
  }

  /** The next result from what was pushed so far. */
  next(): SplitRecord | SplitProblem | undefined {
    const scanner = this.#scanner;
    while (!this.#finished) {
      const step = scanner.next();
      if (step === 'end') return this.#end();
      if (step === 'more') {
        this.#limit();
        return undefined;
      }
      const result = this.#record ? this.#inRecord(this.#record) : this.#outside();
      if (result) return result;
    }
    return undefined;
  }

  /** After the last push. */
  finish(): void {
    this.#scanner.finish();
  }

  stop(code: ErrorCode, message: string): SplitProblem {
    this.#finished = true;
    return { kind: 'problem', code, message, line: this.#scanner.lineAt(this.#scanner.length) };
  }

  #inRecord(record: OpenRecord): SplitRecord | SplitProblem | undefined {
    const scanner = this.#scanner;
    if (scanner.kind === 'start') {
      if (scanner.isNamed(record.tag.nameBytes)) record.open++;
      return undefined;
    }
    if (scanner.kind !== 'end' || !scanner.isNamed(record.tag.nameBytes)) return undefined;
    record.open--;
    return record.open === 0 ? this.#close(record) : undefined;
  }

  #outside(): SplitRecord | SplitProblem | undefined {
    switch (this.#scanner.kind) {
      case 'start':
        return this.#open(false);
      case 'empty':
        return this.#open(true);
      case 'end':
        if (this.#skipped > 0) this.#skipped--;
        else if (this.#ancestors.pop() === undefined)
          return this.#malformed('an end tag without a start tag');
        if (this.#depth === 0) this.#rootClosed = true;
        return undefined;
      case 'doctype':
        return this.#stopHere('xml.forbidden', 'the document has a DOCTYPE');
      case 'other':
        return this.#malformed('markup that is no tag');
      default:
        return undefined;
    }
  }

  get #depth(): number {
    return this.#ancestors.length + this.#skipped;
  }

  #malformed(reason: string): SplitProblem | undefined {
    // A document that goes to the parser in one piece gets a better reason from there.
    return this.#whole === 'no' ? this.#stopHere('xml.malformed', reason) : undefined;
  }

  #stopHere(code: ErrorCode, message: string): SplitProblem {
    this.#finished = true;
    return { kind: 'problem', code, message, line: this.#scanner.lineAt(this.#scanner.start) };
  }

  #open(empty: boolean): SplitRecord | SplitProblem | undefined {
    const scanner = this.#scanner;
    if (this.#rootClosed) return this.#malformed('there is more after the root element');
    const fixed = this.#fixed;
    // Deeper than records can be, or in a document that is one record: only count.
    if (this.#skipped > 0 || this.#whole === 'yes' || (fixed && this.#ancestors.length > fixed.depth)) {
      if (!empty) this.#skipped++;
      return undefined;
    }
    const tag = parseStartTag(scanner.slice(scanner.start, scanner.end));
    const scope = this.#ancestors.at(-1)?.scope;
    const expanded = expandName(tag, scope);
    if (this.#ancestors.length === 0) this.#root = expanded;
    if (this.#isRecordHere(expanded)) return this.#begin(tag, expanded, empty);

    if (empty) {
      if (this.#depth === 0) this.#rootClosed = true;
    } else if (fixed && this.#ancestors.length >= fixed.depth) {
      this.#skipped++;
    } else {
      if (this.#ancestors.length >= this.#maxDepth)
        return this.#stopHere('xml.too-deep', `more than ${this.#maxDepth} elements are nested`);
      this.#ancestors.push({ name: tag.name, scope: innerScope(scope, tag.declarations) });
    }
    return undefined;
  }

  #isRecordHere(expanded: ExpandedName): boolean {
    const fixed = this.#fixed;
    if (!fixed) return this.#isRecord(expanded.namespace, expanded.name);
    if (this.#ancestors.length !== fixed.depth) return false;
    return (
      (expanded.name === fixed.name && expanded.namespace === fixed.namespace) ||
      this.#isRecord(expanded.namespace, expanded.name)
    );
  }

  #begin(tag: StartTag, expanded: ExpandedName, empty: boolean): SplitRecord | SplitProblem | undefined {
    const scanner = this.#scanner;
    this.#fixed ??= { ...expanded, depth: this.#ancestors.length };
    if (this.#ancestors.length === 0) {
      this.#whole = 'yes';
      if (empty) this.#rootClosed = true;
      else this.#skipped++;
      return undefined;
    }
    this.#whole = 'no';
    scanner.keepFrom = scanner.start;
    const line = scanner.lineAt(scanner.start);
    const record: OpenRecord = { start: scanner.start, line, tag, expanded, open: 1, tooLarge: false };
    if (empty) return this.#close(record);
    this.#record = record;
    return undefined;
  }

  #close(record: OpenRecord): SplitRecord | SplitProblem {
    const scanner = this.#scanner;
    this.#record = undefined;
    scanner.keepFrom = Number.POSITIVE_INFINITY;
    if (record.tooLarge || scanner.end - record.start > this.#maxRecordBytes)
      return this.#tooLarge(record.line);
    const bytes = withInheritedNamespaces(
      scanner.slice(record.start, scanner.end),
      record.tag,
      this.#ancestors.at(-1)?.scope,
    );
    return finishRecord(bytes, record.line, record.expanded);
  }

  /** Lets go of a record, or of the hope for a whole document, that has grown over the limit. */
  #limit(): void {
    const scanner = this.#scanner;
    if (scanner.length - scanner.keepFrom <= this.#maxRecordBytes) return;
    if (this.#record) this.#record.tooLarge = true;
    else this.#wholeTooLarge = true;
    scanner.keepFrom = Number.POSITIVE_INFINITY;
  }

  #tooLarge(line: number): SplitProblem {
    const message = `the record is larger than ${this.#maxRecordBytes} bytes`;
    return { kind: 'problem', code: 'xml.too-large', message, line };
  }

  #end(): SplitRecord | SplitProblem | undefined {
    const scanner = this.#scanner;
    if (this.#record)
      return this.stop(
        'xml.malformed',
        `the input ends inside <${this.#record.tag.name}>, which starts on line ${this.#record.line}`,
      );
    if (!this.#root) return this.stop('xml.malformed', 'there is no element');
    if (scanner.truncated || !this.#rootClosed) {
      const open = this.#ancestors.at(-1)?.name ?? this.#root.name;
      return this.stop('xml.malformed', `the input ends before the end of <${open}>`);
    }
    this.#finished = true;
    if (this.#whole === 'no') return undefined;
    if (this.#wholeTooLarge || scanner.length > this.#maxRecordBytes) return this.#tooLarge(1);
    return finishRecord(Uint8Array.from(scanner.slice(0, scanner.length)), 1, this.#root);
  }
}

function finishRecord(bytes: Uint8Array, line: number, element: ExpandedName): SplitRecord | SplitProblem {
  if (!isUtf8(bytes)) {
    const message = `the bytes of <${element.name}> are not valid UTF-8`;
    return { kind: 'problem', code: 'xml.encoding', message, line };
  }
  return { kind: 'record', bytes, line, namespace: element.namespace, name: element.name };
}

/** Records in document order; a problem takes the place of a record that could not be cut out. */
export async function* splitRecords(
  chunks: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  options: SplitOptions,
): AsyncGenerator<SplitRecord | SplitProblem> {
  const splitter = new RecordSplitter(options);
  try {
    for await (const chunk of utf8Chunks(chunks)) {
      splitter.push(chunk);
      for (let result = splitter.next(); result; result = splitter.next()) yield result;
      if (splitter.finished) return;
    }
    splitter.finish();
    for (let result = splitter.next(); result; result = splitter.next()) yield result;
  } catch (error) {
    if (!(error instanceof GarnerError) || !error.code.startsWith('xml.')) throw error;
    yield splitter.stop(error.code, error.message);
  }
}
