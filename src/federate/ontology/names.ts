/** What the things of an ontology are called. */
import type { Graph } from './graph.ts';
import { IRI } from './vocabulary.ts';

export interface Named {
  readonly iri: string;
  /** The last part of the IRI: what profiles and queries call it. */
  readonly name: string;
  readonly label: string;
  /** Further labels, in all languages: alternative and hidden ones, translations, codes. */
  readonly synonyms: readonly string[];
  readonly comment?: string;
}

export function nameOf(graph: Graph, iri: string): Named {
  const name = localName(iri);
  const labels = [IRI.prefLabel, IRI.label].flatMap((predicate) => literals(graph, iri, predicate));
  const chosen = labels.find(({ language }) => language === undefined || /^en\b/.test(language)) ?? labels[0];
  const label = chosen?.text ?? name;
  const others = [IRI.altLabel, IRI.hiddenLabel, IRI.notation].flatMap((predicate) =>
    literals(graph, iri, predicate),
  );
  const synonyms = new Set([...labels, ...others].map(({ text }) => text));
  synonyms.delete(label);
  const comment = [IRI.comment, IRI.definition].flatMap((predicate) => literals(graph, iri, predicate))[0];
  return { iri, name, label, synonyms: [...synonyms], ...(comment && { comment: comment.text }) };
}

function literals(
  graph: Graph,
  iri: string,
  predicate: string,
): { readonly text: string; readonly language: string | undefined }[] {
  return graph.objects(iri, predicate).flatMap((term) => {
    const text = term.value.trim();
    return term.kind === 'literal' && text !== '' ? [{ text, language: term.language }] : [];
  });
}

function localName(iri: string): string {
  const last = /[^#/:]+(?=[#/]?$)/.exec(iri)?.[0] ?? iri;
  try {
    return decodeURIComponent(last);
  } catch (error) {
    if (error instanceof URIError) return last;
    throw error;
  }
}
