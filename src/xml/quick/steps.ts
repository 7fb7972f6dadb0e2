/** The steps of location paths over a `QuickTree`. Sets of nodes are arrays, in document order, each node once. */
import { type NameId, namespaceOf } from './names.ts';
import { ATTRIBUTE, ELEMENT, type QuickTree } from './tree.ts';

export type Nodes = readonly number[];

/** A test of one node among those that a step found; places count from 1. */
export type Predicate = (tree: QuickTree, node: number, position: number, size: number) => boolean;

export type NodeTest =
  | { readonly kind: 'any' }
  | { readonly kind: 'text' }
  | { readonly kind: 'name'; readonly name: NameId }
  | { readonly kind: 'namespace'; readonly namespace: number };

/** `branches`: what `//` stands for; nodes that can have nothing below are left out. */
export type Axis = 'self' | 'child' | 'attribute' | 'descendant' | 'descendant-or-self' | 'branches';

export interface Step {
  readonly axis: Axis;
  readonly test: NodeTest;
  readonly predicates: readonly Predicate[];
}

export function runSteps(tree: QuickTree, from: Nodes, steps: readonly Step[]): Nodes {
  let nodes = from;
  for (const step of steps) {
    if (nodes.length === 0) return nodes;
    nodes = runStep(tree, nodes, step);
  }
  return nodes;
}

export function runStep(tree: QuickTree, from: Nodes, { axis, test, predicates }: Step): Nodes {
  let found: number[] = [];
  for (const node of from) {
    if (predicates.length === 0) collect(tree, node, axis, test, found);
    else {
      const candidates: number[] = [];
      collect(tree, node, axis, test, candidates);
      for (const kept of filterNodes(tree, candidates, predicates)) found.push(kept);
    }
  }
  if (from.length > 1 && !isOrdered(found)) found = sortNodes(found);
  return found;
}

export function filterNodes(tree: QuickTree, nodes: Nodes, predicates: readonly Predicate[]): Nodes {
  let kept = nodes;
  for (const predicate of predicates) {
    const candidates = kept;
    kept = candidates.filter((node, index) => predicate(tree, node, index + 1, candidates.length));
  }
  return kept;
}

export const sortNodes = (nodes: Nodes): number[] => Array.from(new Set(nodes)).sort((a, b) => a - b);

function isOrdered(nodes: Nodes): boolean {
  for (let i = 1; i < nodes.length; i++) if ((nodes[i] as number) <= (nodes[i - 1] as number)) return false;
  return true;
}

function collect(tree: QuickTree, node: number, axis: Axis, test: NodeTest, into: number[]): void {
  if (tree.kindOf(node) > ELEMENT) {
    // Attributes and texts have nothing below, and are no elements themselves.
    if ((axis === 'self' || axis === 'descendant-or-self') && fits(tree, node, test)) into.push(node);
    return;
  }
  const end = tree.endOf(node);
  const first = tree.startOf(node);
  switch (axis) {
    case 'self':
      if (fits(tree, node, test)) into.push(node);
      return;
    case 'child':
      if (test.kind === 'name') {
        // Nodes without a name have 0, which is none.
        for (let at = first; at < end; at = tree.endOf(at)) if (tree.nameOf(at) === test.name) into.push(at);
      } else for (let at = first; at < end; at = tree.endOf(at)) if (fits(tree, at, test)) into.push(at);
      return;
    case 'attribute':
      if (node > 0)
        for (let at = node + 1; at < first; at++) if (fitsAttribute(tree, at, test)) into.push(at);
      return;
    case 'descendant-or-self':
      if (fits(tree, node, test)) into.push(node);
      break;
    case 'branches':
      into.push(node);
      for (let at = first; at < end; at++) if (tree.kindOf(at) === ELEMENT) into.push(at);
      return;
    case 'descendant':
  }
  for (let at = first; at < end; at++) if (fits(tree, at, test)) into.push(at);
}

/** On the axes on which elements stand. */
function fits(tree: QuickTree, node: number, test: NodeTest): boolean {
  if (test.kind === 'text') return tree.isText(node);
  return tree.kindOf(node) === ELEMENT && fitsName(tree.nameOf(node), test);
}

const fitsAttribute = (tree: QuickTree, node: number, test: NodeTest): boolean =>
  tree.kindOf(node) >= ATTRIBUTE && test.kind !== 'text' && fitsName(tree.nameOf(node), test);

function fitsName(name: NameId, test: NodeTest): boolean {
  switch (test.kind) {
    case 'name':
      return name === test.name;
    case 'namespace':
      return namespaceOf(name) === test.namespace;
    default:
      return true;
  }
}
