/**
 * Paths from the document down, as a tree: the paths of a format mostly begin alike, and what they have in
 * common is looked for once in a document.
 */
import { type Nodes, runStep, type Step } from './steps.ts';
import type { QuickTree } from './tree.ts';

const DOCUMENT_ONLY: Nodes = [0];
const NOTHING: Nodes = [];

export class Route {
  readonly #before: Route | undefined;
  readonly #step: Step | undefined;
  readonly #further = new Map<string, Route>();
  /** Of the document that was asked last. */
  #edition = 0;
  #nodes: Nodes = NOTHING;

  /** Without anything: the document itself. */
  constructor(before?: Route, step?: Step) {
    this.#before = before;
    this.#step = step;
  }

  /** `written`: the same for steps that do the same. */
  to(step: Step, written: string): Route {
    let route = this.#further.get(written);
    if (!route) {
      route = new Route(this, step);
      this.#further.set(written, route);
    }
    return route;
  }

  run(tree: QuickTree): Nodes {
    if (!this.#before || !this.#step) return DOCUMENT_ONLY;
    if (this.#edition !== tree.edition) {
      const from = this.#before.run(tree);
      this.#nodes = from.length === 0 ? NOTHING : runStep(tree, from, this.#step);
      this.#edition = tree.edition;
    }
    return this.#nodes;
  }
}

const routes = new WeakMap<object, Route>();

/** Where the routes of one set of prefixes begin: those of a format, as long as there is the format. */
export function routesFor(namespaces: object): Route {
  const known = routes.get(namespaces) ?? new Route();
  routes.set(namespaces, known);
  return known;
}
