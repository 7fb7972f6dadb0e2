/**
 * Turtle, RDF/XML and JSON-LD as triples. Nothing is ever fetched: a JSON-LD context on another host is
 * refused, and so is a DOCTYPE (many ontology editors define entities in one; save as Turtle instead).
 */
import { JsonLdParser } from 'jsonld-streaming-parser';
import { Parser as TurtleParser } from 'n3';
import { RdfXmlParser } from 'rdfxml-streaming-parser';
import { GarnerError } from '../../core/errors.ts';
import { toUtf8 } from '../../xml/encoding.ts';
import { parseXml } from '../../xml/engine.ts';
import type { RdfTerm, Triple } from './triple.ts';

export const RDF_SYNTAXES = ['turtle', 'rdfxml', 'jsonld'] as const;
export type RdfSyntax = (typeof RDF_SYNTAXES)[number];

const BY_ENDING: Readonly<Record<string, RdfSyntax>> = {
  ttl: 'turtle',
  nt: 'turtle',
  rdf: 'rdfxml',
  owl: 'rdfxml',
  xml: 'rdfxml',
  jsonld: 'jsonld',
  json: 'jsonld',
};

/** By the ending of a file's name; undefined when it tells nothing. */
export function rdfSyntaxOf(fileName: string): RdfSyntax | undefined {
  return BY_ENDING[/\.(\w+)$/.exec(fileName)?.[1]?.toLowerCase() ?? ''];
}

export interface ReadRdfOptions {
  readonly syntax: RdfSyntax;
  /** What relative addresses in the document start from. */
  readonly baseIri: string;
  /** Before the names of blank nodes, so that those of several documents differ. */
  readonly scope?: string;
  readonly maxBytes?: number;
}

const DEFAULT_MAX_BYTES = 64 * 1024 * 1024;

/** Throws `rdf.malformed`, `rdf.remote`, or of RDF/XML what `parseXml` throws. Named graphs are one. */
export async function readRdf(bytes: Uint8Array, options: ReadRdfOptions): Promise<Triple[]> {
  const limit = options.maxBytes ?? DEFAULT_MAX_BYTES;
  if (bytes.length > limit)
    throw new GarnerError('xml.too-large', `the document has ${bytes.length} bytes, the limit is ${limit}`, {
      details: { bytes: bytes.length, limit },
    });
  const toTriple = ({ subject, predicate, object }: Quad): Triple => ({
    subject: toTerm(subject, options.scope ?? ''),
    predicate: predicate.value,
    object: toTerm(object, options.scope ?? ''),
  });
  try {
    return (await READERS[options.syntax](bytes, options.baseIri)).map(toTriple);
  } catch (cause) {
    if (cause instanceof GarnerError) throw cause;
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new GarnerError('rdf.malformed', `not RDF as ${NAMES[options.syntax]}: ${reason}`, { cause });
  }
}

const NAMES: Readonly<Record<RdfSyntax, string>> = {
  turtle: 'Turtle',
  rdfxml: 'RDF/XML',
  jsonld: 'JSON-LD',
};

/** As much of the RDF/JS data model as all three parsers give. */
interface Term {
  readonly termType: string;
  readonly value: string;
  readonly language?: string;
  readonly datatype?: { readonly value: string };
}
interface Quad {
  readonly subject: Term;
  readonly predicate: Term;
  readonly object: Term;
}

const READERS: Readonly<Record<RdfSyntax, (bytes: Uint8Array, baseIri: string) => Promise<Quad[]>>> = {
  turtle: async (bytes, baseIRI) => new TurtleParser({ baseIRI }).parse(decodeUtf8(bytes)),

  rdfxml: async (bytes, baseIRI) => {
    // The RDF parser is not told the end of the document, so that it takes one that breaks off.
    parseXml(bytes).dispose();
    const parser = new RdfXmlParser({ baseIRI });
    parser.end(decodeUtf8(toUtf8(bytes)));
    return collect(parser);
  },

  jsonld: async (bytes, baseIRI) => {
    let refused: GarnerError | undefined;
    const parser = new JsonLdParser({
      baseIRI,
      documentLoader: {
        load: async (url) => {
          refused = new GarnerError('rdf.remote', `the context ${url} is not fetched`, { details: { url } });
          throw refused;
        },
      },
    });
    parser.end(decodeUtf8(bytes));
    try {
      return await collect(parser);
    } catch (error) {
      throw refused ?? error;
    }
  },
};

async function collect(quads: AsyncIterable<Quad>): Promise<Quad[]> {
  const all: Quad[] = [];
  for await (const quad of quads) all.push(quad);
  return all;
}

function decodeUtf8(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch (cause) {
    throw new GarnerError('rdf.malformed', 'the bytes are not UTF-8', { cause });
  }
}

const STRING = 'http://www.w3.org/2001/XMLSchema#string';

function toTerm({ termType, value, language, datatype }: Term, scope: string): RdfTerm {
  if (termType === 'NamedNode') return { kind: 'iri', value };
  if (termType === 'BlankNode') return { kind: 'blank', value: scope + value };
  if (termType !== 'Literal')
    throw new GarnerError('rdf.malformed', `${termType} is no term of an RDF 1.1 triple`);
  return {
    kind: 'literal',
    // Of a number with a type the parser for JSON-LD gives the number, whatever its types promise.
    value: String(value),
    datatype: datatype?.value ?? STRING,
    ...(language && { language: language.toLowerCase() }),
  };
}
