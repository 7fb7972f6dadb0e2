/** Carries out a plan: the documents that match and, when asked for, how well. */
import type { FieldCatalogue } from '../../../query/catalogue.ts';
import { getField } from '../../../query/catalogue.ts';
import type { AllowedRules } from '../access-filter.ts';
import { columnLeaf, type LeafReader } from './column-leaf.ts';
import { DocSet } from './doc-set.ts';
import type { IndexedField } from './field-registry.ts';
import type { QueryPlan, WordsPlan } from './query-plan.ts';
import type { WordIndex, WordQuery } from './word-index.ts';
import type { WorkBudget } from './work-budget.ts';

export interface Evaluation {
  readonly reader: LeafReader;
  readonly index: WordIndex;
  readonly catalogue: FieldCatalogue;
  readonly fields: ReadonlyMap<string, IndexedField>;
  readonly allowed: AllowedRules;
  /** What `not` and `all` are taken from: every live document. */
  readonly live: DocSet;
  readonly budget: WorkBudget;
}

/** Of every document by key. */
export type Scores = Float32Array;

/** `scores`, when given, is added to. */
export function evaluatePlan(evaluation: Evaluation, plan: QueryPlan, scores?: Scores, factor = 1): DocSet {
  const { live } = evaluation;
  switch (plan.type) {
    case 'all':
      return live;
    case 'none':
      return new DocSet(live.size);
    case 'words':
      return evaluateWords(evaluation, plan, scores, factor);
    case 'leaf':
      return columnLeaf(
        evaluation.reader,
        plan.node,
        getField(evaluation.catalogue, plan.field),
        evaluation.fields.get(plan.field),
        evaluation.allowed,
        evaluation.budget,
      );
    case 'and':
      return plan.of
        .map((part) => evaluatePlan(evaluation, part, scores, factor))
        .reduce((left, right) => left.and(right));
    case 'or':
      return plan.of
        .map((part) => evaluatePlan(evaluation, part, scores, factor))
        .reduce((left, right) => left.or(right));
    case 'not':
      return live.without(evaluatePlan(evaluation, plan.of));
    case 'boost':
      return evaluatePlan(evaluation, plan.of, scores, factor * plan.factor);
  }
}

function evaluateWords(
  { index, budget, live }: Evaluation,
  { query, boosts }: WordsPlan,
  scores: Scores | undefined,
  factor: number,
): DocSet {
  budget.spend(index.estimateMs(query, scores !== undefined), describe(query));
  if (!scores) return DocSet.of(live.size, index.docs(query));
  const docs = new DocSet(live.size);
  const add = (part: WordQuery, weight: number, visit: (key: number) => void) => {
    const ranked = index.ranked(part);
    for (let i = 0; i < ranked.docs.length; i++) {
      const key = ranked.docs[i]!;
      visit(key);
      scores[key]! += ranked.scores[i]! * weight;
    }
  };
  add(query, factor, (key) => docs.add(key));
  for (const boost of boosts) {
    budget.spend(index.estimateMs(boost.query, true), describe(boost.query));
    add(boost.query, factor * boost.extra, () => undefined);
  }
  return docs;
}

/** What ranking would cost on top of finding, in milliseconds. */
export function rankingMs(index: WordIndex, plan: QueryPlan): number {
  switch (plan.type) {
    case 'words':
      return plan.boosts.reduce(
        (sum, { query }) => sum + index.estimateMs(query, true),
        index.estimateMs(plan.query, true),
      );
    case 'and':
    case 'or':
      return plan.of.reduce((sum, part) => sum + rankingMs(index, part), 0);
    case 'boost':
      return rankingMs(index, plan.of);
    default:
      return 0;
  }
}

/** Whether anything in the plan gives scores. */
export function hasScores(index: WordIndex, plan: QueryPlan): boolean {
  switch (plan.type) {
    case 'words':
      return plan.query.type === 'phrase' || index.canCombine(plan.query);
    case 'and':
    case 'or':
      return plan.of.some((part) => hasScores(index, part));
    case 'boost':
      return hasScores(index, plan.of);
    default:
      return false;
  }
}

function describe(query: WordQuery): string {
  switch (query.type) {
    case 'any':
      return (
        query.exact ??
        (query.words.length === 1 ? query.words[0]! : `a pattern of ${query.words.length} words`)
      );
    case 'prefix':
      return `${query.prefix}*`;
    case 'phrase':
      return `"${query.steps.map(({ name }) => name).join(' ')}"`;
    case 'without':
      return describe(query.of);
    default:
      return query.of.map(describe).join(query.type === 'and' ? ' AND ' : ' OR ');
  }
}
