/**
 * What the store remembers of a file, so that a scan reads only what changed. It stands in the `digest` of
 * the source's entry, which only the source itself reads.
 */
import { hash } from 'node:crypto';
import type { AccessRule } from '../../core/access.ts';
import { writeRule } from '../../core/access-match.ts';
import type { Instant } from '../../core/model.ts';
import type { EntryState } from '../../store/index.ts';

/** Counts up when records are made in another way, so that all are made anew. */
const MAKING = 1;

export interface FileState {
  readonly entry: string;
  readonly sha256: string;
  readonly size: number;
  readonly mtimeMs: number;
  readonly ino: number;
  readonly isIndex: boolean;
  /** See `accessStamp`. */
  readonly access: string;
  /** See `settingsStamp`. */
  readonly settings: string;
  /** When the bytes are looked at again whatever the file system says. */
  readonly redigestAt: Instant;
}

export const accessStamp = (rule: AccessRule): string => hash('sha256', writeRule(rule), 'hex').slice(0, 10);

export const settingsStamp = (baseUrl: string): string =>
  hash('sha256', `${MAKING} ${baseUrl}`, 'hex').slice(0, 10);

export function writeState(state: FileState): EntryState {
  const { entry, sha256, size, mtimeMs, ino, isIndex, access, settings, redigestAt } = state;
  return {
    entry,
    digest: [sha256, ino, mtimeMs, isIndex ? 'i' : '-', access, settings, redigestAt].join(' '),
    size,
    modifiedAt: Math.floor(mtimeMs),
  };
}

export function readState({ entry, digest, size }: EntryState): FileState {
  const [sha256 = '', ino, mtimeMs, index, access = '', settings = '', redigestAt] = digest.split(' ');
  return {
    entry,
    sha256,
    size,
    mtimeMs: Number(mtimeMs),
    ino: Number(ino),
    isIndex: index === 'i',
    access,
    settings,
    redigestAt: Number(redigestAt),
  };
}

export function isUnchanged(
  known: FileState,
  now: Omit<FileState, 'entry' | 'sha256' | 'redigestAt'>,
  at: Instant,
): boolean {
  return (
    known.size === now.size &&
    known.mtimeMs === now.mtimeMs &&
    known.ino === now.ino &&
    known.isIndex === now.isIndex &&
    known.access === now.access &&
    known.settings === now.settings &&
    at < known.redigestAt
  );
}
