/** The dictionaries in force: those of the configuration, those taken in, and Dublin Core; up to date at each call. */
import { GarnerError } from '../../core/errors.ts';
import { nearestNames } from '../../core/nearest.ts';
import type { DataDictionary } from './dictionary.ts';
import { type DictionaryStore, type ImportOutcome, openDictionaryStore } from './dictionary-store.ts';
import { DUBLIN_CORE } from './dublin-core.ts';
import { createElementIndex, type ElementIndex, type FoundElement } from './element-index.ts';

export interface Dictionaries {
  readonly store: DictionaryStore;
  /** Made anew only when another state was taken in, by whatever process. */
  index(): ElementIndex;
  /** Throws `dictionary.unknown` with the nearest names. */
  getElements(name: string): readonly FoundElement[];
  /** `revision` only of one that was taken in. Throws `dictionary.unknown`. */
  getDictionary(identifier: string, revision?: number): DataDictionary;
  take(dictionary: DataDictionary, mode: 'merge' | 'replace'): ImportOutcome;
}

/** Those of files come first, and hide one of the same identifier that was taken in. */
export function openDictionaries(dataFolder: string, ofFiles: readonly DataDictionary[]): Dictionaries {
  const store = openDictionaryStore(dataFolder);
  const isOfFile = (identifier: string) => ofFiles.some((dictionary) => dictionary.identifier === identifier);
  let made: { readonly state: string; readonly index: ElementIndex } | undefined;

  const index = (): ElementIndex => {
    const names = store.list().filter((name) => !isOfFile(name));
    const state = JSON.stringify(names.map((name) => [name, store.revisions(name)[0]]));
    if (made?.state !== state) {
      const taken = names.flatMap((name) => store.find(name) ?? []);
      made = { state, index: createElementIndex([...ofFiles, ...taken, DUBLIN_CORE]) };
    }
    return made.index;
  };

  return {
    store,
    index,
    getElements(name) {
      const found = index().lookUp(name);
      if (found.length > 0) return found;
      throw unknown(`no dictionary has an element "${name}"`, index().nearest(name));
    },
    getDictionary(identifier, revision) {
      const known = index().dictionaries;
      const found =
        revision === undefined
          ? known.find((dictionary) => dictionary.identifier === identifier)
          : store.find(identifier, revision);
      if (found) return found;
      const which = revision === undefined ? '' : ` in state ${revision}`;
      throw unknown(
        `there is no dictionary "${identifier}"${which}`,
        nearestNames(
          identifier,
          known.map((dictionary) => dictionary.identifier),
        ),
      );
    },
    take(dictionary, mode) {
      if (isOfFile(dictionary.identifier))
        throw new GarnerError(
          'dictionary.invalid',
          `the dictionary ${dictionary.identifier} is a file of the configuration; change it there`,
        );
      return store.put(dictionary, mode);
    },
  };
}

function unknown(message: string, nearest: readonly string[]): GarnerError {
  const hint = nearest.length > 0 ? `; did you mean ${nearest.join(' or ')}?` : '';
  return new GarnerError('dictionary.unknown', message + hint, { details: { nearest } });
}
