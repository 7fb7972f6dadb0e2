/**
 * The files below a folder in the order of their entries (plain ASCII, so that the store sorts them alike):
 * streaming, with no more in memory than the names of the folders on the way down.
 */
import { lstat, opendir, readdir, realpath, stat } from 'node:fs/promises';
import { join, sep } from 'node:path';
import type { FolderRules } from './apache/decide.ts';
import type { FolderAccess, Mount } from './folder-access.ts';
import { decodeEntry, encodeSegment, encodeText } from './url-path.ts';

export interface FoundFile {
  readonly kind: 'file';
  readonly entry: string;
  readonly name: string;
  readonly path: string | Buffer;
  readonly size: number;
  readonly mtimeMs: number;
  readonly ino: number;
  readonly isLink: boolean;
  /** It answers at the address of its folder. */
  readonly isIndex: boolean;
  readonly rules: FolderRules;
}

/** A folder that could not be listed: of what is in it nothing is known. */
export interface LostFolder {
  readonly kind: 'lost';
  /** With a slash at the end; empty for the root. */
  readonly entry: string;
  readonly reason: string;
}

/** A folder whose files follow. */
export interface EnteredFolder {
  readonly kind: 'folder';
  readonly entry: string;
  readonly path: string;
}

export type WalkEvent = FoundFile | LostFolder | EnteredFolder;

interface Child {
  /** Below the base URL; folders with a slash at the end. */
  readonly entry: string;
  readonly name: string;
  /** The file system's own, where it is no UTF-8. */
  readonly bytes?: Buffer;
  readonly isLink: boolean;
  readonly mount?: Mount;
}

interface Frame {
  readonly entry: string;
  readonly path: string;
  readonly realPath: string;
  readonly rules: FolderRules;
  readonly index: string | undefined;
  readonly children: readonly Child[];
  next: number;
}

const MAX_DEPTH = 128;
/** Files whose facts are asked for at once. */
const AT_ONCE = 64;

export interface WalkOptions {
  /** A folder's entry, with a slash at the end; empty for all. */
  readonly from: string;
  /** Asked of every folder below, in order, after all that comes before it. */
  readonly descend: (entry: string) => boolean | Promise<boolean>;
}

export class FolderWalk {
  readonly #access: FolderAccess;
  readonly #roots: readonly Mount[];
  /** Real paths that links may lead to: the root and the aliased folders. */
  #allowed: readonly string[] = [];

  constructor(access: FolderAccess) {
    this.#access = access;
    this.#roots = access.mounts;
  }

  async *walk({ from, descend }: WalkOptions): AsyncGenerator<WalkEvent> {
    this.#allowed = await Promise.all(this.#roots.map(({ path }) => realpath(path).catch(() => path)));
    const start = await this.locate(from);
    if (!start) return;
    const stack: Frame[] = [];
    const opened = yield* this.#open(start.path, from, start.rules, stack);
    if (opened) stack.push(opened);
    for (let frame = stack.at(-1); frame; frame = stack.at(-1)) {
      const child = frame.children[frame.next];
      if (!child) {
        stack.pop();
        continue;
      }
      if (!child.entry.endsWith('/')) {
        yield* this.#files(frame);
        continue;
      }
      frame.next++;
      if (!(await descend(child.entry)) || stack.length >= MAX_DEPTH) continue;
      const entered = await this.#enter(frame, child, stack);
      if (!entered) continue;
      const inner = yield* this.#open(entered.path, child.entry, entered.rules, stack);
      if (inner) stack.push(inner);
    }
  }

  /** The folder of an entry and the rules that hold in it; undefined when it is hidden or outside. */
  async locate(entry: string): Promise<{ path: string; rules: FolderRules } | undefined> {
    const mount = this.#roots
      .filter((one) => (one.entry === '' || one.entry.endsWith('/')) && entry.startsWith(one.entry))
      .reduce<Mount | undefined>(
        (best, one) => (best && best.entry.length > one.entry.length ? best : one),
        undefined,
      );
    if (!mount) return undefined;
    let rules = this.#access.enterMount(mount.path);
    let path = mount.path;
    for (const segment of entry.slice(mount.entry.length).split('/').filter(Boolean)) {
      const name = decodeEntry(segment).toString('utf8');
      if (name.startsWith('.') || name.includes('\ufffd')) return undefined;
      rules = this.#access.enter(rules, name);
      path = join(path, name);
    }
    return { path, rules };
  }

