/**
 * Watches folders, not files: a watch for each of a million files is more than systems give. What changed in
 * a folder is found by looking at it; several changes in a short time are one look.
 */
import { type FSWatcher, watch } from 'node:fs';

/** Well below what inotify gives to one user by default. */
const MAX_WATCHES = 4096;
const SETTLE_MS = 300;
/** Even when it never settles. */
const LONGEST_MS = 3000;

export interface DirtyFolder {
  readonly entry: string;
  /** Rules changed: everything below is to be looked at. */
  readonly deep: boolean;
}

export class FolderWatches {
  readonly #watchers = new Map<string, FSWatcher>();
  readonly #dirty = new Map<string, boolean>();
  readonly #onDirty: (folders: readonly DirtyFolder[]) => void;
  readonly #isRuleFile: (name: string) => boolean;
  #timer: NodeJS.Timeout | undefined;
  #since = 0;
  #full = false;

  constructor(onDirty: (folders: readonly DirtyFolder[]) => void, isRuleFile: (name: string) => boolean) {
    this.#onDirty = onDirty;
    this.#isRuleFile = isRuleFile;
  }

  get count(): number {
    return this.#watchers.size;
  }

  add(path: string, entry: string): void {
    if (this.#full || this.#watchers.has(entry)) return;
    try {
      const watcher = watch(path, { persistent: false }, (_, name) =>
        this.#note(entry, name !== null && this.#isRuleFile(name)),
      );
      watcher.on('error', () => this.#drop(entry));
      this.#watchers.set(entry, watcher);
    } catch (error) {
      // The folder just went, or may not be read: that says nothing about others.
      if (error instanceof Error && 'code' in error && /^(?:ENOENT|ENOTDIR|EACCES)$/.test(String(error.code)))
        return;
      // No more watches to be had: looking at intervals finds everything, too.
      this.#full = this.#watchers.size > 0;
    }
    if (this.#watchers.size >= MAX_WATCHES) this.#full = true;
  }

  /** The folder is gone, and those below it. */
  remove(entry: string): void {
    for (const known of this.#watchers.keys()) if (known.startsWith(entry)) this.#drop(known);
  }

  close(): void {
    clearTimeout(this.#timer);
    for (const entry of this.#watchers.keys()) this.#drop(entry);
    this.#full = true;
  }

  #drop(entry: string): void {
    this.#watchers.get(entry)?.close();
    this.#watchers.delete(entry);
  }

  #note(entry: string, deep: boolean): void {
    if (this.#dirty.size === 0) this.#since = performance.now();
    this.#dirty.set(entry, this.#dirty.get(entry) === true || deep);
    clearTimeout(this.#timer);
    const waited = performance.now() - this.#since;
    this.#timer = setTimeout(() => this.#tell(), Math.max(0, Math.min(SETTLE_MS, LONGEST_MS - waited)));
    this.#timer.unref();
  }

  #tell(): void {
    const folders = [...this.#dirty].map(([entry, deep]) => ({ entry, deep }));
    this.#dirty.clear();
    // What lies below a folder that is looked at wholly need not be looked at again.
    this.#onDirty(
      folders.filter(
        ({ entry }) =>
          !folders.some((other) => other.deep && other.entry !== entry && entry.startsWith(other.entry)),
      ),
    );
  }
}
