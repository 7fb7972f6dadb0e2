/** The forms a dictionary is read and written in. */
import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { asGarnerError, GarnerError } from '../../core/errors.ts';
import { readProfiles } from '../../formats/oodt-profile/read-xml.ts';
import { readCsvDictionary, writeCsvDictionary } from './csv-form.ts';
import { type DataDictionary, invalidDictionary } from './dictionary.ts';
import { readJsonDictionary, writeJsonDictionary } from './json-form.ts';
import { DICTIONARY_PROFILE_TYPE, readDictionaryProfile } from './profile-form.ts';
import { readXmlDictionary, writeXmlDictionary } from './xml-form.ts';

/** So far into a document its root is looked for. */
const LOOK_BYTES = 16_384;

interface FileForm {
  readonly mediaType: string;
  readonly write: (dictionary: DataDictionary) => string;
  readonly read: (bytes: Uint8Array) => DataDictionary;
}

export const DICTIONARY_FORMS = {
  xml: { mediaType: 'application/xml', write: writeXmlDictionary, read: readXml },
  csv: {
    mediaType: 'text/csv; charset=utf-8; header=present',
    write: writeCsvDictionary,
    read: readCsvDictionary,
  },
  json: { mediaType: 'application/json', write: writeJsonDictionary, read: readJsonDictionary },
} as const satisfies Record<string, FileForm>;

/** Also a profile of type `data dictionary`, as others publish their dictionaries. */
function readXml(bytes: Uint8Array): DataDictionary {
  if (!/<profiles?[\s>]/.test(Buffer.from(bytes).toString('latin1', 0, LOOK_BYTES)))
    return readXmlDictionary(bytes);
  const profile = readProfiles(bytes).find(({ prof }) => prof.profType?.[0] === DICTIONARY_PROFILE_TYPE);
  if (!profile)
    throw invalidDictionary([
      { message: `no profile is of the type "${DICTIONARY_PROFILE_TYPE}"`, place: undefined },
    ]);
  return readDictionaryProfile(profile);
}

export type DictionaryForm = keyof typeof DICTIONARY_FORMS;

export function isDictionaryForm(name: string): name is DictionaryForm {
  return Object.hasOwn(DICTIONARY_FORMS, name);
}

/** A file by its ending. Throws `dictionary.invalid`, the message with the file's name. */
export function readDictionaryFile(path: string): DataDictionary {
  const ending = /\.(\w+)$/.exec(path)?.[1]?.toLowerCase() ?? '';
  const file = basename(path);
  if (!isDictionaryForm(ending))
    throw new GarnerError('dictionary.invalid', `${file}: its name must end in .xml, .csv or .json`);
  try {
    return DICTIONARY_FORMS[ending].read(readFileSync(path));
  } catch (cause) {
    const { message } = asGarnerError(cause);
    throw new GarnerError('dictionary.invalid', message.replace(/^/gm, `${file}: `), { cause });
  }
}
