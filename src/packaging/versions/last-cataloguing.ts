/** When, by whom and why an item was catalogued as it is now. */
import type { VersionInfo } from '../../store/index.ts';

/** `history`: of one format. */
export function findLastCataloguing(history: readonly VersionInfo[]): VersionInfo | undefined {
  const newestFirst = history
    .filter(({ event }) => event?.type === 'recataloguing')
    .toSorted((a, b) => b.version - a.version);
  const [last] = newestFirst;
  // One that was brought back says what was said before.
  return last && newestFirst.findLast(({ digest }) => digest === last.digest);
}