  /** Whether a real path lies in the published folders, and in no hidden one. */
  async isInside(path: string | Buffer): Promise<boolean> {
    if (this.#allowed.length === 0)
      this.#allowed = await Promise.all(
        this.#roots.map((root) => realpath(root.path).catch(() => root.path)),
      );
    const real = await realpath(path).catch(() => undefined);
    if (real === undefined) return false;
    return this.#allowed.some(
      (root) =>
        real === root ||
        (real.startsWith(root + sep) &&
          !real
            .slice(root.length)
            .split(sep)
            .some((part) => part.startsWith('.'))),
    );
  }

  async *#open(
    path: string,
    entry: string,
    rules: FolderRules,
    stack: readonly Frame[],
  ): AsyncGenerator<WalkEvent, Frame | undefined> {
    try {
      const realPath = await realpath(path);
      // A link that leads back up would never end.
      if (stack.some((frame) => frame.realPath === realPath)) return undefined;
      // Before it is listed: who watches it from then on misses nothing in between.
      yield { kind: 'folder', entry, path };
      const children = await this.#list(path, entry);
      const names = new Set(
        children.filter((child) => !child.entry.endsWith('/')).map((child) => child.name),
      );
      const index = this.#access.indexNames(rules).find((name) => names.has(name));
      return { entry, path, realPath, rules, index, children, next: 0 };
    } catch (error) {
      const mounted = this.#mountedBelow(entry);
      if (isMissing(error) && mounted.length > 0)
        return { entry, path, realPath: path, rules, index: undefined, children: mounted, next: 0 };
      yield { kind: 'lost', entry, reason: codeOf(error) };
      return undefined;
    }
  }

  async #list(path: string, entry: string): Promise<Child[]> {
    const children: Child[] = [];
    const add = async (
      name: string,
      bytes: Buffer | undefined,
      kind: { isDirectory(): boolean; isFile(): boolean; isSymbolicLink(): boolean },
    ) => {
      if (name.startsWith('.')) return;
      const isLink = kind.isSymbolicLink();
      const target = isLink
        ? await stat(bytes ? Buffer.concat([Buffer.from(`${path}/`), bytes]) : join(path, name)).catch(
            () => undefined,
          )
        : kind;
      if (!target || !(target.isDirectory() || target.isFile())) return;
      const encoded = entry + (bytes ? encodeSegment(bytes) : encodeText(name));
      children.push({
        entry: target.isDirectory() ? `${encoded}/` : encoded,
        name,
        isLink,
        ...(bytes && { bytes }),
      });
    };
    let odd = false;
    for await (const item of await opendir(path, { bufferSize: 256 })) {
      if (item.name.includes('\ufffd')) odd = true;
      else await add(item.name, undefined, item);
    }
    if (odd) {
      for (const item of await readdir(path, { withFileTypes: true, encoding: 'buffer' })) {
        const name = item.name.toString('utf8');
        if (name.includes('\ufffd')) await add(name, item.name, item);
      }
    }
    const mounted = this.#mountedBelow(entry);
    const plain = (child: Child) => child.entry.replace(/\/$/, '');
    const shadowed = new Set(mounted.filter(({ mount }) => mount).map(plain));
    const visible = shadowed.size > 0 ? children.filter((child) => !shadowed.has(plain(child))) : children;
    const present = new Set(mounted.length > 0 ? visible.map(plain) : []);
    return [...visible, ...mounted.filter((child) => !present.has(plain(child)))].sort((a, b) =>
      a.entry < b.entry ? -1 : a.entry > b.entry ? 1 : 0,
    );
  }

  /** Aliases right below a folder, and the folders on the way to deeper ones. */
  #mountedBelow(entry: string): Child[] {
    const found = new Map<string, Child>();
    for (const mount of this.#roots) {
      if (mount.entry === '' || mount.entry === entry || !mount.entry.startsWith(entry)) continue;
      const [segment = '', ...deeper] = mount.entry.slice(entry.length).split('/');
      const isHere = deeper.every((part) => part === '');
      const child = entry + segment + (deeper.length > 0 ? '/' : '');
      if (isHere || !found.has(child))
        found.set(child, {
          entry: child,
          name: decodeEntry(segment).toString('utf8'),
          isLink: false,
          ...(isHere && { mount }),
        });
    }
    return [...found.values()];
  }

  async #enter(
    frame: Frame,
    child: Child,
    stack: readonly Frame[],
  ): Promise<{ path: string; rules: FolderRules } | undefined> {
    if (child.mount) return { path: child.mount.path, rules: this.#access.enterMount(child.mount.path) };
    // Folders whose names are no UTF-8 cannot be named in the server's rules either.
    if (child.bytes) return undefined;
    const path = join(frame.path, child.name);
    if (child.isLink && (!frame.rules.followLinks || !(await this.isInside(path)))) return undefined;
    return stack.length >= MAX_DEPTH
      ? undefined
      : { path, rules: this.#access.enter(frame.rules, child.name) };
  }

  /** The facts of the next files in a row, asked for together. */
  async *#files(frame: Frame): AsyncGenerator<FoundFile> {
    const batch: Child[] = [];
    while (batch.length < AT_ONCE) {
      const child = frame.children[frame.next];
      if (!child || child.entry.endsWith('/')) break;
      batch.push(child);
      frame.next++;
    }
    const found = await Promise.all(batch.map((child) => this.#look(frame, child)));
    for (const file of found) if (file) yield file;
  }

  async #look(frame: Frame, child: Child): Promise<FoundFile | undefined> {
    const path =
      child.mount?.path ??
      (child.bytes
        ? Buffer.concat([Buffer.from(`${frame.path}/`), child.bytes])
        : join(frame.path, child.name));
    if (child.isLink && !(await this.isInside(path))) return undefined;
    const facts = await (child.isLink || child.mount ? stat(path) : lstat(path)).catch(() => undefined);
    if (!facts?.isFile()) return undefined;
    return {
      kind: 'file',
      entry: child.entry,
      name: child.name,
      path,
      size: facts.size,
      mtimeMs: facts.mtimeMs,
      ino: facts.ino,
      isLink: child.isLink,
      isIndex: child.name === frame.index,
      rules: child.mount ? this.#access.enterMount(join(path.toString(), '..')) : frame.rules,
    };
  }
}

const codeOf = (error: unknown): string =>
  error instanceof Error && 'code' in error ? String(error.code) : String(error);

const isMissing = (error: unknown): boolean => codeOf(error) === 'ENOENT';
