/** Where a harvest stands, so that another process can go on: committed with every page. */
import { hash } from 'node:crypto';
import type { ListSpec, ListState } from './list-state.ts';
import type { OaiSource } from './source.ts';

export interface OaiCheckpoint {
  /** Of what was to be harvested; a changed configuration begins anew. */
  readonly plan: string;
  /** Everything is listed, and what is not in it has vanished. */
  readonly full: boolean;
  /** The list being walked, by its place in the plan; those before it are done. */
  readonly list: number;
  readonly state?: ListState;
  /** Over all lists so far. */
  readonly pages: number;
  readonly records: number;
  /** Lists that have gaps or could not be listed at all. */
  readonly flawed: number;
  /** Shown as the expected number of records while the run goes on. */
  readonly total?: number;
}

export function planDigest({ url, from, until, feed }: OaiSource, lists: readonly ListSpec[]): string {
  return hash('sha256', JSON.stringify([url, from, until, feed, lists]));
}

export function parseCheckpoint(value: unknown, plan: string): OaiCheckpoint | undefined {
  if (typeof value !== 'object' || value === null || !('plan' in value) || value.plan !== plan)
    return undefined;
  // Written by us, for this very plan.
  return value as OaiCheckpoint;
}
