/** Sites written out as they were: the newest of every file, byte by byte, at the path of its URL. */
import { createWriteStream } from 'node:fs';
import { mkdir, readdir, rm, utimes } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { headerValue, UNPACK_LIMITS } from '../../archive/index.ts';
import { openCapture } from '../../archive/items/index.ts';
import { sitePath } from '../../archive/items/site-path.ts';
import type { Viewer } from '../../core/access.ts';
import { asGarnerError, GarnerError } from '../../core/errors.ts';
import type { RecordProblem } from '../../core/model.ts';
import type { StoredCapture } from '../../store/index.ts';
import type { ExportDeps, ExportReport } from './export-warc.ts';
import type { ChosenPage } from './select-captures.ts';

/** Into a folder that is new or empty, so that nothing in it can lead elsewhere or be overwritten. */
export async function exportSite(
  deps: ExportDeps,
  pages: AsyncIterable<ChosenPage>,
  target: string,
  viewer: Viewer,
): Promise<ExportReport> {
  await mkdir(target, { recursive: true });
  if ((await readdir(target)).length > 0)
    throw new GarnerError(
      'usage.invalid',
      `${target} is not empty; a site is written into a folder of its own`,
    );
  const problems: RecordProblem[] = [];
  let count = 0;
  for await (const { url, captures, mediaType } of pages) {
    const newest = captures.findLast(({ status = 200 }) => status >= 200 && status < 300);
    try {
      if (!newest) throw new GarnerError('archive.record', 'there is no capture with a good answer');
      await writeCapture(deps, newest, join(target, ...sitePath(url, mediaType)), viewer);
      count++;
    } catch (thrown) {
      const { code, message } = asGarnerError(thrown);
      if (!/^(?:archive|source|record)\./.test(code)) throw thrown;
      problems.push({ code, message, identifier: url });
    }
  }
  if (count === 0 && problems.length === 0)
    throw new GarnerError('item.unknown', 'no capture fits, so that there is nothing to export');
  return { pages: count, captures: count, problems };
}

/** The payload as it was sent: a file that was packed stays packed. */
async function writeCapture(
  deps: ExportDeps,
  capture: StoredCapture,
  path: string,
  viewer: Viewer,
): Promise<void> {
  const access = { captures: deps.store.captures, dataFolder: deps.dataFolder };
  const { record, http } = await openCapture(access, capture, viewer);
  let isOurs = false;
  try {
    await mkdir(dirname(path), { recursive: true });
    const file = createWriteStream(path, { flags: 'wx' });
    file.once('open', () => {
      isOurs = true;
    });
    await pipeline(record.payloadStream({ ...UNPACK_LIMITS, maxBytes: Number.MAX_SAFE_INTEGER }), file);
  } catch (thrown) {
    if (isOurs) await rm(path, { force: true });
    if (isTaken(thrown))
      throw new GarnerError('record.duplicate', 'another URL has a file or folder of the same name', {
        cause: thrown,
      });
    throw thrown;
  } finally {
    await record.close();
  }
  const modified = Date.parse(headerValue(http?.headers ?? [], 'Last-Modified') ?? '');
  const seconds = (Number.isNaN(modified) ? capture.at : modified) / 1000;
  await utimes(path, seconds, seconds);
}

const isTaken = (thrown: unknown): boolean =>
  thrown instanceof Error &&
  'code' in thrown &&
  ['EEXIST', 'EISDIR', 'ENOTDIR'].includes(String(thrown.code));
