/** The files inside a zip, by its central directory. */
import { type Entry, getFileNameLowLevel, openPromise, type ZipFile } from 'yauzl';
import { GarnerError } from '../../core/errors.ts';
import type { UnreadEntry } from './entry.ts';
import { normaliseInnerName } from './entry-name.ts';
import { type ArchiveLimits, findExcess } from './limits.ts';

/** Bits 12–15 of the Unix mode, which stands in the upper half of the external attributes: a symbolic link. */
const S_IFMT = 0o170000;
const S_IFLNK = 0o120000;

export interface ArchiveMember {
  readonly inner: string;
  /** Why its bytes must not be read: a bomb, a cipher. */
  readonly refusal?: string;
  readonly kind: 'file' | 'link';
  readonly file: Pick<UnreadEntry, 'size' | 'modifiedAt' | 'open'>;
}

export async function* listZip(path: string, limits: ArchiveLimits): AsyncGenerator<ArchiveMember> {
  // Names are decoded here, since yauzl gives up the whole archive over one bad name.
  const zip = await openPromise(path, { lazyEntries: true, autoClose: false, decodeStrings: false });
  try {
    let count = 0;
    let unpacked = 0;
    for await (const entry of zip.eachEntry()) {
      const inner = normaliseInnerName(
        getFileNameLowLevel(entry.generalPurposeBitFlag, entry.fileNameRaw, entry.extraFields, false),
      );
      if (inner.endsWith('/')) continue;
      unpacked += entry.uncompressedSize;
      const excess =
        ++count > limits.maxEntries
          ? `holds more than ${limits.maxEntries} files`
          : findExcess(unpacked, zip.fileSize, limits);
      if (excess) throw new GarnerError('archive.unsafe', `the archive ${excess}`);
      yield describeMember(zip, entry, inner, limits);
    }
  } finally {
    zip.close();
  }
}

function describeMember(zip: ZipFile, entry: Entry, inner: string, limits: ArchiveLimits): ArchiveMember {
  const refusal = findRefusal(entry, limits);
  return {
    inner,
    kind: ((entry.externalFileAttributes >>> 16) & S_IFMT) === S_IFLNK ? 'link' : 'file',
    ...(refusal && { refusal }),
    file: {
      size: entry.uncompressedSize,
      modifiedAt: entry.getLastModDate({ timezone: 'UTC' }).getTime(),
      open: () => readMember(zip, entry),
    },
  };
}

/** The sizes are declared ones, but yauzl stops an entry that yields more than it declares. */
function findRefusal(entry: Entry, limits: ArchiveLimits): string | undefined {
  if (entry.uncompressedSize > limits.maxEntryBytes)
    return `unpacks to more than ${limits.maxEntryBytes} bytes`;
  return findExcess(entry.uncompressedSize, entry.compressedSize, limits);
}

async function* readMember(zip: ZipFile, entry: Entry): AsyncGenerator<Uint8Array> {
  const stream = await zip.openReadStreamPromise(entry);
  try {
    for await (const chunk of stream as AsyncIterable<Buffer>) yield chunk;
  } finally {
    stream.destroy();
  }
}
