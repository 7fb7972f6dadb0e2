/**
 * Password files of AuthType Basic. A client who shows a valid name and password belongs to two groups of
 * viewers: `htpasswd:FILE` (any valid user of that file) and `htpasswd:FILE/NAME`.
 */
import { createHash, hash } from 'node:crypto';
import { readFileSync, statSync } from 'node:fs';
import type { People } from './authorize.ts';
import { isKnownHash, verifyPassword } from './verify-password.ts';

interface PasswordFile {
  readonly stamp: string;
  readonly hashes: ReadonlyMap<string, string>;
}

export interface Passwords extends People {
  /** The groups of whoever shows this name and password; undefined when no file knows them. */
  groupsOf(user: string, password: string): Promise<readonly string[] | undefined>;
}

const MAX_FILE_BYTES = 10 * 1024 * 1024;
const REMEMBERED = 256;

export function createPasswords(): Passwords {
  const files = new Map<string, PasswordFile>();
  /** Slow hashes are computed once per password: digests of what was shown, and what it was good for. */
  const remembered = new Map<string, Promise<readonly string[] | undefined>>();

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
      if (user === undefined) return file.hashes.values().some(isKnownHash) ? groupName(userFile) : undefined;
      const stored = file.hashes.get(user);
      return stored !== undefined && isKnownHash(stored) ? groupName(userFile, user) : undefined;
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
    groupsOf: async (user, password) => {
      for (const path of files.keys()) load(path);
      const key = createHash('sha256')
        .update(JSON.stringify([user, password]))
        .digest('hex');
      const known = remembered.get(key);
      if (known) return known;
      if (remembered.size >= REMEMBERED) remembered.clear();
      const answer = findGroups(user, password);
      remembered.set(key, answer);
      return answer;
    },
  };

  async function findGroups(user: string, password: string): Promise<readonly string[] | undefined> {
    const groups: string[] = [];
    for (const [path, { hashes }] of files) {
      const stored = hashes.get(user);
      if (stored !== undefined && (await verifyPassword(password, stored)))
        groups.push(groupName(path), groupName(path, user));
    }
    return groups.length > 0 ? groups : undefined;
  }
}

/** The path itself is nobody's business: rules are shown to keepers. */
const groupName = (path: string, user?: string): string => {
  const file = `htpasswd:${hash('sha256', path, 'hex').slice(0, 12)}`;
  return user === undefined ? file : `${file}/${user}`;
};

function parsePasswords(text: string): Map<string, string> {
  const hashes = new Map<string, string>();
  for (const line of text.split(/\r?\n/)) {
    const [, user, stored] = /^([^:#][^:]*):([^:\s]*)/.exec(line.trim()) ?? [];
    // As for Apache, the first line of a name counts.
    if (user !== undefined && stored !== undefined && !hashes.has(user)) hashes.set(user, stored);
  }
  return hashes;
}
