/**
 * A DIDL document as the sequence of its parts. Documents may hold whole files, so nothing here has them at
 * once: the same sequence is what a snapshot is written from and what reading gives back.
 */
export type DidlEvent =
  /** `name` with its prefix; attributes in their order, namespace declarations among them. */
  | {
      readonly kind: 'start';
      readonly name: string;
      readonly attributes: readonly (readonly [name: string, value: string])[];
    }
  | { readonly kind: 'end'; readonly name: string }
  /** What stands between tags as it is: content of a statement, blanks, comments. May come in pieces. */
  | { readonly kind: 'markup'; readonly markup: string | Uint8Array }
  /** Content that is base64 in the document. To be read before the next event is asked for. */
  | { readonly kind: 'value'; readonly bytes: AsyncIterable<Uint8Array> };

export type DidlEvents = AsyncIterable<DidlEvent> | Iterable<DidlEvent>;

export const localName = (name: string): string => name.slice(name.indexOf(':') + 1);
