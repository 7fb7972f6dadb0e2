/** One capture as a file of the site: what it is, what it says, what it refers to. Never fails for what it holds. */
import { createHash, hash } from 'node:crypto';
import { CONTENT_LIMITS, type ContentReading, type Link, readContent } from '../../archive/content/index.ts';
import { type ArchiveRecord, type HeaderList, type OpenFiles, UNPACK_LIMITS } from '../../archive/index.ts';
import { describeCapture, identifierOf, openCapture } from '../../archive/items/index.ts';
import type { Viewer } from '../../core/access.ts';
import { asGarnerError } from '../../core/errors.ts';
import type { RecordProblem } from '../../core/model.ts';
import type { CaptureIndex, StoredCapture } from '../../store/index.ts';
import { fileKind } from './file-kind.ts';
import type { ModelFile } from './model-types.ts';

export interface ContentAccess {
  readonly captures: Pick<CaptureIndex, 'resolveRevisit'>;
  readonly dataFolder: string;
  readonly files?: OpenFiles;
}

export interface ReadFile {
  readonly file: Omit<ModelFile, 'key' | 'depth'>;
  readonly links: readonly Link[];
}

export async function readFile(
  access: ContentAccess,
  capture: StoredCapture,
  viewer: Viewer,
): Promise<ReadFile> {
  const url = identifierOf(capture.url);
  const known = {
    url,
    capturedAt: capture.at,
    captureType: capture.type,
    ...(capture.status !== undefined && { status: capture.status }),
    ...(capture.digest !== undefined && { payloadDigest: capture.digest }),
    ...(capture.recordId !== undefined && { recordId: capture.recordId }),
  };
  let headers: HeaderList = [];
  let stored: ModelFile['stored'];
  try {
    const { record, http, original } = await openCapture(access, capture, viewer);
    const { file, offset } = original ?? capture;
    if (file !== undefined && offset !== undefined) stored = { file, offset };
    const own = record.header('Content-Type');
    headers = http?.headers ?? (own === undefined ? [] : [['Content-Type', own] as const]);
    const { bytes, size, sha256, problems } = await digestContent(record);
    const reading = await readContent({ url, bytes, headers });
    return {
      file: {
        ...known,
        kind: fileKind(reading.type.type, capture.status),
        mediaType: reading.type.type,
        headers,
        size,
        sha256,
        ...(stored && { stored }),
        ...(original && { repeatsAt: original.at }),
        ...describe(capture, reading),
        problems: [...problems, ...reading.problems, ...unwritable(reading, headers)],
      },
      links: reading.links,
    };
  } catch (thrown) {
    const { code, message } = asGarnerError(thrown);
    if (!/^(?:archive|source|content)\./.test(code)) throw thrown;
    const { mediaType } = capture;
    return {
      file: {
        ...known,
        kind: fileKind(mediaType, capture.status),
        ...(mediaType !== undefined && { mediaType }),
        headers,
        ...(stored && { stored }),
        problems: [{ code, message }],
      },
      links: [],
    };
  }
}

/** With the u flag only surrogates without a partner match as such. */
const ILLEGAL_IN_XML = /[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff\ud800-\udfff]/gu;

/** Packages are XML, which cannot hold every character: those are replaced there, and counted here. */
function unwritable({ extracted, links }: ContentReading, headers: HeaderList): RecordProblem[] {
  let count = 0;
  const look = (text = ''): void => {
    count += text.match(ILLEGAL_IN_XML)?.length ?? 0;
  };
  look(extracted.title);
  for (const { anchor } of links) look(anchor);
  for (const [, value] of headers) look(value);
  if (count === 0) return [];
  return [
    { code: 'record.repaired', message: `${count} characters that XML cannot hold are replaced in packages` },
  ];
}

function describe(
  capture: StoredCapture,
  reading: ContentReading,
): Pick<ModelFile, 'charset' | 'language' | 'title' | 'described' | 'image'> {
  const { described } = describeCapture(capture, reading, undefined);
  const [language] = described.language ?? [];
  return {
    ...(reading.charset && { charset: reading.charset.encoding }),
    ...(language !== undefined && { language }),
    ...(described.title !== undefined && { title: described.title }),
    described,
    ...(reading.extracted.image && { image: reading.extracted.image }),
  };
}

interface DigestedContent {
  /** Of a large file only its beginning. */
  readonly bytes: Buffer;
  readonly size: number;
  readonly sha256: string;
  readonly problems: readonly RecordProblem[];
}

/** A page is read at once; a film goes by as a stream. Closes the record. */
async function digestContent(record: ArchiveRecord): Promise<DigestedContent> {
  try {
    if (record.whole) {
      const { bytes, problems } = await record.content();
      return {
        bytes,
        size: bytes.length,
        sha256: hash('sha256', bytes, 'hex'),
        problems: problems.map(bodyProblem),
      };
    }
    const report = { codings: [], problems: [] };
    const digest = createHash('sha256');
    const beginning: Buffer[] = [];
    let kept = 0;
    let size = 0;
    const unbounded = { ...UNPACK_LIMITS, maxBytes: Number.MAX_SAFE_INTEGER };
    for await (const part of record.contentStream(unbounded, report)) {
      digest.update(part);
      size += part.length;
      if (kept > CONTENT_LIMITS.bytes) continue;
      beginning.push(Buffer.from(part));
      kept += part.length;
    }
    return {
      bytes: Buffer.concat(beginning, kept),
      size,
      sha256: digest.digest('hex'),
      problems: report.problems.map(bodyProblem),
    };
  } finally {
    await record.close();
  }
}

const bodyProblem = (problem: string): RecordProblem => ({
  code: 'archive.damaged',
  message: `the body is not coded as its header says (${problem})`,
});
