/** What the archive files of a harvest say of themselves: crawler, operator, job. */
import { stat } from 'node:fs/promises';
import { readRecordAt } from '../../archive/index.ts';
import { archiveFolder, archivePath } from '../../archive/items/index.ts';
import { asGarnerError } from '../../core/errors.ts';
import type { ArchiveFacts } from './model-types.ts';

const MAX_FILES = 1000;
const MAX_INFO_BYTES = 64 * 1024;
const FIELD = /^([A-Za-z][\w-]*):\s*(.*)$/;

export async function readArchiveFacts(
  dataFolder: string,
  source: string,
  files: readonly string[],
): Promise<ArchiveFacts[]> {
  const facts: ArchiveFacts[] = [];
  for (const file of files.slice(0, MAX_FILES)) {
    try {
      const path = archivePath(archiveFolder(dataFolder, source), file);
      const { size } = await stat(path);
      facts.push({ file, size, info: await readInfo(path) });
    } catch (thrown) {
      // A file that is not here any more is still named.
      if (!isAbsent(thrown) && !/^(?:archive|source)\./.test(asGarnerError(thrown).code)) throw thrown;
      facts.push({ file, info: [] });
    }
  }
  return facts;
}

async function readInfo(path: string): Promise<ArchiveFacts['info']> {
  const record = await readRecordAt(path, 0);
  try {
    if (record.type !== 'warcinfo' && record.type !== 'filedesc') return [];
    const text = record.blockHead.toString('utf8', 0, MAX_INFO_BYTES);
    return text.split(/\r?\n/).flatMap((line) => {
      const [, name, value] = FIELD.exec(line) ?? [];
      return name === undefined || !value ? [] : [[name, value] as const];
    });
  } finally {
    await record.close();
  }
}

const isAbsent = (thrown: unknown): boolean =>
  thrown instanceof Error && 'code' in thrown && thrown.code === 'ENOENT';
