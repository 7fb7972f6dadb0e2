/** Many findings as few rows: the same element in the same trouble is told once, with a count and an example. */
import { describeFinding, type ElementFinding, type FindingKind, isNote } from './validate-elements.ts';

export interface FindingRow {
  readonly element: string;
  readonly kind: FindingKind;
  /** Worth knowing, but no mistake. */
  readonly note: boolean;
  readonly count: number;
  /** The first that was met, and where. */
  readonly where: string;
  readonly example: string;
}

export class FindingTally {
  readonly #rows = new Map<string, { row: Omit<FindingRow, 'count'>; count: number }>();

  add(where: string, findings: readonly ElementFinding[]): void {
    for (const finding of findings) {
      const { element, kind } = finding;
      const key = JSON.stringify([element, kind]);
      const known = this.#rows.get(key);
      if (known) known.count++;
      else
        this.#rows.set(key, {
          count: 1,
          row: { element, kind, note: isNote(finding), where, example: describeFinding(finding) },
        });
    }
  }

  /** Mistakes before notes, frequent ones first. */
  list(): FindingRow[] {
    return [...this.#rows.values()]
      .map(({ row, count }) => ({ ...row, count }))
      .sort((a, b) => Number(a.note) - Number(b.note) || b.count - a.count);
  }
}
