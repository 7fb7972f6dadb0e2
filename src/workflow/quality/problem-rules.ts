/** Messages that differ only in the value they quote are one rule. */
import type { ProblemCount } from '../../store/index.ts';

export interface ProblemRule {
  readonly code: string;
  /** The message without its values. */
  readonly rule: string;
  readonly items: number;
  /** A whole message, and an item that has it. */
  readonly example: string;
  readonly identifier?: string;
}

/** `field "date": "soon" is no date` keeps the field and loses the value. */
function ruleOf(message: string): string {
  const [, field = '', rest = message] = /^(field "[^"]*": )(.*)$/s.exec(message) ?? [];
  return (
    field +
    rest
      .replace(/"[^"]*"…?/g, '“…”')
      .replace(/\([^()]*\)/g, '(…)')
      .replace(/-?\b\d+(?:\.\d+)?\b/g, 'N')
  );
}

/** Most frequent first. Counts of one rule are added up, so an item with two values counts twice. */
export function groupByRule(counts: readonly ProblemCount[]): ProblemRule[] {
  const rules = new Map<string, ProblemRule>();
  for (const { code, message, items, identifier } of counts) {
    const rule = ruleOf(message);
    const key = `${code} ${rule}`;
    const known = rules.get(key);
    if (known) rules.set(key, { ...known, items: known.items + items });
    else
      rules.set(key, {
        code,
        rule,
        items,
        example: message,
        ...(identifier !== undefined && { identifier }),
      });
  }
  return [...rules.values()].sort((a, b) => b.items - a.items || a.rule.localeCompare(b.rule));
}
