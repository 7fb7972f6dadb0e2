/** Documents by a value that is made of others, which no column has: it is made of what is stored. */
import type { ComposedNode } from '../../../query/ast.ts';
import { compileComposed } from '../../../query/compose.ts';
import type { LeafReader } from './column-leaf.ts';
import { DocSet } from './doc-set.ts';
import type { WorkBudget } from './work-budget.ts';

/** Milliseconds to read one document, measured. */
const READ_MS = 0.01;

export function composedLeaf(
  { columns, hits }: LeafReader,
  node: ComposedNode,
  asked: DocSet,
  budget: WorkBudget,
): DocSet {
  const docs = new DocSet(columns.size);
  const keys = asked.keys();
  budget.spend(keys.length * READ_MS, `values of ${keys.length} items`);
  const holds = compileComposed(node);
  const needsId = node.parts.some((part) => typeof part !== 'string' && part.fields.includes('id'));
  for (const key of keys) {
    const item = needsId ? hits.read(key, {}).hit : { identifier: '', fields: hits.storedFields(key) };
    if (holds(item)) docs.add(key);
  }
  return docs;
}
