/** The documents a request may see at all: live, readable, in its sources and in its view. */
import { type AllowedRules, mayRead } from '../access-filter.ts';
import { selectDocs } from './column-scan.ts';
import { ACCESS_COLUMN, type Columns, SOURCE_COLUMN, VIEW_COLUMN } from './columns.ts';
import type { DocSet } from './doc-set.ts';

const CACHED = 16;

export class VisibleDocs {
  readonly #columns: Columns;
  readonly #sets = new Map<string, DocSet>();
  #seq = -1;

  constructor(columns: Columns) {
    this.#columns = columns;
  }

  live(): DocSet {
    return this.#cached('live', () =>
      selectDocs(this.#columns.get(SOURCE_COLUMN), this.#columns.size, () => true),
    );
  }

  readable(allowed: AllowedRules): DocSet {
    if (allowed === 'all') return this.live();
    const key = `access ${[...allowed].sort((a, b) => a - b).join(' ')}`;
    return this.#cached(key, () =>
      this.#withIds(ACCESS_COLUMN, (id) => mayRead(allowed, id)).and(this.live()),
    );
  }

  ofSources(ids: ReadonlySet<number>): DocSet {
    return this.#withIds(SOURCE_COLUMN, (id) => ids.has(id));
  }

  ofView(id: number): DocSet {
    return this.#withIds(VIEW_COLUMN, (other) => other === id);
  }

  #withIds(column: number, test: (id: number) => boolean): DocSet {
    return selectDocs(this.#columns.get(column), this.#columns.size, (numbers, at) => test(numbers[at]!));
  }

  #cached(key: string, make: () => DocSet): DocSet {
    if (this.#seq !== this.#columns.seq || this.#sets.size > CACHED) {
      this.#sets.clear();
      this.#seq = this.#columns.seq;
    }
    let set = this.#sets.get(key);
    if (!set) {
      set = make();
      this.#sets.set(key, set);
    }
    return set;
  }
}
