/** Names in a question that nobody here knows: they find nothing, and most often are mistyped. */
import { DC_ELEMENTS } from '../core/dublin-core.ts';
import { type DisName, findUnknownName, type UnknownName } from '../query/dis/parse-dis.ts';
import type { Aggregates } from './aggregate/aggregates.ts';
import type { Vocabulary } from './vocabulary.ts';

export interface KnownNames {
  readonly aggregates?: Pick<Aggregates, 'find'> | undefined;
  readonly vocabulary?: Vocabulary | undefined;
  /** Names of fields. */
  readonly fields: readonly string[];
}

/** Names of profiles' own attributes, and of the one handler that has its own. */
const OWN = [
  'profid',
  'profparentid',
  'resclass',
  'rescontext',
  'resaggregation',
  'reslocation',
  'OFSN',
  'RT',
];

/** Only names that anybody may read are known: those of gathered profiles, formats, dictionaries and ontology. */
export function findUnknownAttribute(
  names: readonly DisName[],
  { aggregates, vocabulary, fields }: KnownNames,
): UnknownName | undefined {
  const index = vocabulary?.dictionaries.index();
  const inferred = vocabulary ? [...vocabulary.ontology.attributes.values()] : [];
  return findUnknownName(
    names.filter(({ name }) => (index?.lookUp(name) ?? []).length === 0),
    [
      ...(aggregates?.find([])?.aggregate.attributes.keys() ?? []),
      ...inferred.map(({ name }) => name),
      ...fields,
      ...DC_ELEMENTS,
      ...OWN,
      ...(index?.entries ?? []).map(({ current }) => current.name),
    ],
  );
}
