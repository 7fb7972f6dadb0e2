/**
 * What the resources of a snapshot say of themselves, as a description of the whole. Every resource has one
 * voice for each value it states. Of creators, publishers, subjects, languages and rights those count that more
 * than one resource states, or all when there are fewer than three resources that state any; most voices first,
 * then by the alphabet. The description is that of the entry page, and only when all is of one host.
 */
import type { StoredItem } from '../../store/index.ts';

const MERGED = ['creator', 'publisher', 'subject', 'language', 'rights'] as const;
export type MergedElement = (typeof MERGED)[number] | 'description';

export type MergedDescription = { readonly [Element in MergedElement]?: readonly string[] };

/** Whether a value that a resource states may speak for the snapshot. */
export type TrustRule = (element: MergedElement, value: string, item: StoredItem) => boolean;

const MAX_VALUES = 20;

export class DescriptionMerger {
  readonly #isTrusted: TrustRule;
  readonly #voices = new Map<MergedElement, Map<string, number>>(MERGED.map((name) => [name, new Map()]));
  readonly #stating = new Map<MergedElement, number>();
  readonly #hosts = new Set<string>();
  #entry: { readonly url: string; readonly description: readonly string[] } | undefined;

  constructor(isTrusted: TrustRule = () => true) {
    this.#isTrusted = isTrusted;
  }

  add(item: StoredItem): void {
    for (const element of MERGED) {
      const values = this.#valuesOf(item, element);
      if (values.length === 0) continue;
      this.#stating.set(element, (this.#stating.get(element) ?? 0) + 1);
      const voices = this.#voices.get(element);
      for (const value of values) voices?.set(value, (voices.get(value) ?? 0) + 1);
    }
    const host = URL.parse(item.identifier)?.host;
    if (host !== undefined) this.#hosts.add(host);
    if (!this.#entry || isNearerToRoot(item.identifier, this.#entry.url))
      this.#entry = { url: item.identifier, description: this.#valuesOf(item, 'description') };
  }

  merge(): MergedDescription {
    const merged: { [Element in MergedElement]?: readonly string[] } = {};
    for (const element of MERGED) {
      const least = (this.#stating.get(element) ?? 0) < 3 ? 1 : 2;
      const kept = [...(this.#voices.get(element) ?? [])]
        .filter(([, voices]) => voices >= least)
        .sort(([a, voicesOfA], [b, voicesOfB]) => voicesOfB - voicesOfA || (a < b ? -1 : 1))
        .slice(0, MAX_VALUES)
        .map(([value]) => value);
      if (kept.length > 0) merged[element] = kept;
    }
    const description = this.#hosts.size === 1 ? (this.#entry?.description ?? []) : [];
    if (description.length > 0) merged.description = description;
    return merged;
  }

  #valuesOf(item: StoredItem, element: MergedElement): string[] {
    const values = (item.fields[element] ?? []).filter((value) => typeof value === 'string');
    return [...new Set(values)].filter((value) => this.#isTrusted(element, value, item));
  }
}

/** Fewer folders, then shorter, then by the alphabet. */
function isNearerToRoot(one: string, other: string): boolean {
  const depth = (url: string) => url.replace(/[?#].*$/s, '').split('/').length;
  const difference = depth(one) - depth(other) || one.length - other.length;
  return difference < 0 || (difference === 0 && one < other);
}
