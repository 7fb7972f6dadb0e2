/**
 * XML documents: parsing with limits, and XPath over the result. The memory of a document is outside of
 * JavaScript: whoever parses, disposes (`using document = parseXml(…)`).
 */
import { GarnerError } from '../core/errors.ts';
import { toUtf8 } from './encoding.ts';
import { failureCode } from './failure-code.ts';
import {
  ELEMENT_NODE,
  ERROR_LEVEL,
  type LibxmlProblem,
  NAMESPACE_NODE,
  openSink,
  type Pointer,
  type ProblemSink,
  ROOMY_PARSING,
  XmlNamedNodeStruct,
  XmlNodeSetStruct,
  XmlNodeStruct,
  XmlNsStruct,
  XmlXPathObjectStruct,
  xmlCtxtSetErrorHandler,
  xmlDocGetRootElement,
  xmlFreeDoc,
  xmlFreeParserCtxt,
  xmlNewParserCtxt,
  xmlNodeGetContent,
  xmlReadMemory,
  xmlResetLastError,
  xmlXPathCompiledEval,
  xmlXPathFreeContext,
  xmlXPathFreeObject,
  xmlXPathNewContext,
  xmlXPathRegisterNs,
  xmlXPathSetContextNode,
} from './libxml2.ts';
import { elementNames } from './required-names.ts';
import { hasDoctype } from './scan.ts';
import { type CompiledPath, lastXPathError } from './xpath.ts';

export { type CompiledPath, compilePath } from './xpath.ts';

export interface XmlLimits {
  /** Of the whole document. Depth is limited by the parser, to 2,048 elements. */
  readonly maxBytes?: number;
}

const DEFAULT_MAX_BYTES = 64 * 1024 * 1024;

/** Valid as long as its document is not disposed. */
export interface XmlNode {
  /** Empty for nodes without one. */
  readonly namespace: string;
  readonly localName: string;
  /** The line in the parsed bytes, from 1. */
  readonly line: number;
  /** All text below, trimmed. */
  readonly text: string;
}

/** Of larger documents the names are not looked for. */
const MAX_NAMED_BYTES = 256 * 1024;
/** Paths that selected nothing the last time: only for them it pays to look whether they can at all. */
const idlePaths = new WeakSet<CompiledPath>();

class EngineNode implements XmlNode {
  readonly document: XmlDocument;
  readonly pointer: Pointer;

  constructor(document: XmlDocument, pointer: Pointer) {
    this.document = document;
    this.pointer = pointer;
  }

