/** Of a source that is withdrawn: what its crawls did and had still to do. The caller holds the lease. */
import { rm } from 'node:fs/promises';
import { frontierPath } from './progress.ts';

export async function forgetCrawls(dataFolder: string, source: string): Promise<void> {
  const path = frontierPath(dataFolder, source);
  for (const end of ['-wal', '-shm', '']) await rm(path + end, { force: true });
}
