/** Files that are on disk when the call returns: synced themselves, and their names in their folder. */
import { closeSync, fsyncSync, openSync, renameSync } from 'node:fs';
import { dirname } from 'node:path';

function syncFile(path: string, flags: 'r' | 'r+'): void {
  const file = openSync(path, flags);
  try {
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}

export function syncFolder(path: string): void {
  // Windows keeps names safe by itself and opens no folders.
  if (process.platform !== 'win32') syncFile(path, 'r');
}

/** `temporary` takes the place of `path`, in whole or not at all. */
export function moveIntoPlace(temporary: string, path: string): void {
  syncFile(temporary, 'r+');
  renameSync(temporary, path);
  syncFolder(dirname(path));
}