  get namespace(): string {
    const namespace = XmlNamedNodeStruct.namespace(this.#live());
    return namespace === 0 ? '' : XmlNsStruct.href(namespace);
  }

  get localName(): string {
    return XmlNodeStruct.name_(this.#live());
  }

  get line(): number {
    const pointer = this.#live();
    // Attributes have no line field of their own.
    return XmlNodeStruct.line(
      XmlNodeStruct.type(pointer) === ELEMENT_NODE ? pointer : XmlNodeStruct.parent(pointer),
    );
  }

  get text(): string {
    return xmlNodeGetContent(this.#live()).trim();
  }

  #live(): Pointer {
    this.document.assertLive();
    return this.pointer;
  }
}

export class XmlDocument implements Disposable {
  readonly #pointer: Pointer;
  readonly #root: EngineNode;
  /** One XPath context per document: making one per evaluation costs half as much again. */
  #context: Pointer = 0;
  readonly #bound = new Map<string, string>();
  #disposed = false;

  readonly #bytes: Uint8Array;
  #names: ReadonlySet<string> | undefined;

  /** Takes over the libxml2 document; see `parseXml`. */
  constructor(pointer: Pointer, utf8: Uint8Array) {
    this.#pointer = pointer;
    this.#bytes = utf8;
    this.#root = new EngineNode(this, xmlDocGetRootElement(pointer));
  }

  get root(): XmlNode {
    return this.#root;
  }

  /** For the other parts of this folder that call libxml2. */
  get pointer(): Pointer {
    this.assertLive();
    return this.#pointer;
  }

  assertLive(): void {
    if (this.#disposed) throw new GarnerError('internal.bug', 'an XML document was used after its disposal');
  }

  /**
   * The values that a path selects, as trimmed strings without blank ones: the text of each node in
   * document order, or the one string, number or boolean (`true`, `false`); NaN is no value. Paths start
   * at the document unless a context node is given.
   */
  evaluate(path: CompiledPath, context?: XmlNode): string[] {
    if (this.#lacks(path)) return [];
    return this.#run(path, context, (result) => {
      const values: string[] = [];
      switch (XmlXPathObjectStruct.type(result)) {
        case XmlXPathObjectStruct.Type.XPATH_NODESET:
          for (const node of nodesOf(result, path)) {
            const text = xmlNodeGetContent(node).trim();
            if (text !== '') values.push(text);
          }
          break;
        case XmlXPathObjectStruct.Type.XPATH_STRING: {
          const text = XmlXPathObjectStruct.stringval(result).trim();
          if (text !== '') values.push(text);
          break;
        }
        case XmlXPathObjectStruct.Type.XPATH_NUMBER: {
          const number = XmlXPathObjectStruct.floatval(result);
          if (!Number.isNaN(number)) values.push(String(number));
          break;
        }
        default:
          values.push(String(XmlXPathObjectStruct.boolval(result) !== 0));
      }
      return values;
    });
  }

  /** XPath's boolean(): nodes exist, the string is not empty, the number is not 0. */
  test(path: CompiledPath, context?: XmlNode): boolean {
    if (this.#lacks(path)) return false;
    return this.#run(path, context, (result) => {
      switch (XmlXPathObjectStruct.type(result)) {
        case XmlXPathObjectStruct.Type.XPATH_NODESET:
          return nodesOf(result, path).length > 0;
        case XmlXPathObjectStruct.Type.XPATH_STRING:
          return XmlXPathObjectStruct.stringval(result) !== '';
        case XmlXPathObjectStruct.Type.XPATH_NUMBER: {
          const number = XmlXPathObjectStruct.floatval(result);
          return number !== 0 && !Number.isNaN(number);
        }
        default:
          return XmlXPathObjectStruct.boolval(result) !== 0;
      }
    });
  }

  /** The nodes that a path selects, to evaluate further paths from; none when its result is not nodes. */
  select(path: CompiledPath, context?: XmlNode): XmlNode[] {
    if (this.#lacks(path)) return [];
    return this.#run(path, context, (result) =>
      XmlXPathObjectStruct.type(result) === XmlXPathObjectStruct.Type.XPATH_NODESET
        ? // Namespace nodes belong to the result, not to the document, and die with it.
          Array.from(nodesOf(result, path))
            .filter((node) => XmlNodeStruct.type(node) !== NAMESPACE_NODE)
            .map((node) => new EngineNode(this, node))
        : [],
    );
  }

  /** For each node that `path` selects, what each of the parts gives from there. */
  evaluateParts(path: CompiledPath, parts: readonly CompiledPath[]): string[][][] {
    return this.select(path).map((node) => parts.map((part) => this.evaluate(part, node)));
  }

  dispose(): void {
    if (this.#disposed) return;
    this.#disposed = true;
    if (this.#context !== 0) xmlXPathFreeContext(this.#context);
    xmlFreeDoc(this.#pointer);
  }

  [Symbol.dispose](): void {
    this.dispose();
  }

  /** Whether the path can select nothing, since the document has no elements of the names that it needs. */
  #lacks(path: CompiledPath): boolean {
    this.assertLive();
    const { requires } = path;
    if (!requires || !idlePaths.has(path) || this.#bytes.length > MAX_NAMED_BYTES) return false;
    this.#names ??= elementNames(this.#bytes);
    const names = this.#names;
    return requires.every((list) => !list.every((name) => names.has(name)));
  }

  #run<T>(path: CompiledPath, context: XmlNode | undefined, read: (result: Pointer) => T): T {
    this.assertLive();
    if (this.#context === 0) this.#context = xmlXPathNewContext(this.#pointer);
    for (const [prefix, namespace] of path.bindings) {
      if (this.#bound.get(prefix) === namespace) continue;
      xmlXPathRegisterNs(this.#context, prefix, namespace);
      this.#bound.set(prefix, namespace);
    }
    let start = this.#pointer;
    if (context) {
      if (!(context instanceof EngineNode) || context.document !== this)
        throw new GarnerError('internal.bug', 'the context node belongs to another document');
      start = context.pointer;
    }
    xmlXPathSetContextNode(start, this.#context);
    const result = xmlXPathCompiledEval(path.pointer, this.#context);
    if (result === 0)
      throw new GarnerError('xml.xpath', `XPath "${path.expression}": ${lastXPathError()}`, {
        details: { expression: path.expression },
      });
    try {
      return read(result);
    } finally {
      xmlXPathFreeObject(result);
    }
  }
}

/** Copied, since the table moves when the WASM memory grows; and by hand, which is quicker than `Array.from`. */
function nodesOf(result: Pointer, path: CompiledPath): readonly Pointer[] {
  const set = XmlXPathObjectStruct.nodesetval(result);
  const count = set === 0 ? 0 : XmlNodeSetStruct.nodeCount(set);
  if (count === 0) {
    idlePaths.add(path);
    return [];
  }
  idlePaths.delete(path);
  const table = XmlNodeSetStruct.nodeTable(set, count);
  const nodes: Pointer[] = [];
  for (let i = 0; i < count; i++) nodes.push(table[i] ?? 0);
  return nodes;
}

function parseFailure(details: readonly LibxmlProblem[]): GarnerError {
  const detail = details.find(({ level }) => level >= ERROR_LEVEL);
  const reason = detail?.message.replace(', use XML_PARSE_HUGE option', '') ?? 'no document';
  const line = Math.max(detail?.line ?? 1, 1);
  return new GarnerError(failureCode(reason), `line ${line}: ${reason}`, { details: { line, reason } });
}

interface Parser {
  readonly pointer: Pointer;
  readonly sink: ProblemSink;
  uses: number;
}

/** A parser context is reused (7 % faster), but not for ever: its dictionary of names only grows. */
const PARSER_USES = 500;
let idleParser: Parser | undefined;

function takeParser(): Parser {
  const taken = idleParser;
  idleParser = undefined;
  if (taken) return taken;
  const pointer = xmlNewParserCtxt();
  const sink = openSink();
  xmlCtxtSetErrorHandler(pointer, sink.handler, sink.data);
  return { pointer, sink, uses: 0 };
}

function giveBack(parser: Parser): void {
  parser.uses += 1;
  parser.sink.problems.length = 0;
  if (parser.uses < PARSER_USES) {
    idleParser = parser;
    return;
  }
  xmlFreeParserCtxt(parser.pointer);
  parser.sink.free();
}

/** The bytes must stay as they are as long as the document lives. */
export function parseXml(bytes: Uint8Array, limits: XmlLimits = {}): XmlDocument {
  const maxBytes = limits.maxBytes ?? DEFAULT_MAX_BYTES;
  if (bytes.length > maxBytes)
    throw new GarnerError(
      'xml.too-large',
      `the document has ${bytes.length} bytes, the limit is ${maxBytes}`,
      {
        details: { bytes: bytes.length, limit: maxBytes },
      },
    );
  const utf8 = toUtf8(bytes);
  if (hasDoctype(utf8)) throw new GarnerError('xml.forbidden', 'the document has a DOCTYPE');

  xmlResetLastError();
  // Not given back when libxml2 itself breaks down (out of memory): its state is then unknown.
  const parser = takeParser();
  const pointer = xmlReadMemory(parser.pointer, utf8, null, null, ROOMY_PARSING);
  const failed = pointer === 0 || parser.sink.problems.some(({ level }) => level >= ERROR_LEVEL);
  const failure = failed ? parseFailure(parser.sink.problems) : undefined;
  giveBack(parser);
  if (!failure) return new XmlDocument(pointer, utf8);
  // A document with unbound prefixes is still built.
  if (pointer !== 0) xmlFreeDoc(pointer);
  throw failure;
}
