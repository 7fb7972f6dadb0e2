/** Dictionaries and ontologies of the configuration, put together. */
import { type Config, configMistake } from '../core/config.ts';
import { type ConfigMistake, configError } from '../core/config-mistakes.ts';
import { asGarnerError } from '../core/errors.ts';
import { type Dictionaries, openDictionaries } from '../federate/dictionary/dictionaries.ts';
import type { DataDictionary } from '../federate/dictionary/dictionary.ts';
import { readDictionaryFile } from '../federate/dictionary/file-forms.ts';
import { loadOntology } from '../federate/ontology/load-ontology.ts';
import { createVocabulary, type Vocabulary } from '../federate/vocabulary.ts';

/** Files that cannot be read are mistakes of the configuration, told with their lines, all at once. */
export function openConfiguredDictionaries(config: Config): Dictionaries {
  const mistakes: ConfigMistake[] = [];
  const dictionaries: DataDictionary[] = [];
  for (const [i, path] of config.federate.dictionary.entries()) {
    const refuse = (message: string) =>
      mistakes.push(configMistake(config, ['federate', 'dictionary', i], message));
    try {
      const dictionary = readDictionaryFile(path);
      const { identifier } = dictionary;
      if (dictionaries.some((other) => other.identifier === identifier))
        refuse(`another file has a dictionary ${identifier} already`);
      dictionaries.push(dictionary);
    } catch (error) {
      refuse(asGarnerError(error).message);
    }
  }
  if (mistakes.length > 0) throw configError(mistakes);
  return openDictionaries(config.data, dictionaries);
}

export async function openVocabulary(config: Config): Promise<Vocabulary> {
  const { ontology: files, inferenceHops: hops } = config.federate;
  const dictionaries = openConfiguredDictionaries(config);
  try {
    return createVocabulary(dictionaries, await loadOntology(files), { hops });
  } catch (error) {
    throw configError([configMistake(config, ['federate', 'ontology'], asGarnerError(error).message)]);
  }
}
