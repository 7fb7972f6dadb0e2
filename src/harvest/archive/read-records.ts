/** One WARC or ARC file that lies in the archive folder, record by record, from where an earlier run stopped. */

import type { ContentReading, PdfReader } from '../../archive/content/index.ts';
import { type ArchiveRecord, captureOf, type Damage, readArchive } from '../../archive/index.ts';
import { isVersion, placeOf, readRecordContent } from '../../archive/items/index.ts';
import { asGarnerError } from '../../core/errors.ts';
import type { CaptureEntry } from '../../store/index.ts';
import type { ArchiveIntake } from './archive-intake.ts';
import type { KeptFile } from './keep-file.ts';

/** Decompressing in a thread pays for itself from here on. */
const AHEAD_BYTES = 32 << 20;

export interface FilePlace {
  readonly offset: number;
  readonly inner?: number;
}

export interface ReadDeps {
  readonly pdf: PdfReader;
  readonly stopped: () => boolean;
  /** Commits what has gathered; all before that place is in it. */
  readonly flush: (place: FilePlace) => Promise<void>;
}

/** False when it was stopped before the end. */
export async function readRecords(
  file: KeptFile,
  start: FilePlace | undefined,
  intake: ArchiveIntake,
  deps: ReadDeps,
): Promise<boolean> {
  intake.capturedBy = await readCrawler(file);
  const before = intake.progress.bytesRead;
  // The length of a streamed record is known only when the next one is asked for.
  let finish: (() => void) | undefined;
  const options = { verify: true, ahead: file.size > AHEAD_BYTES, ...startOptions(start) };
  for await (const event of readArchive(file.path, options)) {
    finish?.();
    finish = undefined;
    if (event.kind === 'damage') {
      noteDamage(intake, file, event);
      continue;
    }
    intake.progress.bytesRead = before + event.stored.offset;
    const { offset, inner } = event.stored;
    if (intake.isFull || deps.stopped()) await deps.flush({ offset, ...(inner !== undefined && { inner }) });
    if (deps.stopped()) {
      await event.close();
      return false;
    }
    const known = captureOf(event, file.name);
    if (!known) continue;
    const reading = await readWanted(event, known, intake, deps.pdf);
    if (event.whole) takeIn(event, known, reading, intake);
    else finish = () => takeIn(event, { ...known, ...event.stored }, reading, intake);
  }
  finish?.();
  intake.progress.bytesRead = before + file.size;
  return true;
}

const startOptions = (start: FilePlace | undefined) =>
  start ? { start: start.offset, ...(start.inner !== undefined && { inner: start.inner }) } : {};

async function readWanted(
  record: ArchiveRecord,
  capture: CaptureEntry,
  intake: ArchiveIntake,
  pdf: PdfReader,
): Promise<ContentReading | undefined> {
  if (!isVersion(capture)) return undefined;
  try {
    return await readRecordContent(record, pdf);
  } catch (thrown) {
    const { code, message } = asGarnerError(thrown);
    if (code === 'internal.bug') throw thrown;
    intake.note({ code, message, where: placeOf(capture), identifier: capture.url });
    return undefined;
  }
}

function takeIn(
  record: ArchiveRecord,
  capture: CaptureEntry,
  reading: ContentReading | undefined,
  intake: ArchiveIntake,
): void {
  for (const { field, result, declared } of record.verdicts ?? []) {
    if (result !== 'wrong') continue;
    intake.noteDamage({
      code: 'archive.digest',
      message: `${field} is ${declared}, the bytes have another one`,
      where: placeOf(capture),
      identifier: capture.url,
    });
  }
  intake.add(capture, reading);
}

function noteDamage(intake: ArchiveIntake, file: KeptFile, { reason, offset, inner, message }: Damage): void {
  const where = `${file.name}@${offset}${inner === undefined ? '' : `+${inner}`}`;
  const problem = { code: 'archive.damaged', message: `${reason}: ${message}`, where };
  // Unevenly packed records are all there; reading one of them alone only takes longer.
  if (reason === 'packing') intake.note(problem);
  else intake.noteDamage(problem);
}

/** As the first record of a WARC file tells it. */
async function readCrawler(file: KeptFile): Promise<string | undefined> {
  for await (const event of readArchive(file.path)) {
    if (event.kind === 'damage') continue;
    if (event.type !== 'warcinfo' || !event.whole) return undefined;
    const text = event.whole.toString('utf8');
    const parts = ['software', 'operator'].flatMap((name) => {
      const value = new RegExp(`^${name}:[ \\t]*(.+?)\\r?$`, 'im').exec(text)?.[1];
      return value === undefined ? [] : [value.slice(0, 200)];
    });
    return parts.length > 0 ? parts.join('; ') : undefined;
  }
  return undefined;
}
