/** Ontology files as one ontology. */
import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { asGarnerError, GarnerError } from '../../core/errors.ts';
import { rdfSyntaxOf, readRdf } from '../../formats/rdf/read-rdf.ts';
import type { Triple } from '../../formats/rdf/triple.ts';
import { collectFacts, type Facts } from './facts.ts';
import { buildOntology, type Ontology } from './ontology.ts';

export interface LoadedOntology {
  readonly ontology: Ontology;
  readonly facts: Facts;
}

/** Names in one file may be used in another. Throws with the file's name; nothing is fetched. */
export async function loadOntology(paths: readonly string[]): Promise<LoadedOntology> {
  const triples: Triple[] = [];
  for (const [i, path] of paths.entries())
    for (const triple of await readFile(path, `f${i}.`)) triples.push(triple);
  const ontology = buildOntology(triples);
  return { ontology, facts: collectFacts(triples, ontology) };
}

async function readFile(path: string, scope: string): Promise<Triple[]> {
  const file = basename(path);
  const syntax = rdfSyntaxOf(file);
  if (syntax === undefined)
    throw new GarnerError('rdf.malformed', `${file}: its name must end in .ttl, .rdf, .owl or .jsonld`);
  try {
    return await readRdf(readFileSync(path), {
      syntax,
      baseIri: `https://ontology.invalid/${encodeURIComponent(file)}`,
      scope,
    });
  } catch (cause) {
    const { code, message } = asGarnerError(cause);
    throw new GarnerError(code === 'internal.bug' ? 'rdf.malformed' : code, `${file}: ${message}`, { cause });
  }
}
