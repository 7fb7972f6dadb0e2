/** Names in a question that nobody here knows, told where it found nothing. */
import type { ServerQuestion } from '../federate/servers/read-question.ts';
import { findUnknownAttribute as findUnknown } from '../federate/unknown-attribute.ts';
import type { UnknownName } from '../query/dis/parse-dis.ts';
import type { HttpDeps } from './deps.ts';

export function findUnknownAttribute(
  { names }: Pick<ServerQuestion, 'names'>,
  { federation, elements, catalogue }: Pick<HttpDeps, 'federation' | 'elements' | 'catalogue'>,
): UnknownName | undefined {
  // A server that tells nothing may have it.
  const elsewhere = federation?.network ? federation.network.listAttributes() : [];
  if (!elsewhere) return undefined;
  return findUnknown(names, {
    aggregates: federation?.profiles.aggregates,
    vocabulary: elements?.vocabulary,
    fields: [...catalogue.names, ...elsewhere],
  });
}
