/** The source files as text, and who imports whom. */
import { globSync, readFileSync } from 'node:fs';
import { posix } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Text by path relative to the project's root, with forward slashes. */
export type SourceTree = ReadonlyMap<string, string>;

const root = fileURLToPath(new URL('..', import.meta.url));

export function readSourceTree(): SourceTree {
  const paths = globSync('{src,test,scripts,bench,demo}/**/*.ts', { cwd: root });
  return new Map(
    paths.map((path) => [path.replaceAll('\\', '/'), readFileSync(posix.join(root, path), 'utf8')] as const),
  );
}

export interface Import {
  /** Path relative to the root; undefined for packages and Node's own modules. */
  readonly target: string | undefined;
  readonly typeOnly: boolean;
}

const IMPORTS = [
  /^\s*(?<clause>(?:import|export)\b[^'"`;]*?)\bfrom\s*['"](?<target>[^'"]+)['"]/gm,
  /^\s*(?<clause>import)\s*['"](?<target>[^'"]+)['"]/gm,
  /\b(?<clause>import)\(\s*['"](?<target>[^'"]+)['"]/g,
];

export function listImports(path: string, text: string): Import[] {
  return IMPORTS.flatMap((pattern) =>
    [...text.matchAll(pattern)].map(({ groups }) => {
      const { clause = '', target = '' } = groups ?? {};
      const isOurs = target.startsWith('.');
      return {
        target: isOurs ? posix.join(posix.dirname(path), target) : undefined,
        typeOnly: /^(?:import|export)\s+type\b/.test(clause),
      };
    }),
  );
}

/** Rings of modules that need each other to load; types are no need. */
export function findCycles(tree: SourceTree): string[][] {
  const cycles: string[][] = [];
  const done = new Set<string>();
  const visit = (path: string, trail: readonly string[]): void => {
    const start = trail.indexOf(path);
    if (start >= 0) cycles.push([...trail.slice(start), path]);
    if (start >= 0 || done.has(path)) return;
    for (const { target, typeOnly } of listImports(path, tree.get(path) ?? ''))
      if (target !== undefined && !typeOnly) visit(target, [...trail, path]);
    done.add(path);
  };
  for (const path of tree.keys()) visit(path, []);
  return cycles;
}
