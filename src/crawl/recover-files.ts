/** After a crash: archive files are cut back to what the frontier knows of them. */
import { readdir, rm, stat, truncate } from 'node:fs/promises';
import { join } from 'node:path';

/**
 * What lies behind was written after the last commit: no index mentions it, its URLs are still queued and
 * will be fetched again. Only files of this job (by their prefix) are touched.
 */
export async function recoverFiles(
  folder: string,
  prefix: string,
  known: readonly { readonly name: string; readonly end: number }[],
): Promise<void> {
  const names = await readdir(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return [];
    throw error;
  });
  for (const name of names) {
    if (name.startsWith('.fetch-')) await rm(join(folder, name), { force: true });
    if (!name.startsWith(`${prefix}-`)) continue;
    const end = known.find((file) => file.name === name)?.end;
    if (end === undefined) await rm(join(folder, name));
    else if ((await stat(join(folder, name))).size > end) await truncate(join(folder, name), end);
  }
}
