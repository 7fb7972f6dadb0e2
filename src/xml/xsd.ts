/** XML Schema 1.0: compiled once from a file, with its includes and imports, then applied to documents. */
import { closeSync, openSync, readFileSync, readSync, realpathSync } from 'node:fs';
import { dirname, resolve, sep } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { GarnerError } from '../core/errors.ts';
import type { XmlDocument } from './engine.ts';
import {
  ERROR_LEVEL,
  type LibxmlProblem,
  openSink,
  type Pointer,
  SAFE_PARSING,
  xmlCtxtSetErrorHandler,
  xmlFreeDoc,
  xmlFreeParserCtxt,
  xmlNewParserCtxt,
  xmlReadMemory,
  xmlRegisterInputProvider,
  xmlSchemaFree,
  xmlSchemaFreeParserCtxt,
  xmlSchemaFreeValidCtxt,
  xmlSchemaNewDocParserCtxt,
  xmlSchemaNewValidCtxt,
  xmlSchemaParse,
  xmlSchemaSetParserStructuredErrors,
  xmlSchemaSetValidStructuredErrors,
  xmlSchemaValidateDoc,
} from './libxml2.ts';

export interface SchemaProblem {
  /** In the validated bytes, from 1. */
  readonly line: number;
  readonly message: string;
}

export interface XmlSchema extends Disposable {
  /** What does not conform; empty when the document is valid. At most a hundred are listed. */
  validate(document: XmlDocument): SchemaProblem[];
  dispose(): void;
}

/**
 * The folder that libxml2 may read from: only set while a schema is compiled, so that documents can never
 * open a file. libxml2's table of providers is global and small, hence one provider for all schemas.
 */
let jail: string | undefined;
let registered = false;

function insideJail(name: string): string | undefined {
  if (jail === undefined) return undefined;
  try {
    const path = realpathSync(name.startsWith('file:') ? fileURLToPath(name) : resolve(name));
    return path.startsWith(jail) ? path : undefined;
  } catch {
    // Not a file: libxml2 reports that it could not load it.
    return undefined;
  }
}

function registerJail(): void {
  if (registered) return;
  registered = true;
  xmlRegisterInputProvider({
    match: (name) => insideJail(name) !== undefined,
    open: (name) => {
      const path = insideJail(name);
      return path === undefined ? undefined : openSync(path, 'r');
    },
    read: (file, buffer) => readSync(file, buffer),
    close: (file) => {
      closeSync(file);
      return true;
    },
  });
}

function broken(path: string, problems: readonly LibxmlProblem[], cause?: unknown): GarnerError {
  const found = problems.find(({ level }) => level >= ERROR_LEVEL) ?? problems[0];
  const reason = found ? `line ${found.line}: ${found.message}` : 'it is not a schema';
  return new GarnerError('xml.schema', `${path}: ${cause instanceof Error ? cause.message : reason}`, {
    cause,
    details: { path },
  });
}

function readSchemaFile(path: string): Uint8Array {
  try {
    return readFileSync(path);
  } catch (cause) {
    throw broken(path, [], cause);
  }
}

function parseSchemaFile(path: string): Pointer {
  const sink = openSink();
  const parser = xmlNewParserCtxt();
  xmlCtxtSetErrorHandler(parser, sink.handler, sink.data);
  const document = xmlReadMemory(parser, readSchemaFile(path), pathToFileURL(path).href, null, SAFE_PARSING);
  xmlFreeParserCtxt(parser);
  sink.free();
  if (document === 0) throw broken(path, sink.problems);
  return document;
}

function compile(path: string): Pointer {
  const document = parseSchemaFile(path);
  const sink = openSink();
  const context = xmlSchemaNewDocParserCtxt(document);
  xmlSchemaSetParserStructuredErrors(context, sink.handler, sink.data);
  const schema = xmlSchemaParse(context);
  xmlSchemaFreeParserCtxt(context);
  xmlFreeDoc(document);
  sink.free();
  if (schema === 0) throw broken(path, sink.problems);
  return schema;
}

function validate(schema: Pointer, document: XmlDocument): SchemaProblem[] {
  const sink = openSink();
  const context = xmlSchemaNewValidCtxt(schema);
  xmlSchemaSetValidStructuredErrors(context, sink.handler, sink.data);
  const result = xmlSchemaValidateDoc(context, document.pointer);
  xmlSchemaFreeValidCtxt(context);
  sink.free();
  if (result < 0) throw new GarnerError('internal.bug', 'the schema validator failed');
  return result === 0 ? [] : sink.problems.map(({ line, message }) => ({ line, message }));
}

/** Includes and imports are read from `root` (default: the schema's folder) and below, and from nowhere else. */
export function compileSchema(path: string, options: { readonly root?: string } = {}): XmlSchema {
  registerJail();
  let schema: Pointer;
  try {
    jail = realpathSync(options.root ?? dirname(resolve(path))) + sep;
    schema = compile(realpathSync(path));
  } catch (error) {
    throw error instanceof GarnerError ? error : broken(path, [], error);
  } finally {
    jail = undefined;
  }
  let disposed = false;
  const dispose = () => {
    if (!disposed) xmlSchemaFree(schema);
    disposed = true;
  };
  return {
    validate: (document) => {
      if (disposed) throw new GarnerError('internal.bug', 'a schema was used after its disposal');
      return validate(schema, document);
    },
    dispose,
    [Symbol.dispose]: dispose,
  };
}
