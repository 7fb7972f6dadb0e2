/** Files that stay open while many records are read from them; whoever reads does not close them. */
import { type ByteSource, openFile } from './byte-source.ts';

export interface OpenFiles extends AsyncDisposable {
  /** Undefined when as many as may are open already. */
  find(path: string): Promise<ByteSource> | undefined;
}

export function keepFilesOpen(most: number): OpenFiles {
  const files = new Map<string, Promise<ByteSource>>();
  return {
    find(path) {
      const known = files.get(path);
      if (known || files.size >= most) return known;
      const opened = openFile(path);
      files.set(path, opened);
      // One that cannot be opened is tried again; who asked for it hears of it.
      opened.catch(() => files.delete(path));
      return opened;
    },
    async [Symbol.asyncDispose]() {
      for (const opened of await Promise.allSettled(files.values()))
        if (opened.status === 'fulfilled') await opened.value.close();
    },
  };
}
