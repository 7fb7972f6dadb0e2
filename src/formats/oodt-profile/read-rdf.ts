/** Profiles from RDF statements, whatever syntax they came in. */
import { GarnerError } from '../../core/errors.ts';
import { type ReadRdfOptions, readRdf } from '../rdf/read-rdf.ts';
import type { RdfTerm, Triple } from '../rdf/triple.ts';
import { ELEMENT_PARTS, type Occurs, PROF_ATTRIBUTES, type Profile, RES_ATTRIBUTES } from './profile.ts';
import {
  DC_NAMESPACE,
  DESCRIBES,
  HAS_ELEMENT,
  ORDER,
  PROFILE_NAMESPACE,
  RDF_TYPE,
  rdfName,
} from './rdf-names.ts';

/** Throws what `readRdf` throws, and `profile.malformed` when no profile is in it. */
export async function readRdfProfiles(
  bytes: Uint8Array,
  options: Pick<ReadRdfOptions, 'syntax' | 'baseIri'>,
): Promise<Profile[]> {
  const nodes = gather(await readRdf(bytes, options));
  const profiles = [...nodes.values()].filter((node) =>
    node.get(RDF_TYPE)?.some(({ value }) => value === `${PROFILE_NAMESPACE}Profile`),
  );
  if (profiles.length === 0) throw new GarnerError('profile.malformed', 'the document has no profile in it');
  return profiles.map((node) => profileOf(node, nodes));
}

type Node = ReadonlyMap<string, readonly RdfTerm[]>;

const keyOf = ({ kind, value }: RdfTerm) => `${kind} ${value}`;

function gather(triples: readonly Triple[]): Map<string, Map<string, RdfTerm[]>> {
  const nodes = new Map<string, Map<string, RdfTerm[]>>();
  for (const { subject, predicate, object } of triples) {
    const node = nodes.get(keyOf(subject)) ?? new Map<string, RdfTerm[]>();
    nodes.set(keyOf(subject), node);
    node.set(predicate, [...(node.get(predicate) ?? []), object]);
  }
  return nodes;
}

function profileOf(node: Node, nodes: ReadonlyMap<string, Node>): Profile {
  const reach = (name: string): Node[] =>
    (node.get(PROFILE_NAMESPACE + name) ?? []).flatMap((term) => nodes.get(keyOf(term)) ?? []);
  const [resource = new Map()] = reach(DESCRIBES);
  return {
    prof: readSection(PROF_ATTRIBUTES, node),
    res: readSection(RES_ATTRIBUTES, resource),
    elements: reach(HAS_ELEMENT)
      .map((element) => ({
        element: readSection(ELEMENT_PARTS, element),
        order: Number(element.get(PROFILE_NAMESPACE + ORDER)?.[0]?.value ?? 0),
      }))
      .sort((a, b) => a.order - b.order)
      .map(({ element }) => element),
  };
}

function readSection<Name extends string>(
  table: Readonly<Record<Name, Occurs>>,
  node: Node,
): Partial<Record<Name, readonly string[]>> {
  const section: Partial<Record<Name, readonly string[]>> = {};
  for (const name of Object.keys(table) as Name[]) {
    const { prefix, local } = rdfName(name);
    const terms = node.get((prefix === 'dc' ? DC_NAMESPACE : PROFILE_NAMESPACE) + local);
    if (terms) section[name] = terms.map(({ value }) => value);
  }
  return section;
}
