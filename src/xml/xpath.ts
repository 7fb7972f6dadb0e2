/** XPath 1.0 expressions, compiled once for all documents of this thread. */
import { GarnerError } from '../core/errors.ts';
import {
  type Pointer,
  XmlErrorStruct,
  xmlFreeDoc,
  xmlGetLastError,
  xmlNewDoc,
  xmlResetLastError,
  xmlXPathCompiledEval,
  xmlXPathCtxtCompile,
  xmlXPathFreeCompExpr,
  xmlXPathFreeContext,
  xmlXPathFreeObject,
  xmlXPathNewContext,
  xmlXPathRegisterNs,
} from './libxml2.ts';
import { compileQuickly } from './quick/compile.ts';
import type { Expression } from './quick/expression.ts';
import { findRequiredNames, type RequiredNames } from './required-names.ts';

export interface CompiledPath {
  readonly expression: string;
  /** The prefixes that the expression uses, with their namespaces. */
  readonly bindings: readonly (readonly [prefix: string, namespace: string])[];
  readonly pointer: Pointer;
  /** Undefined: not known. */
  readonly requires: RequiredNames | undefined;
  /** For documents that are read without libxml2; undefined when only libxml2 can run it. */
  readonly quick: Expression | undefined;
  /** Only needed when paths are compiled again and again: field definitions live as long as their thread. */
  dispose(): void;
}

const LITERALS = /"[^"]*"|'[^']*'/g;
/** A name before a single colon; `child::` is an axis. */
const PREFIXES = /(?<![\p{L}\p{N}_.-])([\p{L}_][\p{L}\p{N}_.-]*):(?=[\p{L}_*])/gu;

function bindPrefixes(
  expression: string,
  namespaces: Readonly<Record<string, string>>,
): (readonly [string, string])[] {
  const used = new Set(
    Array.from(expression.replace(LITERALS, '""').matchAll(PREFIXES), (match) => match[1] ?? ''),
  );
  return Array.from(used).flatMap((prefix) => {
    if (prefix === 'xml') return [];
    const namespace = Object.hasOwn(namespaces, prefix) ? namespaces[prefix] : undefined;
    if (!namespace) throw invalid(expression, `the prefix "${prefix}" has no namespace`);
    return [[prefix, namespace] as const];
  });
}

const invalid = (expression: string, reason: string) =>
  new GarnerError('xml.xpath', `XPath "${expression}": ${reason}`, { details: { expression } });

export function lastXPathError(): string {
  const pointer = xmlGetLastError();
  return pointer === 0 ? 'it does not compile' : XmlErrorStruct.message(pointer).trim();
}

/** Unknown functions and variables only show when an expression runs: try it on an empty document. */
function tryPath(path: CompiledPath): void {
  const document = xmlNewDoc();
  const context = xmlXPathNewContext(document);
  for (const [prefix, namespace] of path.bindings) xmlXPathRegisterNs(context, prefix, namespace);
  xmlResetLastError();
  const result = xmlXPathCompiledEval(path.pointer, context);
  const reason = result === 0 ? lastXPathError() : undefined;
  if (result !== 0) xmlXPathFreeObject(result);
  xmlXPathFreeContext(context);
  xmlFreeDoc(document);
  if (reason === undefined) return;
  path.dispose();
  throw invalid(path.expression, reason);
}

export function compilePath(
  expression: string,
  namespaces: Readonly<Record<string, string>> = {},
): CompiledPath {
  const bindings = bindPrefixes(expression, namespaces);
  xmlResetLastError();
  const pointer = xmlXPathCtxtCompile(0, expression);
  if (pointer === 0) throw invalid(expression, lastXPathError());
  let disposed = false;
  const path: CompiledPath = {
    expression,
    bindings,
    pointer,
    requires: findRequiredNames(expression),
    quick: compileQuickly(expression, namespaces),
    dispose: () => {
      if (!disposed) xmlXPathFreeCompExpr(pointer);
      disposed = true;
    },
  };
  tryPath(path);
  return path;
}
