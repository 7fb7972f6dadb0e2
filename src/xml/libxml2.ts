/**
 * The one door to the low-level module of libxml2-wasm, which is not promised stable: an update of the
 * pinned version is checked here. Pointers are addresses in the WASM memory; 0 is null.
 */
import * as low from 'libxml2-wasm/lib/libxml2.mjs';

export {
  XmlErrorStruct,
  XmlNamedNodeStruct,
  XmlNodeSetStruct,
  XmlNodeStruct,
  XmlNsStruct,
  XmlXPathObjectStruct,
  xmlCtxtSetErrorHandler,
  xmlDocGetRootElement,
  xmlFreeDoc,
  xmlFreeParserCtxt,
  xmlGetLastError,
  xmlNewDoc,
  xmlNewParserCtxt,
  xmlNodeGetContent,
  xmlReadMemory,
  xmlRegisterInputProvider,
  xmlResetLastError,
  xmlSchemaFree,
  xmlSchemaFreeParserCtxt,
  xmlSchemaFreeValidCtxt,
  xmlSchemaNewDocParserCtxt,
  xmlSchemaNewValidCtxt,
  xmlSchemaParse,
  xmlSchemaSetParserStructuredErrors,
  xmlSchemaSetValidStructuredErrors,
  xmlSchemaValidateDoc,
  xmlXPathCompiledEval,
  xmlXPathCtxtCompile,
  xmlXPathFreeCompExpr,
  xmlXPathFreeContext,
  xmlXPathFreeObject,
  xmlXPathNewContext,
  xmlXPathRegisterNs,
  xmlXPathSetContextNode,
} from 'libxml2-wasm/lib/libxml2.mjs';

export type Pointer = number;

/** libxml2's xmlParserOption. */
const NONET = 1 << 11;
const COMPACT = 1 << 16;
const HUGE = 1 << 19;
const BIG_LINES = 1 << 22;
const NO_XXE = 1 << 23;
const SKIP_IDS = 1 << 27;

/** Never NOENT, DTDLOAD, DTDATTR or XINCLUDE: they read files. */
export const SAFE_PARSING = NONET | COMPACT | BIG_LINES | NO_XXE | SKIP_IDS;
/** Texts of any length, 2,048 elements deep instead of 256: for documents without a DOCTYPE, in which nothing grows. */
export const ROOMY_PARSING = SAFE_PARSING | HUGE;

/** libxml2's xmlErrorLevel: 1 is a warning. */
export const ERROR_LEVEL = 2;

/** libxml2's xmlElementType. */
export const ELEMENT_NODE = 1;
export const NAMESPACE_NODE = 18;

export interface LibxmlProblem {
  /** An xmlErrorLevel. */
  readonly level: number;
  readonly line: number;
  readonly message: string;
}

/** Where libxml2 reports to; the first hundred problems are enough for anybody. */
export interface ProblemSink {
  readonly problems: LibxmlProblem[];
  /** The arguments that libxml2 takes as error handler and its data. */
  readonly handler: Pointer;
  readonly data: number;
  free(): void;
}

const MAX_PROBLEMS = 100;
const sinks = new Map<number, LibxmlProblem[]>();
let lastSink = 0;

// The package exports it, but leaves it out of its declarations. Its own collector is not used because it
// works out the path of every reported node, which is quadratic for a document with many mistakes.
const { addFunction } = low as typeof low & {
  readonly addFunction: (call: (data: number, error: Pointer) => void, signature: string) => Pointer;
};
const handler = addFunction((data, error) => {
  const problems = sinks.get(data);
  if (!problems || problems.length >= MAX_PROBLEMS) return;
  problems.push({
    level: low.XmlErrorStruct.level(error),
    line: low.XmlErrorStruct.line(error),
    message: low.XmlErrorStruct.message(error).trim(),
  });
}, 'vii');

export function openSink(): ProblemSink {
  const data = ++lastSink;
  const problems: LibxmlProblem[] = [];
  sinks.set(data, problems);
  return { problems, handler, data, free: () => sinks.delete(data) };
}
