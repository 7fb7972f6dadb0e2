/** Numbers by name that are kept in memory and written with the next commit. */
import type { DatabaseSync } from 'node:sqlite';

export class StoredCounts {
  readonly #values = new Map<string, number>();
  readonly #changed = new Set<string>();
  readonly #write: (name: string, n: number) => void;

  constructor(db: DatabaseSync, table: 'tally' | 'family', jobId: number) {
    for (const row of db.prepare(`SELECT name, n FROM ${table} WHERE job_id = ?`).iterate(jobId))
      this.#values.set(String(row.name), Number(row.n));
    const put = db.prepare(`INSERT OR REPLACE INTO ${table} (job_id, name, n) VALUES (?, ?, ?)`);
    this.#write = (name, n) => put.run(jobId, name, n);
  }

  get(name: string): number {
    return this.#values.get(name) ?? 0;
  }

  add(name: string, n = 1): number {
    const value = this.get(name) + n;
    this.#values.set(name, value);
    this.#changed.add(name);
    return value;
  }

  entries(prefix: string): [name: string, n: number][] {
    return [...this.#values]
      .filter(([name]) => name.startsWith(prefix))
      .map(([name, n]) => [name.slice(prefix.length), n]);
  }

  /** Inside a transaction. */
  flush(): void {
    for (const name of this.#changed) this.#write(name, this.get(name));
    this.#changed.clear();
  }
}
