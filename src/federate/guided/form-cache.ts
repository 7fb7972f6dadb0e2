/** Forms of many matches, which take a while to count: kept until something changes, for a minute at most. */
import type { Viewer } from '../../core/access.ts';
import type { Clock } from '../../core/time.ts';
import type { QueryNode } from '../../query/ast.ts';
import type { GuidedForm } from './form.ts';

type FormOf = (query: QueryNode, viewer: Viewer) => Promise<GuidedForm>;

interface FormCacheOptions {
  readonly clock: Clock;
  /** Another number after every change of what everybody may read. */
  readonly version: () => number;
}

const KEPT_MS = 60_000;
const MOST_KEPT = 200;
/** Fewer are counted at once. */
const MANY = 10_000;

/** Only for readers who show nothing: what the others may read can change without being noticed here. */
export function cacheForms(formOf: FormOf, { clock, version }: FormCacheOptions): FormOf {
  const kept = new Map<
    string,
    { readonly form: GuidedForm; readonly at: number; readonly version: number }
  >();
  return async (query, viewer) => {
    if (viewer.token !== undefined || viewer.groups.length > 0) return formOf(query, viewer);
    const key = JSON.stringify([query, viewer]);
    const now = version();
    const known = kept.get(key);
    if (known && known.version === now && clock() - known.at < KEPT_MS) return known.form;
    const form = await formOf(query, viewer);
    kept.delete(key);
    if (form.total >= MANY) kept.set(key, { form, at: clock(), version: now });
    const oldest = kept.size > MOST_KEPT ? kept.keys().next().value : undefined;
    if (oldest !== undefined) kept.delete(oldest);
    return form;
  };
}
