/** What the store remembers of a source's files, in the order of their entries, a page at a time. */
import type { ItemStore } from '../../store/index.ts';
import { type FileState, readState } from './file-state.ts';

const PAGE = 1000;

export class EntryCursor {
  readonly #items: Pick<ItemStore, 'listEntries'>;
  readonly #source: string;
  readonly #prefix: string;
  #page: readonly FileState[] = [];
  #at = 0;
  #after: string;
  #ended = false;

  /** Only entries that begin with `prefix`. */
  constructor(items: Pick<ItemStore, 'listEntries'>, source: string, prefix: string) {
    this.#items = items;
    this.#source = source;
    this.#prefix = prefix;
    // The prefix itself is a folder, never an entry.
    this.#after = prefix;
  }

  async peek(): Promise<FileState | undefined> {
    if (this.#at >= this.#page.length && !this.#ended) {
      const page = await this.#items.listEntries(
        this.#source,
        this.#after === '' ? undefined : this.#after,
        PAGE,
      );
      this.#page = page.map(readState);
      this.#at = 0;
      this.#after = page.at(-1)?.entry ?? this.#after;
      this.#ended = page.length < PAGE;
    }
    const state = this.#page[this.#at];
    return state?.entry.startsWith(this.#prefix) ? state : undefined;
  }

  next(): void {
    this.#at++;
  }

  /** Past everything that begins with `prefix`, which must be ASCII and end with a slash. */
  async skip(prefix: string): Promise<void> {
    while (this.#at < this.#page.length && this.#page[this.#at]?.entry.startsWith(prefix)) this.#at++;
    if (this.#at < this.#page.length || this.#ended) return;
    this.#after = `${prefix}\uffff`;
    this.#page = [];
    this.#at = 0;
  }
}
