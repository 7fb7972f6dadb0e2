/** Whether what crawls have still to do is whole, and fits the archive files. */
import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { archiveFolder, archivePath } from '../archive/items/index.ts';
import { asGarnerError } from '../core/errors.ts';
import type { StoreFinding } from '../store/admin.ts';
import { frontierPath } from './progress.ts';

const EXTENSION = '.sqlite';

export function verifyFrontiers(dataFolder: string): StoreFinding[] {
  const folder = join(dataFolder, 'crawl');
  if (!existsSync(folder)) return [];
  return readdirSync(folder)
    .filter((name) => name.endsWith(EXTENSION))
    .flatMap((name) => verifyFrontier(dataFolder, name.slice(0, -EXTENSION.length)));
}

function verifyFrontier(dataFolder: string, source: string): StoreFinding[] {
  const path = frontierPath(dataFolder, source);
  const where = `crawl of ${source}`;
  try {
    const db = new DatabaseSync(path, { readOnly: true, timeout: 10_000 });
    try {
      const found = db.prepare('PRAGMA quick_check(1)').get()?.quick_check;
      if (found !== 'ok') return [{ where, what: String(found) }];
      return db
        .prepare('SELECT name, end FROM archive_file ORDER BY name')
        .all()
        .flatMap((row) => {
          const what = checkFile(archiveFolder(dataFolder, source), String(row.name), Number(row.end));
          return what === undefined ? [] : [{ where: `${where}, ${String(row.name)}`, what }];
        });
    } finally {
      db.close();
    }
  } catch (error) {
    return [{ where, what: asGarnerError(error).message }];
  }
}

function checkFile(folder: string, name: string, end: number): string | undefined {
  const facts = statSync(archivePath(folder, name), { throwIfNoEntry: false });
  if (!facts) return 'the archive file is gone';
  return facts.size < end
    ? `the archive file ends at ${facts.size}, before its last capture (${end})`
    : undefined;
}
