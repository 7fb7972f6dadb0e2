/** For handlers that cannot search: what a question says of each attribute, when it says nothing else. */
import type { QueryNode } from '../../query/ast.ts';

/** Values by lower-case name; undefined when anything else than `name = value AND …` is asked. */
export function readEqualities(query: QueryNode): ReadonlyMap<string, string> | undefined {
  const values = new Map<string, string>();
  for (const node of query.type === 'and' ? query.of : [query]) {
    if (node.type !== 'compare' || node.operator !== '=') return undefined;
    const name = node.field.toLowerCase();
    if (values.has(name)) return undefined;
    values.set(name, node.value);
  }
  return values;
}

/** Whether a question names just these attributes: one that a handler took no notice of would be answered wrongly. */
export function namesExactly(values: ReadonlyMap<string, string>, names: ReadonlySet<string>): boolean {
  return values.size === names.size && [...names].every((name) => values.has(name));
}
