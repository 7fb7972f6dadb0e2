/** From a line of the capture index to the bytes: its own record, and for a revisit the one with the payload. */
import type { Viewer } from '../../core/access.ts';
import { GarnerError } from '../../core/errors.ts';
import type { CaptureIndex, StoredCapture } from '../../store/captures.ts';
import type { OpenFiles } from '../bytes/open-files.ts';
import type { HttpMessage } from '../http/http-message.ts';
import type { ArchiveRecord } from '../read/archive-record.ts';
import { readRecordAt } from '../read/read-record-at.ts';
import { archiveFolder, archivePath } from './archive-folder.ts';

export interface CaptureAccess {
  readonly captures: Pick<CaptureIndex, 'resolveRevisit'>;
  readonly dataFolder: string;
  /** Archive files that are open already, for those who read many records. */
  readonly files?: OpenFiles;
}

export interface OpenedCapture {
  readonly capture: StoredCapture;
  /** Has the payload; to be read once, or closed. */
  readonly record: ArchiveRecord;
  /** Of the answer at that time: a revisit may have one of its own. */
  readonly http?: HttpMessage;
  /** The capture whose payload a revisit repeats. */
  readonly original?: StoredCapture;
}

/** `archive.record` when the record is not here, or nothing here has the payload that a revisit repeats. */
export async function openCapture(
  access: CaptureAccess,
  capture: StoredCapture,
  viewer: Viewer,
): Promise<OpenedCapture> {
  const own = await readStored(access, capture);
  if (capture.type !== 'revisit') return { capture, record: own, ...(own.http && { http: own.http }) };
  await own.close();
  const resolved = await access.captures.resolveRevisit(capture, viewer);
  if (!resolved)
    throw new GarnerError(
      'archive.record',
      `the capture of ${capture.url} repeats the content of another one, which is not here`,
      { details: { url: capture.url } },
    );
  const record = await readStored(access, resolved.capture);
  // The header of a 304 says nothing of the content.
  const http = own.http && own.http.status !== 304 ? own.http : record.http;
  return { capture, record, original: resolved.capture, ...(http && { http }) };
}

export async function readStored(
  { dataFolder, files }: Pick<CaptureAccess, 'dataFolder' | 'files'>,
  { source, file, offset, inner, length, url }: StoredCapture,
): Promise<ArchiveRecord> {
  if (file === undefined || offset === undefined)
    throw new GarnerError('archive.record', `of the capture of ${url} only the index is here`, {
      details: { url },
    });
  const path = archivePath(archiveFolder(dataFolder, source), file);
  return readRecordAt((await files?.find(path)) ?? path, offset, {
    ...(inner !== undefined && { inner }),
    ...(length !== undefined && { length }),
  });
}
