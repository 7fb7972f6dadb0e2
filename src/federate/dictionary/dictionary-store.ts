/**
 * Dictionaries that were taken in, as files beside the store: `dictionary/IDENTIFIER/N.json`. Every import
 * makes the next number; none is ever changed, so that each earlier state can be looked at.
 */
import {
  closeSync,
  fsyncSync,
  linkSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { GarnerError } from '../../core/errors.ts';
import { isName } from '../../core/identifiers.ts';
import type { DataElement } from './data-element.ts';
import { type DataDictionary, readDictionary, sortElements, versionKey } from './dictionary.ts';
import { DUBLIN_CORE } from './dublin-core.ts';

export interface ImportOutcome {
  /** 0: nothing differed, so nothing was written. */
  readonly revision: number;
  readonly added: number;
  readonly changed: number;
  readonly removed: number;
  readonly unchanged: number;
}

export interface DictionaryStore {
  /** Identifiers, in their order. */
  list(): string[];
  /** Numbers of its states, newest first. */
  revisions(identifier: string): number[];
  /** The newest state, or the one of that number. */
  find(identifier: string, revision?: number): DataDictionary | undefined;
  /**
   * `merge` keeps versions of elements that the new dictionary does not have, `replace` does not. Of two
   * processes at once one comes after the other; none loses what the other took in.
   */
  put(dictionary: DataDictionary, mode: 'merge' | 'replace'): ImportOutcome;
}

/** Raised when the document's shape changes. */
const SHAPE = 1;

export function openDictionaryStore(dataFolder: string): DictionaryStore {
  const folder = join(dataFolder, 'dictionary');
  const pathOf = (identifier: string, revision: number) => join(folder, identifier, `${revision}.json`);

  const revisions = (identifier: string): number[] =>
    isName(identifier)
      ? namesIn(join(folder, identifier))
          .flatMap((name) => /^(\d{1,15})\.json$/.exec(name)?.[1] ?? [])
          .map(Number)
          .sort((a, b) => b - a)
      : [];

  const find = (identifier: string, revision?: number): DataDictionary | undefined => {
    const known = revisions(identifier);
    const wanted = revision ?? known[0];
    if (wanted === undefined || !known.includes(wanted)) return undefined;
    const path = pathOf(identifier, wanted);
    const { shape, dictionary } = JSON.parse(readFileSync(path, 'utf8')) as {
      shape: number;
      dictionary: unknown;
    };
    if (shape !== SHAPE) throw new GarnerError('store.newer', `${path} was written by a newer Garner`);
    return readDictionary(dictionary);
  };

  return {
    list: () =>
      namesIn(folder)
        .filter((name) => revisions(name).length > 0)
        .sort(),
    revisions,
    find,
    put(dictionary, mode) {
      const { identifier } = dictionary;
      if (identifier === DUBLIN_CORE.identifier)
        throw new GarnerError('dictionary.invalid', `the dictionary ${identifier} is built in`);
      mkdirSync(join(folder, identifier), { recursive: true });
      for (;;) {
        // Looked up once: what comes between makes the number taken, and all is done again.
        const latest = revisions(identifier)[0] ?? 0;
        const before = latest === 0 ? undefined : find(identifier, latest);
        const { merged, ...counts } = combine(before, dictionary, mode);
        if (before && JSON.stringify(before) === JSON.stringify(merged)) return { revision: 0, ...counts };
        const revision = latest + 1;
        if (writeOnce(pathOf(identifier, revision), JSON.stringify({ shape: SHAPE, dictionary: merged })))
          return { revision, ...counts };
      }
    },
  };
}

function combine(
  before: DataDictionary | undefined,
  dictionary: DataDictionary,
  mode: 'merge' | 'replace',
): { merged: DataDictionary } & Omit<ImportOutcome, 'revision'> {
  const byKey = (elements: readonly DataElement[]) =>
    new Map(elements.map((element) => [versionKey(element), element]));
  const old = byKey(before?.elements ?? []);
  const fresh = byKey(dictionary.elements);
  let [added, changed, unchanged] = [0, 0, 0];
  for (const [key, element] of fresh) {
    const known = old.get(key);
    if (!known) added++;
    else if (JSON.stringify(known) === JSON.stringify(element)) unchanged++;
    else changed++;
  }
  const missing = [...old].filter(([key]) => !fresh.has(key)).map(([, element]) => element);
  return {
    merged:
      mode === 'replace'
        ? dictionary
        : { ...dictionary, elements: sortElements([...missing, ...dictionary.elements]) },
    added,
    changed,
    unchanged,
    removed: mode === 'replace' ? missing.length : 0,
  };
}

/** False when the file is there already; else it is there in whole. */
function writeOnce(path: string, text: string): boolean {
  const draft = `${path}.${process.pid}`;
  const file = openSync(draft, 'w');
  try {
    writeFileSync(file, text);
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
  try {
    linkSync(draft, path);
    syncFolder(dirname(path));
    return true;
  } catch (error) {
    if (hasCode(error, 'EEXIST')) return false;
    throw error;
  } finally {
    rmSync(draft, { force: true });
  }
}

/** So that the name outlives a power cut as well; Windows has no such call. */
function syncFolder(path: string): void {
  if (process.platform === 'win32') return;
  const folder = openSync(path, 'r');
  try {
    fsyncSync(folder);
  } finally {
    closeSync(folder);
  }
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return [];
    throw error;
  }
}

const hasCode = (error: unknown, code: string): boolean =>
  error instanceof Error && 'code' in error && error.code === code;
