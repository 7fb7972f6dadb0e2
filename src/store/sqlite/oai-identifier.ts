/** The identifier an item has in this repository, given once and for ever. */
import type { ItemRef } from '../../core/model.ts';

/** An absolute URI; one letter before the colon is a drive (`C:\data`), not a scheme. */
const ABSOLUTE_URI = /^[A-Za-z][A-Za-z0-9+.-]+:[^\s\p{Cc}]+$/u;

/**
 * Candidates, best first; the first that no other item has is taken. Minted ones follow the OAI
 * identifier guidelines (`oai:` namespace `:` local part); the number at the end only ever serves when a
 * foreign item already bears our minted name.
 */
export function* proposeOaiIdentifiers(
  ref: ItemRef,
  given: string | undefined,
  repositoryIdentifier: string,
): Generator<string> {
  if (given !== undefined && ABSOLUTE_URI.test(given)) yield given;
  if (ref.identifier !== given && ABSOLUTE_URI.test(ref.identifier)) yield ref.identifier;
  const minted = `oai:${repositoryIdentifier}:${encodeURIComponent(ref.source)}:${encodeURIComponent(ref.identifier)}`;
  yield minted;
  for (let number = 2; ; number++) yield `${minted}:${number}`;
}
