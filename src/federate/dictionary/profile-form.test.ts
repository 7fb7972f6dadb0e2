import assert from 'node:assert/strict';
import { test } from 'node:test';
import { attributeFields } from '../../core/attributes.ts';
import type { Profile } from '../../formats/oodt-profile/profile.ts';
import { listAttributes } from '../../formats/oodt-profile/profile-attributes.ts';
import { readProfiles } from '../../formats/oodt-profile/read-xml.ts';
import { writeProfile } from '../../formats/oodt-profile/write-xml.ts';
import { PLANETARY } from './dictionaries.fixture.ts';
import { DUBLIN_CORE } from './dublin-core.ts';
import { createElementIndex } from './element-index.ts';
import { DICTIONARY_FORMS } from './file-forms.ts';
import { namedValuesOfFields, namedValuesOfProfile } from './named-values.ts';
import { readDictionaryProfile, writeDictionaryProfile } from './profile-form.ts';
import { describeFinding, validateElements } from './validate-elements.ts';

const OPTIONS = { profId: '1.2.3', context: 'NASA.PDS', location: 'https://a.example/dictionary' };

test('a dictionary is a profile of its own type, its elements in their current versions', () => {
  const { prof, res, elements } = writeDictionaryProfile(PLANETARY, OPTIONS);
  assert.deepEqual(prof.profType, ['data dictionary']);
  assert.deepEqual(prof.profDataDictId, ['planetary']);
  assert.deepEqual(res.Identifier, ['planetary']);
  assert.deepEqual(
    elements.map(({ elemName }) => elemName?.[0]),
    ['EXPOSURE_DURATION', 'FILTER_NAME', 'START_TIME', 'TARGET_NAME', 'VIEW_ANGLE'],
  );
  assert.deepEqual(elements[0], {
    elemId: ['urn:x-planetary:exposure_duration'],
    elemName: ['EXPOSURE_DURATION'],
    elemDesc: ['The time during which the instrument gathered the data.'],
    elemType: ['REAL'],
    elemUnit: ['ms'],
    elemEnumFlag: ['F'],
    elemMinValue: ['0'],
    elemMaxValue: ['60000'],
    elemSynonym: ['integration time'],
  });
  assert.deepEqual(elements[1]?.elemValue, ['RED', 'GREEN', 'CLEAR']);
});

test('such a profile is read as a dictionary again, through XML and as a file', () => {
  const xml = Buffer.from(writeProfile(writeDictionaryProfile(PLANETARY, OPTIONS)));
  const [profile] = readProfiles(xml);
  assert.ok(profile);
  const dictionary = readDictionaryProfile(profile);
  assert.equal(dictionary.identifier, 'planetary');
  const exposure = createElementIndex([dictionary]).lookUp('integration time')[0]?.entry.current;
  assert.equal(exposure?.name, 'EXPOSURE_DURATION');
  assert.deepEqual([exposure.unit, exposure.minimum, exposure.maximum], ['ms', '0', '60000']);
  assert.deepEqual(DICTIONARY_FORMS.xml.read(xml), dictionary);
  const dublinCore = readDictionaryProfile(writeDictionaryProfile(DUBLIN_CORE, OPTIONS));
  assert.equal(dublinCore.elements[0]?.registrationAuthority, 'Dublin Core Metadata Initiative');
});

test('a profile of another type is no dictionary', () => {
  const profile = writeDictionaryProfile(PLANETARY, OPTIONS);
  const other = { ...profile, prof: { ...profile.prof, profType: ['profile'] } };
  assert.throws(() => DICTIONARY_FORMS.xml.read(Buffer.from(writeProfile(other))), {
    code: 'dictionary.invalid',
  });
});

const IMAGE: Profile = {
  prof: { profId: ['p1'], profType: ['profile'], profStatusId: ['active'] },
  res: { Identifier: ['x:1'], Title: ['An image'], resContext: ['C'], resClass: ['data.product'] },
  elements: [
    { elemName: ['TARGET_NAME'], elemValue: ['IO'] },
    { elemName: ['FILTR_NAME'], elemValue: ['RED'] },
    {
      elemName: ['EXPOSURE_DURATION'],
      elemType: ['REAL'],
      elemUnit: ['s'],
      elemMinValue: ['-1'],
      elemMaxValue: ['5'],
    },
    { elemName: ['RESOLUTION'], elemValue: ['9'] },
  ],
};
const index = createElementIndex([PLANETARY, DUBLIN_CORE]);

test('a profile is judged by its Dublin Core and its elements, ranges by their ends', () => {
  assert.deepEqual(validateElements(index, namedValuesOfProfile(IMAGE)).map(describeFinding), [
    'FILTR_NAME: no dictionary has it; did you mean FILTER_NAME?',
    'EXPOSURE_DURATION: the unit is s, but the dictionary has ms',
    'EXPOSURE_DURATION: -1 is less than 0',
    'RESOLUTION: no dictionary has it; did you mean relation?',
  ]);
});

test('a stored profile is judged alike, as far as its fields tell', () => {
  const fields = attributeFields(listAttributes(IMAGE));
  assert.deepEqual(
    validateElements(index, namedValuesOfFields(fields))
      .map(({ element, kind }) => `${element} ${kind}`)
      .toSorted(),
    ['exposure_duration too-small', 'filtr_name unknown', 'resolution unknown'],
  );
});

test('an ordinary item is judged by its fields; areas are left out', () => {
  const fields = {
    title: ['x'],
    start_time: [{ start: '1980', end: '1990' }],
    bbox: [{ west: 0, south: 0, east: 1, north: 1 }],
    exposure_duration: [70_000],
  };
  assert.deepEqual(validateElements(index, namedValuesOfFields(fields)).map(describeFinding), [
    'start_time: 1980 is less than 1989-10',
    'exposure_duration: 70000 is more than 60000',
  ]);
});
