/** RDF as plain data. */
export type RdfTerm =
  | { readonly kind: 'iri' | 'blank'; readonly value: string }
  | {
      readonly kind: 'literal';
      readonly value: string;
      readonly datatype: string;
      /** Of a text in a language: `en`, `de-at`; lower case. */
      readonly language?: string;
    };

export interface Triple {
  readonly subject: RdfTerm;
  readonly predicate: string;
  readonly object: RdfTerm;
}
