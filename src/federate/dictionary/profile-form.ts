/**
 * A dictionary as a profile of type `data dictionary`: each element, in its current version, is a profile
 * element. Profiles have no place for most attributes, so that this is a way to publish, not to keep.
 */
import type { Profile, ProfileElement } from '../../formats/oodt-profile/profile.ts';
import type { DataElement } from './data-element.ts';
import { type DataDictionary, readDictionary } from './dictionary.ts';
import { createElementIndex } from './element-index.ts';

export const DICTIONARY_PROFILE_TYPE = 'data dictionary';

export interface DictionaryProfileOptions {
  readonly profId: string;
  /** `resContext`. */
  readonly context: string;
  /** Where people can read it. */
  readonly location: string;
}

export function writeDictionaryProfile(
  dictionary: DataDictionary,
  { profId, context, location }: DictionaryProfileOptions,
): Profile {
  const { entries } = createElementIndex([dictionary]);
  const authorities = new Set(entries.map(({ current }) => current.registrationAuthority));
  const [authority] = authorities;
  return {
    prof: {
      profId: [profId],
      profType: [DICTIONARY_PROFILE_TYPE],
      profStatusId: ['active'],
      ...(authorities.size === 1 && authority !== undefined && { profRegAuthority: [authority] }),
      profDataDictId: [dictionary.identifier],
    },
    res: {
      Identifier: [dictionary.identifier],
      Title: [dictionary.title],
      Format: ['text/xml'],
      resContext: [context],
      resClass: ['data.dictionary'],
      resLocation: [location],
    },
    elements: entries.map(({ current }) => toProfileElement(current)),
  };
}

function toProfileElement(element: DataElement): ProfileElement {
  const { identifier, name, definition, datatype, unit, permissibleValues, minimum, maximum, synonyms } =
    element;
  const one = (key: string, text: string | undefined) => (text === undefined ? {} : { [key]: [text] });
  const isRange = permissibleValues.length === 0 && minimum !== undefined && maximum !== undefined;
  return {
    ...one('elemId', identifier),
    elemName: [name],
    elemDesc: [definition],
    ...one('elemType', datatype),
    ...one('elemUnit', unit),
    elemEnumFlag: [isRange ? 'F' : 'T'],
    ...(permissibleValues.length > 0 && { elemValue: permissibleValues.map(({ value }) => value) }),
    ...(isRange && { elemMinValue: [minimum], elemMaxValue: [maximum] }),
    ...(synonyms.length > 0 && { elemSynonym: synonyms.map((synonym) => synonym.name) }),
    ...one('elemComment', element.comments),
  };
}

/** Throws `dictionary.invalid`; an element without a description takes its name for one. */
export function readDictionaryProfile({ prof, res, elements }: Profile): DataDictionary {
  const title = res.Title?.[0] ?? res.Identifier?.[0];
  const identifier = prof.profDataDictId?.[0] ?? res.Identifier?.[0] ?? '';
  return readDictionary({
    // Identifiers of old profiles are no names.
    identifier: identifier.replace(/[^A-Za-z0-9_-]+/g, '-').replace(/^[-_]+|-+$/g, ''),
    title,
    elements: elements.map((element) => {
      const first = (values: readonly string[] | undefined) => values?.[0];
      const given = {
        identifier: first(element.elemId),
        version: first(prof.profVersion),
        registrationAuthority: first(prof.profRegAuthority),
        datatype: first(element.elemType),
        unit: first(element.elemUnit),
        minimum: first(element.elemMinValue),
        maximum: first(element.elemMaxValue),
        comments: first(element.elemComment),
      };
      const name = first(element.elemName);
      return {
        name,
        definition: first(element.elemDesc) ?? name,
        synonyms: (element.elemSynonym ?? []).map((synonym) => ({ name: synonym })),
        permissibleValues: [...new Set(element.elemValue)].map((value) => ({ value })),
        ...Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined)),
      };
    }),
  });
}
