/**
 * One record, read with as little effort as its paths allow: in one pass of our own when it is plain, and by
 * libxml2 when it is not, or when a path, a schema or a filter asks for that. Whoever reads, disposes.
 */
import { GarnerError } from '../core/errors.ts';
import { parseXml, type XmlDocument } from './engine.ts';
import { toTruth } from './quick/expression.ts';
import { type QuickRead, readQuickly } from './quick/read.ts';
import { quickValues } from './quick/values.ts';
import { textNodes } from './text-nodes.ts';
import type { CompiledPath } from './xpath.ts';

/** What extraction and detection ask of a document. */
export interface PathReader {
  readonly root: { readonly namespace: string; readonly localName: string };
  /** See `XmlDocument.evaluate`. */
  evaluate(path: CompiledPath): string[];
  test(path: CompiledPath): boolean;
  /** For each node that `path` selects, what each of the parts gives from there. */
  evaluateParts(path: CompiledPath, parts: readonly CompiledPath[]): string[][][];
}

const utf8 = new TextDecoder();

export class RecordDocument implements PathReader, Disposable {
  readonly #bytes: Uint8Array;
  #quick: QuickRead | undefined;
  #parsed: XmlDocument | undefined;
  #disposed = false;

  /** Throws what `parseXml` throws. */
  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
    this.#quick = readQuickly(bytes);
    if (!this.#quick) this.#parsed = parseXml(bytes);
  }

  /** By libxml2. */
  get parsed(): XmlDocument {
    if (this.#disposed) throw new GarnerError('internal.bug', 'a record was used after its disposal');
    this.#parsed ??= parseXml(this.#bytes);
    return this.#parsed;
  }

  get root(): { readonly namespace: string; readonly localName: string } {
    return this.#quick?.tree.root ?? this.parsed.root;
  }

  evaluate(path: CompiledPath): string[] {
    const tree = this.#quick?.tree;
    return tree && path.quick ? quickValues(tree, path.quick, 0) : this.parsed.evaluate(path);
  }

  test(path: CompiledPath): boolean {
    const tree = this.#quick?.tree;
    return tree && path.quick ? toTruth(path.quick)(tree, 0, 1, 1) : this.parsed.test(path);
  }

  evaluateParts(path: CompiledPath, parts: readonly CompiledPath[]): string[][][] {
    const tree = this.#quick?.tree;
    const quickParts = parts.map(({ quick }) => quick).filter((quick) => quick !== undefined);
    if (!tree || path.quick?.gives !== 'nodes' || quickParts.length < parts.length)
      return this.parsed.evaluateParts(path, parts);
    return path.quick
      .run(tree, 0, 1, 1)
      .map((node) => quickParts.map((part) => quickValues(tree, part, node)));
  }

  /** See `textNodes`; they outlive the document. */
  texts(): Iterable<string> {
    return this.#quick?.tree.texts() ?? textNodes(utf8.decode(this.#bytes));
  }

  [Symbol.dispose](): void {
    this.#quick?.[Symbol.dispose]();
    this.#quick = undefined;
    this.#parsed?.dispose();
    this.#disposed = true;
  }
}
