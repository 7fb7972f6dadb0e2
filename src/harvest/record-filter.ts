/** A source's filters: which records are kept, by XPaths over what would be indexed. */
import { type CompiledPath, compilePath } from '../xml/engine.ts';
import type { PathReader } from '../xml/record-document.ts';

export interface RecordFilter {
  /** The prefixes are those of the record's format. */
  accepts(document: PathReader, namespaces: Readonly<Record<string, string>>): boolean;
}

/** Kept is what fulfils one of `accept` (if there are any) and none of `deny`. */
export function createRecordFilter(paths: {
  readonly accept?: readonly string[] | undefined;
  readonly deny?: readonly string[] | undefined;
}): RecordFilter {
  const compiled = new WeakMap<object, { accept: CompiledPath[]; deny: CompiledPath[] }>();
  const compileFor = (namespaces: Readonly<Record<string, string>>) => {
    let known = compiled.get(namespaces);
    if (!known) {
      known = {
        accept: (paths.accept ?? []).map((path) => compilePath(path, namespaces)),
        deny: (paths.deny ?? []).map((path) => compilePath(path, namespaces)),
      };
      compiled.set(namespaces, known);
    }
    return known;
  };
  return {
    accepts(document, namespaces) {
      const { accept, deny } = compileFor(namespaces);
      if (accept.length > 0 && !accept.some((path) => document.test(path))) return false;
      return !deny.some((path) => document.test(path));
    },
  };
}
