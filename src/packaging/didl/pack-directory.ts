/**
 * The downloaded directory of one URL as tar.gz: its file, and when it is a page the files that it is shown with,
 * each without codings and unchanged, at the path that its URL gives it. The same captures give the same bytes, by
 * value and by reference.
 */
import { createHash } from 'node:crypto';
import { asGarnerError } from '../../core/errors.ts';
import type { HttpHeader } from '../../formats/http-header.ts';
import type { StoredCapture } from '../../store/index.ts';
import { collecting } from '../collecting.ts';
import { type DeflatedPart, deflateHeld, gzipOf } from '../gzip-parts.ts';
import { END_OF_TAR } from '../tar.ts';
import { createFileNames } from './file-names.ts';
import type { FileFacts, FilePacker, FileToPack } from './pack-file.ts';

export interface PackedFile {
  readonly name: string;
  readonly capture: StoredCapture;
  readonly size: number;
  /** Hex. */
  readonly sha256: string;
}

export interface PackedDirectory {
  /** Of the tar.gz. */
  readonly size: number;
  /** Hex. */
  readonly sha256: string;
  /** The file of the URL first. */
  readonly files: readonly PackedFile[];
  /** Of the answer for the URL. */
  readonly headers: readonly HttpHeader[];
  /** May be called again. */
  open(): AsyncIterable<Uint8Array>;
}

export const PACKED_TYPE = 'application/gzip';

/** The file of the URL first. */
type Captures = readonly [StoredCapture, ...StoredCapture[]];

/** Fails when the file of the URL cannot be read; of the others those are left out. */
export async function packDirectory(packFile: FilePacker, captures: Captures): Promise<PackedDirectory> {
  try {
    return await pack(packFile, captures, true);
  } catch (thrown) {
    // A record that was cut off has less than it says; then all contents are measured.
    if (asGarnerError(thrown).code !== 'archive.record') throw thrown;
    return pack(packFile, captures, false);
  }
}

async function pack(packFile: FilePacker, captures: Captures, believes: boolean): Promise<PackedDirectory> {
  const nameOf = createFileNames();
  const [own] = captures;
  const files: FileToPack[] = [];
  for (const capture of captures)
    try {
      files.push(await packFile(capture, nameOf(capture), believes));
    } catch (thrown) {
      if (capture === own || !/^(?:archive|source)\./.test(asGarnerError(thrown).code)) throw thrown;
    }
  const facts: FileFacts[] = [];
  const hash = createHash('sha256');
  let size = 0;
  for await (const chunk of collecting(tarGzOf(files, facts))) {
    hash.update(chunk);
    size += chunk.length;
  }
  return {
    size,
    sha256: hash.digest('hex'),
    files: files.map(({ name, capture, size }, index) => ({
      name,
      capture,
      size,
      sha256: facts[index]?.sha256 ?? '',
    })),
    headers: facts[0]?.headers ?? [],
    open: () => tarGzOf(files, []),
  };
}

const END = await deflateHeld(END_OF_TAR);

async function* end(): DeflatedPart {
  yield END.deflated;
  return END;
}

/** `facts`: what became known of each file while it passed. */
function tarGzOf(files: readonly FileToPack[], facts: FileFacts[]): AsyncIterable<Uint8Array> {
  const parts = files.map(
    ({ open }) =>
      async function* (): DeflatedPart {
        const found = yield* open();
        facts.push(found);
        return found;
      },
  );
  return gzipOf([...parts, end]);
}
