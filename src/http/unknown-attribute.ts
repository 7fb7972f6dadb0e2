/** Names in a question that nobody here knows: they find nothing, and most often are mistyped. */
import { DC_ELEMENTS } from '../core/dublin-core.ts';
import type { ServerQuestion } from '../federate/servers/read-question.ts';
import { findUnknownName, type UnknownName } from '../query/dis/parse-dis.ts';
import type { HttpDeps } from './deps.ts';

/** Names of profiles' own attributes, and of the one handler that has its own. */
const OWN = ['profid', 'profparentid', 'resclass', 'rescontext', 'reslocation', 'OFSN', 'RT'];

/** Only names that anybody may read are known: those of gathered profiles, formats and dictionaries. */
export function findUnknownAttribute(
  { names }: Pick<ServerQuestion, 'names'>,
  { federation, elements, catalogue }: Pick<HttpDeps, 'federation' | 'elements' | 'catalogue'>,
): UnknownName | undefined {
  const gathered = federation?.profiles.aggregates.find([])?.aggregate.attributes.keys() ?? [];
  const index = elements?.vocabulary.dictionaries.index();
  const known = findUnknownName(
    names.filter(({ name }) => (index?.lookUp(name) ?? []).length === 0),
    [
      ...gathered,
      ...catalogue.names,
      ...DC_ELEMENTS,
      ...OWN,
      ...(index?.entries ?? []).map(({ current }) => current.name),
    ],
  );
  return known;
}
