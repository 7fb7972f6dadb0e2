/**
 * The one door to the low-level module of libxml2-wasm, which is not promised stable: an update of the
 * pinned version is checked here. Pointers are addresses in the WASM memory; 0 is null.
 */
export {
  type ErrorDetail,
  error as errors,
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
  xmlResetLastError,
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
const BIG_LINES = 1 << 22;
const NO_XXE = 1 << 23;
const SKIP_IDS = 1 << 27;

/** Never NOENT, DTDLOAD, DTDATTR, XINCLUDE or HUGE: they read files or lift the limits. */
export const SAFE_PARSING = NONET | COMPACT | BIG_LINES | NO_XXE | SKIP_IDS;

/** libxml2's xmlErrorLevel: 1 is a warning. */
export const ERROR_LEVEL = 2;

/** libxml2's xmlElementType. */
export const ELEMENT_NODE = 1;
export const NAMESPACE_NODE = 18;
