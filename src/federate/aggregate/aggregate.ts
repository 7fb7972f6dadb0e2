/** Many products as one: a summary of every attribute that any of them has. */
import type { ItemAttribute } from '../profile/item-attributes.ts';
import { AttributeSummary } from './summary.ts';

export class Aggregate {
  /** How many products it tells of. */
  products = 0;
  /** Products were changed or removed since: what it says may be too much, and counts are not certain. */
  loose = false;
  /** Products were removed since: it still tells their values. */
  shrunk = false;
  /** By key of the attribute. */
  readonly attributes = new Map<string, AttributeSummary>();
  readonly #limit: number;

  /** `limit`: so many texts of an attribute are listed. */
  constructor(limit: number) {
    this.#limit = limit;
  }

  add(product: ReadonlyMap<string, ItemAttribute>): void {
    this.products++;
    this.widen(product);
  }

  /** A product that is counted already has changed. */
  widen(product: ReadonlyMap<string, ItemAttribute>): void {
    for (const [key, attribute] of product) this.#summary(key).addProduct(attribute, this.#limit);
  }

  join(other: Aggregate): void {
    this.products += other.products;
    this.loose ||= other.loose;
    this.shrunk ||= other.shrunk;
    for (const [key, summary] of other.attributes) this.#summary(key).join(summary, this.#limit);
  }

  /** Whether every product surely has the attribute. */
  isEverywhere(summary: AttributeSummary): boolean {
    return !this.loose && summary.present === this.products;
  }

  #summary(key: string): AttributeSummary {
    let summary = this.attributes.get(key);
    if (!summary) {
      summary = new AttributeSummary();
      this.attributes.set(key, summary);
    }
    return summary;
  }
}
