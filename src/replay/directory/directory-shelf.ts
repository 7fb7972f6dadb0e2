/** Directories that were built lately: a browser asks for one file after the other. */
import type { Viewer } from '../../core/access.ts';
import type { Clock } from '../../core/time.ts';
import type { StoredCapture } from '../../store/index.ts';
import { buildDirectory, type DirectoryDeps, type PageDirectory } from './page-directory.ts';

const KEPT = 200;
/** Not longer: who may see what changes, and captures are added. */
const KEPT_MS = 60_000;

export class DirectoryShelf {
  readonly #deps: DirectoryDeps;
  readonly #clock: Clock;
  readonly #built = new Map<string, { readonly at: number; readonly directory: Promise<PageDirectory> }>();

  constructor(deps: DirectoryDeps, clock: Clock) {
    this.#deps = deps;
    this.#clock = clock;
  }

  get(page: StoredCapture, viewer: Viewer): Promise<PageDirectory> {
    const key = `${page.key} ${JSON.stringify(viewer)}`;
    const now = this.#clock();
    const known = this.#built.get(key);
    if (known && now - known.at < KEPT_MS) return known.directory;
    const directory = buildDirectory(this.#deps, page, viewer);
    directory.catch(() => this.#built.delete(key));
    this.#built.delete(key);
    this.#built.set(key, { at: now, directory });
    const [oldest] = this.#built.keys();
    if (this.#built.size > KEPT && oldest !== undefined) this.#built.delete(oldest);
    return directory;
  }
}
