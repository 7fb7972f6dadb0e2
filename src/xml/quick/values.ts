/** What an expression gives from a node, as `XmlDocument.evaluate` would say it. */
import type { Expression } from './expression.ts';
import type { QuickTree } from './tree.ts';

export function quickValues(tree: QuickTree, expression: Expression, node: number): string[] {
  if (expression.gives !== 'nodes') {
    const text = String(expression.run(tree, node, 1, 1)).trim();
    return text === '' ? [] : [text];
  }
  const values: string[] = [];
  for (const found of expression.run(tree, node, 1, 1)) {
    const text = tree.stringValue(found).trim();
    if (text !== '') values.push(text);
  }
  return values;
}
