/**
 * Password files of AuthType Basic. A client who shows a valid name and password belongs to two groups of
 * viewers: `htpasswd:FILE` (any valid user of that file) and `htpasswd:FILE/NAME`.
 */
import { createHash, hash, timingSafeEqual } from 'node:crypto';
import { readFileSync, statSync } from 'node:fs';
import type { People } from './authorize.ts';
import { verifyApr1, verifyShaCrypt } from './password-hashes.ts';

interface PasswordFile {
  readonly stamp: string;
  readonly hashes: ReadonlyMap<string, string>;
}

export interface Passwords extends People {
  /** The groups of whoever shows this name and password; undefined when no file knows them. */
  groupsOf(user: string, password: string): readonly string[] | undefined;
}

const MAX_FILE_BYTES = 10 * 1024 * 1024;
const REMEMBERED = 256;

export function createPasswords(): Passwords {
  const files = new Map<string, PasswordFile>();
  /** Slow hashes are computed once per password: digests of what was shown, and what it was good for. */
  const remembered = new Map<string, readonly string[] | undefined>();

  const load = (path: string): PasswordFile | undefined => {
    const stats = statSync(path, { throwIfNoEntry: false });
    if (!stats?.isFile() || stats.size > MAX_FILE_BYTES) return undefined;
    const stamp = `${stats.mtimeMs} ${stats.size} ${stats.ino}`;
    const known = files.get(path);
    if (known?.stamp === stamp) return known;
    const read = { stamp, hashes: parsePasswords(readFileSync(path, 'utf8')) };
    files.set(path, read);
    remembered.clear();
    return read;
  };

  return {
    userGroup: (userFile, user) => {
      const file = load(userFile);
      if (!file) return undefined;
      if (user === undefined) return file.hashes.values().some(isSupported) ? groupName(userFile) : undefined;
      const stored = file.hashes.get(user);
      return stored !== undefined && isSupported(stored) ? groupName(userFile, user) : undefined;
    },
    membersOf: (groupFile, group) => {
      const stats = statSync(groupFile, { throwIfNoEntry: false });
      if (!stats?.isFile() || stats.size > MAX_FILE_BYTES) return undefined;
      return readFileSync(groupFile, 'utf8')
        .split(/\r?\n/)
        .filter((line) => line.slice(0, line.indexOf(':')).trim() === group)
        .flatMap((line) =>
          line
            .slice(line.indexOf(':') + 1)
            .trim()
            .split(/\s+/)
            .filter(Boolean),
        );
    },
    groupsOf: (user, password) => {
      for (const path of files.keys()) load(path);
      const key = createHash('sha256')
        .update(JSON.stringify([user, password]))
        .digest('hex');
      if (remembered.has(key)) return remembered.get(key);
      const groups = [...files].flatMap(([path, { hashes }]) => {
        const stored = hashes.get(user);
        return stored !== undefined && verifyPassword(password, stored)
          ? [groupName(path), groupName(path, user)]
          : [];
      });
      if (remembered.size >= REMEMBERED) remembered.clear();
      const answer = groups.length > 0 ? groups : undefined;
      remembered.set(key, answer);
      return answer;
    },
  };
}

/** The path itself is nobody's business: rules are shown to keepers. */
const groupName = (path: string, user?: string): string => {
  const file = `htpasswd:${hash('sha256', path, 'hex').slice(0, 12)}`;
  return user === undefined ? file : `${file}/${user}`;
};

function parsePasswords(text: string): Map<string, string> {
  const hashes = new Map<string, string>();
  for (const line of text.split(/\r?\n/)) {
    const [, user, stored] = /^([^:#][^:]*):([^:\s]+)/.exec(line) ?? [];
    if (user !== undefined && stored !== undefined) hashes.set(user, stored);
  }
  return hashes;
}

const isSupported = (stored: string): boolean => /^(?:\$apr1\$|\{SHA\}|\$5\$|\$6\$)/.test(stored);

export function verifyPassword(password: string, stored: string): boolean {
  if (stored.startsWith('{SHA}')) return equal(`{SHA}${hash('sha1', password, 'base64')}`, stored);
  if (stored.startsWith('$apr1$')) return equal(verifyApr1(password, stored), stored);
  if (/^\$[56]\$/.test(stored)) return equal(verifyShaCrypt(password, stored), stored);
  return false;
}

const equal = (a: string, b: string): boolean =>
  timingSafeEqual(hash('sha256', a, 'buffer'), hash('sha256', b, 'buffer'));
