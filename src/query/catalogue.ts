/** The fields a query may name: those of the configured formats, and those the store fills itself. */
import { attributeSpec } from '../core/attributes.ts';
import { type EdgeField, parseEdgeField } from '../core/box-edges.ts';
import { GarnerError } from '../core/errors.ts';
import type { FieldSpec, FieldType } from '../core/model.ts';
import { nearestNames } from '../core/nearest.ts';

export interface CatalogueField {
  readonly name: string;
  readonly type: FieldType;
  readonly indexed: boolean;
  readonly tokenised: boolean;
  readonly stemmed: boolean;
  /** Filled by the store. Its strings are names for machines and are compared as they are, unfolded. */
  readonly pseudo: boolean;
  /** An edge of the boxes of another field. */
  readonly edge?: EdgeField;
}

export interface FieldCatalogue {
  find(name: string): CatalogueField | undefined;
  /** Names that a query may use, in order of definition. */
  readonly names: readonly string[];
}

const pseudo = (name: string, type: FieldType): CatalogueField => ({
  name,
  type,
  indexed: true,
  tokenised: false,
  stemmed: false,
  pseudo: true,
});

const PSEUDO_FIELDS = [
  pseudo('source', 'string'),
  pseudo('id', 'string'),
  pseudo('set', 'string'),
  pseudo('view', 'string'),
  pseudo('schema', 'string'),
  pseudo('updated', 'date'),
];

/** Of several definitions of one name (fields of several formats search together) the first counts. */
export function createCatalogue(fields: readonly FieldSpec[]): FieldCatalogue {
  const byName = new Map<string, CatalogueField>();
  for (const field of PSEUDO_FIELDS) byName.set(field.name, field);
  for (const { name, type, indexed, tokenised, stemmed } of fields) {
    if (!byName.has(name)) byName.set(name, { name, type, indexed, tokenised, stemmed, pseudo: false });
  }
  const names = [...byName.values()].filter((field) => field.indexed).map((field) => field.name);
  const findEdge = (name: string): CatalogueField | undefined => {
    const edge = parseEdgeField(name);
    const box = edge && byName.get(edge.box);
    return edge && box?.type === 'bbox' ? { ...box, name, type: 'number', edge } : undefined;
  };
  return { find: (name) => byName.get(name) ?? findAttribute(name) ?? findEdge(name), names };
}

/** Fields of attributes are known by their names alone. */
function findAttribute(name: string): CatalogueField | undefined {
  const spec = attributeSpec(name);
  return spec && { name, type: spec.type, indexed: true, tokenised: false, stemmed: false, pseudo: false };
}

/** The field, or `query.unknown-field` with the nearest names, or `query.unsupported` when it is not indexed. */
export function getField(catalogue: FieldCatalogue, name: string, hint = ''): CatalogueField {
  const field = catalogue.find(name);
  if (!field) {
    const nearest = nearestNames(name, catalogue.names);
    const guess = nearest.length > 0 ? `; did you mean ${nearest.join(', ')}?` : '';
    throw new GarnerError('query.unknown-field', `there is no field "${name}"${guess}${hint}`, {
      details: { field: name, nearest, expected: 'a field name', found: name },
    });
  }
  if (!field.indexed) {
    throw new GarnerError('query.unsupported', `the field "${name}" is kept but not indexed`, {
      details: { field: name, expected: 'an indexed field', found: name },
    });
  }
  return field;
}
