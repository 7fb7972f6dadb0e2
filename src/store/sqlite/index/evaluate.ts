/** Carries out a plan: the documents that match and, when asked for, how well. */

import { shorten } from '../../../core/shorten.ts';
import type { FieldCatalogue } from '../../../query/catalogue.ts';
import { getField } from '../../../query/catalogue.ts';
import type { AllowedRules } from '../access-filter.ts';
import { columnLeaf, type LeafReader } from './column-leaf.ts';
import { composedLeaf } from './composed-leaf.ts';
import { DocSet } from './doc-set.ts';
import type { IndexedField } from './field-registry.ts';
import type { QueryPlan } from './query-plan.ts';
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
      return scores ? evaluation.index.rank(plan.query, scores, factor) : evaluation.index.docs(plan.query);
    case 'leaf': {
      const field = getField(evaluation.catalogue, plan.field);
      return columnLeaf(
        evaluation.reader,
        plan.node,
        field,
        evaluation.fields.get(field.edge?.box ?? field.name),
        evaluation.allowed,
        evaluation.budget,
      );
    }
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
    case 'composed': {
      const asked = evaluatePlan(evaluation, plan.of).and(live);
      return composedLeaf(evaluation.reader, plan.node, asked, evaluation.budget);
    }
    case 'boost':
      return evaluatePlan(evaluation, plan.of, scores, factor * plan.factor);
  }
}

/** About what the words of the plan cost, in milliseconds, and which part of it costs most. */
export function estimatePlan(
  index: WordIndex,
  plan: QueryPlan,
  ranked: boolean,
): { ms: number; costliest: string } {
  const parts = listWords(plan, ranked).map(({ query, scored }) => ({
    query,
    ms: index.estimateMs(query, scored),
  }));
  parts.sort((a, b) => b.ms - a.ms);
  const [first] = parts;
  return { ms: parts.reduce((sum, { ms }) => sum + ms, 0), costliest: first ? name(first.query) : '' };
}

function listWords(plan: QueryPlan, ranked: boolean): { query: WordQuery; scored: boolean }[] {
  switch (plan.type) {
    case 'words':
      return [{ query: plan.query, scored: ranked }];
    case 'and':
    case 'or':
      return plan.of.flatMap((part) => listWords(part, ranked));
    case 'boost':
      return listWords(plan.of, ranked);
    case 'not':
    case 'composed':
      return listWords(plan.of, false);
    default:
      return [];
  }
}

/** Whether anything in the plan gives scores. */
export function hasScores(plan: QueryPlan): boolean {
  switch (plan.type) {
    case 'words':
      return true;
    case 'and':
    case 'or':
      return plan.of.some(hasScores);
    case 'boost':
      return hasScores(plan.of);
    default:
      return false;
  }
}

/** For messages. */
function name(query: WordQuery): string {
  return shorten(describe(query), 80);
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
  }
}
