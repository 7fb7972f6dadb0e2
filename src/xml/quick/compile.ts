/**
 * XPath expressions for a `QuickTree`: location paths along the axes that lead downwards, unions, predicates
 * and the functions of `functions.ts`. Others give undefined and are for libxml2, which has accepted
 * everything that comes here: mistakes need not be found a second time.
 */
import { compareEqual, type Expression, toTruth, truth } from './expression.ts';
import { callFunction } from './functions.ts';
import { expandedName, internLocalName, internNamespace, NO_NAMESPACE, XML_NAMESPACE } from './names.ts';
import { routesFor } from './routes.ts';
import { filterNodes, type NodeTest, type Predicate, runSteps, type Step, sortNodes } from './steps.ts';
import { readTokens, type Token } from './tokens.ts';

const BRANCHES: Step = { axis: 'branches', test: { kind: 'any' }, predicates: [] };
const NODE_TYPES: ReadonlySet<string> = new Set(['text', 'node', 'comment', 'processing-instruction']);
const AXES = ['self', 'child', 'attribute', 'descendant', 'descendant-or-self'] as const;
const isAxis = (name: string): name is (typeof AXES)[number] => AXES.some((axis) => axis === name);

export function compileQuickly(
  expression: string,
  namespaces: Readonly<Record<string, string>>,
): Expression | undefined {
  const tokens = readTokens(expression);
  return tokens && new Compiler(tokens, namespaces).compile();
}

/** By recursive descent, one method for each rule of XPath 1.0 §3. */
class Compiler {
  readonly #tokens: readonly Token[];
  readonly #namespaces: Readonly<Record<string, string>>;
  #at = 0;
  #predicateDepth = 0;

  constructor(tokens: readonly Token[], namespaces: Readonly<Record<string, string>>) {
    this.#tokens = tokens;
    this.#namespaces = namespaces;
  }

