/** How much an archive may unpack to. Reading is streamed, so these guard time and nonsense, not memory. */
export interface ArchiveLimits {
  readonly maxEntries: number;
  /** Unpacked bytes of one entry. */
  readonly maxEntryBytes: number;
  /** Unpacked bytes of a whole archive. */
  readonly maxArchiveBytes: number;
  /** Unpacked ÷ packed. Dense XML reaches 60; deflate cannot exceed 1,032. */
  readonly maxRatio: number;
  /** The ratio counts only above this many unpacked bytes: tiny files compress absurdly well. */
  readonly ratioFloorBytes: number;
}

const GiB = 2 ** 30;

export const ARCHIVE_LIMITS: ArchiveLimits = {
  maxEntries: 5_000_000,
  maxEntryBytes: 16 * GiB,
  maxArchiveBytes: 256 * GiB,
  maxRatio: 250,
  ratioFloorBytes: 64 * 2 ** 20,
};

/** Says what is wrong with so many bytes out of so few, or undefined. */
export function findExcess(unpacked: number, packed: number, limits: ArchiveLimits): string | undefined {
  if (unpacked > limits.maxArchiveBytes) return `unpacks to more than ${limits.maxArchiveBytes} bytes`;
  if (unpacked > limits.ratioFloorBytes && unpacked > packed * limits.maxRatio)
    return `unpacks to more than ${limits.maxRatio} times its size`;
  return undefined;
}
