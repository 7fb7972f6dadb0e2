/** Compiled expressions: what they give is known beforehand, so that nothing is converted at random. */
import type { Nodes } from './steps.ts';
import type { QuickTree } from './tree.ts';

type Run<T> = (tree: QuickTree, node: number, position: number, size: number) => T;

export type Expression =
  | { readonly gives: 'nodes'; readonly run: Run<Nodes> }
  | { readonly gives: 'text'; readonly run: Run<string>; readonly literal?: string }
  | { readonly gives: 'truth'; readonly run: Run<boolean> }
  | { readonly gives: 'number'; readonly run: Run<number> };

/** XPath's string(); numbers would have to be written as XPath writes them. */
export function toText(expression: Expression): Run<string> | undefined {
  switch (expression.gives) {
    case 'text':
      return expression.run;
    case 'nodes': {
      const { run } = expression;
      return (tree, node, position, size) => {
        const [first] = run(tree, node, position, size);
        return first === undefined ? '' : tree.stringValue(first);
      };
    }
    case 'truth': {
      const { run } = expression;
      return (tree, node, position, size) => String(run(tree, node, position, size));
    }
    case 'number':
      return undefined;
  }
}

/** XPath's boolean(). */
export function toTruth(expression: Expression): Run<boolean> {
  switch (expression.gives) {
    case 'truth':
      return expression.run;
    case 'nodes': {
      const { run } = expression;
      return (tree, node, position, size) => run(tree, node, position, size).length > 0;
    }
    case 'text': {
      const { run } = expression;
      return (tree, node, position, size) => run(tree, node, position, size) !== '';
    }
    case 'number': {
      const { run } = expression;
      return (tree, node, position, size) => run(tree, node, position, size) !== 0;
    }
  }
}

/** `=` and `!=` (XPath 1.0 §3.4) between texts, or numbers, or any of some nodes and a text; else undefined. */
export function compareEqual(one: Expression, other: Expression, equal: boolean): Expression | undefined {
  if (one.gives === 'number' && other.gives === 'number') {
    const [left, right] = [one.run, other.run];
    return truth((...at) => (left(...at) === right(...at)) === equal);
  }
  if (one.gives === 'text' && other.gives === 'text') {
    const [left, right] = [one.run, other.run];
    return truth((...at) => (left(...at) === right(...at)) === equal);
  }
  if (one.gives === 'text' && other.gives === 'nodes') return compareEqual(other, one, equal);
  if (one.gives !== 'nodes' || other.gives !== 'text') return undefined;
  const [nodes, text] = [one.run, other.run];
  return truth((...at) => {
    const found = nodes(...at);
    if (found.length === 0) return false;
    const wanted = text(...at);
    return found.some((node) => (at[0].stringValue(node) === wanted) === equal);
  });
}

export const truth = (run: Run<boolean>): Expression => ({ gives: 'truth', run });
export const text = (run: Run<string>): Expression => ({ gives: 'text', run });