  compile(): Expression | undefined {
    const expression = this.#or();
    // How libxml2 writes numbers is its own affair.
    if (this.#at < this.#tokens.length || expression?.gives === 'number') return undefined;
    return expression;
  }

  #or(): Expression | undefined {
    return this.#joined(
      'or',
      () => this.#and(),
      (tests) =>
        (...at) =>
          tests.some((test) => test(...at)),
    );
  }

  #and(): Expression | undefined {
    return this.#joined(
      'and',
      () => this.#equality(),
      (tests) =>
        (...at) =>
          tests.every((test) => test(...at)),
    );
  }

  /** One operand as it is, or the truth of several. */
  #joined(
    operator: string,
    operand: () => Expression | undefined,
    join: (tests: readonly Predicate[]) => Predicate,
  ): Expression | undefined {
    const first = operand();
    if (!first) return undefined;
    const tests = [toTruth(first)];
    while (this.#takes('name', operator)) {
      const next = operand();
      if (!next) return undefined;
      tests.push(toTruth(next));
    }
    return tests.length === 1 ? first : truth(join(tests));
  }

  #equality(): Expression | undefined {
    const left = this.#union();
    const equal = this.#takes('sign', '=');
    if (!left || (!equal && !this.#takes('sign', '!='))) return left;
    const right = this.#union();
    return right && compareEqual(left, right, equal);
  }

  #union(): Expression | undefined {
    const first = this.#path();
    const runs: Extract<Expression, { gives: 'nodes' }>['run'][] = [];
    for (let next = first; next; next = this.#path()) {
      if (!this.#isNext('sign', '|') && runs.length === 0) return first;
      if (next.gives !== 'nodes') return undefined;
      runs.push(next.run);
      if (!this.#takes('sign', '|'))
        return { gives: 'nodes', run: (...at) => sortNodes(runs.flatMap((run) => run(...at))) };
    }
    return undefined;
  }

  #path(): Expression | undefined {
    const token = this.#tokens[this.#at];
    if (token?.kind === 'literal') {
      this.#at++;
      return { gives: 'text', run: () => token.text, literal: token.text };
    }
    if (token?.kind === 'number') {
      this.#at++;
      const number = Number(token.text);
      return { gives: 'number', run: () => number };
    }
    if (this.#takes('sign', '(')) return this.#filtered();
    if (token?.kind === 'name' && this.#isNext('sign', '(', 1) && !NODE_TYPES.has(token.text))
      return this.#call(token.text);
    return this.#location();
  }

  /** `(…)[…]/…`: in a predicate after the parenthesis, places count among all nodes. */
  #filtered(): Expression | undefined {
    const inner = this.#or();
    if (!inner || !this.#takes('sign', ')')) return undefined;
    if (!this.#isNext('sign', '[') && !this.#isNext('sign', '/') && !this.#isNext('sign', '//')) return inner;
    const predicates = this.#predicates();
    const steps: Step[] = [];
    if (inner.gives !== 'nodes' || !predicates || !this.#moreSteps(steps)) return undefined;
    const { run } = inner;
    return {
      gives: 'nodes',
      run: (...at) => runSteps(at[0], filterNodes(at[0], run(...at), predicates), steps),
    };
  }

  #call(name: string): Expression | undefined {
    this.#at += 2;
    const args: Expression[] = [];
    while (!this.#takes('sign', ')')) {
      if (args.length > 0 && !this.#takes('sign', ',')) return undefined;
      const arg = this.#or();
      if (!arg) return undefined;
      args.push(arg);
    }
    if ((name === 'position' || name === 'last') && this.#predicateDepth === 0) return undefined;
    return callFunction(name, args);
  }

  #location(): Expression | undefined {
    if (this.#isNext('sign', '/') || this.#isNext('sign', '//')) return this.#fromDocument();
    const steps: Step[] = [];
    if (!this.#takes('sign', '.')) {
      const step = this.#step();
      if (!step) return undefined;
      steps.push(step);
    }
    if (!this.#moreSteps(steps)) return undefined;
    return { gives: 'nodes', run: (tree, node) => runSteps(tree, [node], steps) };
  }

  #fromDocument(): Expression | undefined {
    let route = routesFor(this.#namespaces);
    for (;;) {
      if (this.#takes('sign', '//')) route = route.to(BRANCHES, '//');
      else if (!this.#takes('sign', '/')) return { gives: 'nodes', run: (tree) => route.run(tree) };
      const start = this.#at;
      const step = this.#step();
      if (!step) return undefined;
      route = route.to(step, JSON.stringify(this.#tokens.slice(start, this.#at)));
    }
  }

  #moreSteps(steps: Step[]): boolean {
    for (;;) {
      if (this.#takes('sign', '//')) steps.push(BRANCHES);
      else if (!this.#takes('sign', '/')) return true;
      const step = this.#step();
      if (!step) return false;
      steps.push(step);
    }
  }

  #step(): Step | undefined {
    let axis = this.#takes('sign', '@') ? 'attribute' : 'child';
    if (this.#isNext('sign', '::', 1)) {
      axis = this.#tokens[this.#at]?.text ?? '';
      this.#at += 2;
    }
    if (!isAxis(axis)) return undefined;
    const test = this.#nodeTest();
    const predicates = test && this.#predicates();
    return predicates && { axis, test, predicates };
  }

  #nodeTest(): NodeTest | undefined {
    if (this.#takes('sign', '*')) return { kind: 'any' };
    const token = this.#tokens[this.#at++];
    if (token?.kind !== 'name') return undefined;
    if (this.#takes('sign', '('))
      return token.text === 'text' && this.#takes('sign', ')') ? { kind: 'text' } : undefined;
    const colon = token.text.indexOf(':');
    const namespace = colon < 0 ? NO_NAMESPACE : this.#namespaceOf(token.text.slice(0, colon));
    const local = token.text.slice(colon + 1);
    if (namespace < 0) return undefined;
    if (local === '*') return { kind: 'namespace', namespace };
    const localName = internLocalName(local);
    return localName < 0 ? undefined : { kind: 'name', name: expandedName(namespace, localName) };
  }

  #namespaceOf(prefix: string): number {
    if (prefix === 'xml') return XML_NAMESPACE;
    const namespace = Object.hasOwn(this.#namespaces, prefix) ? this.#namespaces[prefix] : undefined;
    return namespace === undefined ? -1 : internNamespace(namespace);
  }

  #predicates(): Predicate[] | undefined {
    const predicates: Predicate[] = [];
    while (this.#takes('sign', '[')) {
      this.#predicateDepth++;
      const expression = this.#or();
      this.#predicateDepth--;
      if (!expression || !this.#takes('sign', ']')) return undefined;
      if (expression.gives === 'number') {
        const { run } = expression;
        predicates.push((tree, node, position, size) => run(tree, node, position, size) === position);
      } else predicates.push(toTruth(expression));
    }
    return predicates;
  }

  #isNext(kind: Token['kind'], text: string, ahead = 0): boolean {
    const token = this.#tokens[this.#at + ahead];
    return token?.kind === kind && token.text === text;
  }

  #takes(kind: Token['kind'], text: string): boolean {
    if (!this.#isNext(kind, text)) return false;
    this.#at++;
    return true;
  }
}
