/** Small documents beside the store: replaced whole, so that readers of other processes see one or the other. */
import { closeSync, fsyncSync, mkdirSync, openSync, readFileSync, renameSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';

export function writeWhole(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true });
  const draft = `${path}.${process.pid}`;
  const file = openSync(draft, 'w');
  try {
    writeSync(file, text);
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
  renameSync(draft, path);
}

export function findWhole(path: string): string | undefined {
  return unlessAbsent(() => readFileSync(path, 'utf8'), undefined);
}

export function unlessAbsent<T>(read: () => T, otherwise: T): T {
  try {
    return read();
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return otherwise;
    throw error;
  }
}
