import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import fc from 'fast-check';
import { parseXml } from '../../xml/engine.ts';
import { compileSchema } from '../../xml/xsd.ts';
import { createXmlExtractor } from '../extract-xml.ts';
import { createFormatRegistry } from '../registry.ts';
import { oodtProfile } from './format.ts';
import { PROFILE_FORMS, type ProfileForm, readProfilesAs } from './forms.ts';
import { profilesFromJson } from './json-form.ts';
import { ELEMENT_PARTS, PROF_ATTRIBUTES, type Profile, RES_ATTRIBUTES } from './profile.ts';
import { readRdfProfiles } from './read-rdf.ts';
import { readProfiles } from './read-xml.ts';
import { writeProfileSchema } from './schema.ts';
import { writeProfile } from './write-xml.ts';

const bytes = (text: string) => new TextEncoder().encode(text);

const IMAGE: Profile = {
  prof: { profId: ['1.3.6.1.4.1.1306.2.7'], profType: ['profile'], profStatusId: ['active'] },
  res: {
    Identifier: ['SET-A:24I0131'],
    Title: ['Io & its <plumes>'],
    Format: ['image/pds', 'image/png'],
    resContext: ['NASA.PDS'],
    resClass: ['data.product'],
    resLocation: ['https://example.org/24I0131'],
  },
  elements: [
    { elemName: ['TARGET_NAME'], elemType: ['CHARACTER'], elemEnumFlag: ['T'], elemValue: ['IO'] },
    {
      elemName: ['EXPOSURE_DURATION'],
      elemType: ['REAL'],
      elemUnit: ['ms'],
      elemEnumFlag: ['T'],
      elemValue: ['62.50'],
      elemSynonym: ['EXPTIME'],
    },
    {
      elemName: ['START_TIME'],
      elemType: ['TIME'],
      elemEnumFlag: ['F'],
      elemMinValue: ['1996-06-27T06:30:00Z'],
      elemMaxValue: ['1996-06-28'],
    },
  ],
};

describe('profiles in XML', () => {
  test('are written in the order of the DTD and read back as they were', () => {
    const written = writeProfile(IMAGE);
    assert.deepEqual(readProfiles(bytes(written)), [IMAGE]);
    const order = [...written.matchAll(/<([a-zA-Z]+)>/g)].map(([, name]) => name);
    assert.deepEqual(order.slice(0, 12), [
      'profile',
      'profAttributes',
      'profId',
      'profType',
      'profStatusId',
      'resAttributes',
      'Identifier',
      'Title',
      'Format',
      'Format',
      'resContext',
      'resClass',
    ]);
  });

  test('the reference to a data dictionary comes last among the attributes of the profile', () => {
    const written = writeProfile({
      ...IMAGE,
      prof: { profDataDictId: ['dd'], profRevisionNote: ['n'], profChildId: ['a', 'b'], ...IMAGE.prof },
    });
    assert.match(
      written,
      /<profChildId>b<\/profChildId>\s+<profRevisionNote>n<\/profRevisionNote>\s+<profDataDictId>/,
    );
  });

  test('old ways of writing are understood', () => {
    const [profile] = readProfiles(
      bytes(`<?xml version="1.0"?>
<!-- a licence -->
<!DOCTYPE profiles PUBLIC "-//JPL//DTD EDA Profile 1.1//EN"
  "http://unknown.example/prof.dtd">
<profiles><profile>
  <profileAttributes><profid>7</profid></profileAttributes>
  <resAttributes><Identifier> a </Identifier>
    <resLocation>
      http://example.org/servlet/
      Product?object=a
    </resLocation></resAttributes>
  <profElement><elemName>LAT</elemName><elemMinValue>-10</elemMinValue><elemMaxValue>30</elemMaxValue></profElement>
  <profElement><elemName>ANY</elemName><elemEnumFlag>F</elemEnumFlag></profElement>
</profile></profiles>`),
    );
    assert.deepEqual(profile, {
      prof: { profId: ['7'] },
      res: { Identifier: ['a'], resLocation: ['http://example.org/servlet/Product?object=a'] },
      elements: [
        { elemName: ['LAT'], elemMinValue: ['-10'], elemMaxValue: ['30'] },
        { elemName: ['ANY'], elemEnumFlag: ['F'] },
      ],
    });
    const again = writeProfile(profile);
    assert.match(again, /<elemName>LAT<\/elemName>\s+<elemEnumFlag>F<\/elemEnumFlag>\s+<elemMinValue>/);
    assert.match(again, /<profType>profile<\/profType>\s+<profStatusId>active/);
    assert.match(again, /<resContext>UNKNOWN<\/resContext>\s+<resClass>UNKNOWN/);
  });

  test('a DOCTYPE that defines anything is refused, and what is no profile too', () => {
    const bomb = '<!DOCTYPE profile [<!ENTITY a "b">]><profile>&a;</profile>';
    assert.throws(() => readProfiles(bytes(bomb)), { code: 'xml.forbidden' });
    assert.throws(() => readProfiles(bytes('<profile><a></profile>')), { code: 'xml.malformed' });
    assert.throws(() => readProfiles(bytes('<query/>')), { code: 'profile.malformed' });
  });
});

const text = fc
  .string({ minLength: 1, maxLength: 12, unit: fc.constantFrom(...'ab1 .-:<>&"\\\'é木\u{1F30D}') })
  .map((value) => value.replace(/\s+/g, ' ').trim())
  .filter((value) => value !== '');
const sectionOf = <Name extends string>(
  table: Readonly<Record<Name, string>>,
  needed: Readonly<Partial<Record<Name, readonly string[]>>>,
  skip: readonly string[] = [],
): fc.Arbitrary<Partial<Record<Name, readonly string[]>>> => {
  const choices = (Object.keys(table) as Name[])
    .filter((name) => !skip.includes(name))
    .map((name) => {
      const value = name === 'resLocation' ? text.map((address) => address.replace(/ /g, '')) : text;
      const maxLength = table[name] === '*' || table[name] === '+' ? 3 : 1;
      return fc.uniqueArray(value, { maxLength }).map((values) => ({ name, values }));
    });
  return fc.tuple(...choices).map((chosen) => {
    const section: Partial<Record<Name, readonly string[]>> = { ...needed };
    for (const { name, values } of chosen) if (values.length > 0) section[name] = values;
    return section;
  });
};
const elementOf = fc
  .tuple(
    sectionOf(ELEMENT_PARTS, { elemName: ['X'] }, [
      'elemValue',
      'elemMinValue',
      'elemMaxValue',
      'elemEnumFlag',
    ]),
    fc.oneof(
      fc
        .uniqueArray(text, { minLength: 1, maxLength: 3 })
        .map((elemValue) => ({ elemEnumFlag: ['T'], elemValue })),
      fc
        .tuple(text, text)
        .map(([min, max]) => ({ elemEnumFlag: ['F'], elemMinValue: [min], elemMaxValue: [max] })),
      fc.constantFrom('T', 'F').map((flag) => ({ elemEnumFlag: [flag] })),
    ),
  )
  .map(([parts, content]) => ({ ...parts, ...content }));
const anyProfile: fc.Arbitrary<Profile> = fc.record(
  {
    prof: sectionOf(PROF_ATTRIBUTES, { profId: ['1'], profType: ['t'], profStatusId: ['s'] }),
    res: sectionOf(RES_ATTRIBUTES, { Identifier: ['i'], resContext: ['c'], resClass: ['k'] }),
    elements: fc.array(elementOf, { maxLength: 3 }),
  },
  { noNullPrototype: true },
);

async function write(form: ProfileForm, profiles: readonly Profile[]): Promise<string> {
  let written = '';
  for await (const piece of PROFILE_FORMS[form].write(profiles)) written += piece;
  return written;
}

for (const form of ['xml', 'json', 'turtle', 'jsonld'] as const)
  test(`any profiles survive ${form}`, async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(anyProfile, { minLength: 1, maxLength: 3 }), async (profiles) => {
        // In RDF profiles of one address are one.
        const distinct = profiles.map((one, i) => ({
          ...one,
          prof: { ...one.prof, profId: [`urn:p:${i}`] },
        }));
        assert.deepEqual(await readProfilesAs(form, bytes(await write(form, distinct))), distinct);
      }),
      { numRuns: 30 },
    );
  });

test('no profiles are written, too', async () => {
  assert.deepEqual(readProfiles(bytes(await write('xml', []))), []);
  assert.deepEqual(JSON.parse(await write('json', [])), []);
  assert.deepEqual(JSON.parse(await write('jsonld', []))['@graph'], []);
});

test('what is no profile is told where', async () => {
  assert.throws(
    () => profilesFromJson([{ profAttributes: {}, resAttributes: { Titel: 'x' } }]),
    /0\.resAttributes/,
  );
  await assert.rejects(readRdfProfiles(bytes('<a:b> <a:c> "d" .'), { syntax: 'turtle', baseIri: 'urn:x:' }), {
    code: 'profile.malformed',
  });
});

describe('the schema', () => {
  const folder = mkdtempSync(join(tmpdir(), 'garner-profile-'));
  const path = join(folder, 'profile.xsd');
  writeFileSync(path, writeProfileSchema());
  const schema = compileSchema(path);
  after(() => schema.dispose());
  rmSync(folder, { recursive: true });
  const problems = (xml: string) => {
    using document = parseXml(bytes(xml));
    return schema.validate(document);
  };

  test('accepts every profile that is written', async () => {
    await fc.assert(
      fc.asyncProperty(anyProfile, async (profile) => {
        assert.deepEqual(problems(writeProfile(profile)), []);
        const several = await write('xml', [profile, IMAGE]);
        assert.match(
          several,
          /^<\?xml[^>]*\?>\n<!DOCTYPE profiles PUBLIC "-\/\/JPL\/\/DTD Profile 1.1\/\/EN" /,
        );
        assert.deepEqual(problems(several.replace(/<!DOCTYPE[^>]*>/, '')), []);
      }),
      { numRuns: 40 },
    );
  });

  test('refuses a wrong order and values beside bounds', () => {
    const written = writeProfile(IMAGE);
    assert.notDeepEqual(
      problems(written.replace(/(<profId>.*<\/profId>)(\s*)(<profType>.*<\/profType>)/, '$3$2$1')),
      [],
    );
    assert.notDeepEqual(
      problems(written.replace('<elemMinValue>', '<elemValue>x</elemValue><elemMinValue>')),
      [],
    );
    assert.notDeepEqual(problems(written.replace('<elemEnumFlag>T', '<elemEnumFlag>Y')), []);
  });
});

describe('a profile as a record', () => {
  test('has Dublin Core fields, and every attribute by its kind', () => {
    const raw = bytes(writeProfile(IMAGE));
    using document = parseXml(raw);
    assert.equal(createFormatRegistry().detectXml(document).name, 'oodt_profile');
    const { identifier, fields } = createXmlExtractor(oodtProfile)(document);
    assert.equal(identifier, '1.3.6.1.4.1.1306.2.7');
    assert.deepEqual(fields.title, ['Io & its <plumes>']);
    assert.deepEqual(fields.link, ['https://example.org/24I0131']);
    assert.deepEqual(oodtProfile.attributes?.(raw).fields, {
      'attr.profid': ['1.3.6.1.4.1.1306.2.7'],
      'attr.proftype': ['profile'],
      'attr.profstatusid': ['active'],
      'attr.identifier': ['SET-A:24I0131'],
      'attr.title': ['Io & its <plumes>'],
      'attr.format': ['image/pds', 'image/png'],
      'attr.rescontext': ['NASA.PDS'],
      'attr.resclass': ['data.product'],
      'attr.reslocation': ['https://example.org/24I0131'],
      'attr.target_name': ['IO'],
      'attr.exposure_duration#number': [62.5],
      'attr.exptime#number': [62.5],
      'attr.start_time#date': [{ start: '1996-06-27T06:30:00Z', end: '1996-06-28' }],
    });
  });
});

const SAMPLES = fileURLToPath(new URL('../../../../shared/oodt/profiles/', import.meta.url));
describe('samples of the historic implementation', {
  skip: existsSync(SAMPLES) ? false : 'no samples here',
}, () => {
  for (const [name, count] of [
    ['doc-servlet-sample-1.xml', 3],
    ['lightweightTest.xml', 3],
    ['own-enum-range.xml', 2],
    ['profile-single-nodoctype.xml', 1],
  ] as const)
    test(name, async () => {
      const profiles = readProfiles(readFileSync(join(SAMPLES, name)));
      assert.ok(profiles.length >= Math.min(count, 1));
      for (const { prof, res } of profiles) assert.ok(prof.profId?.[0] && res.Identifier?.[0]);
      assert.deepEqual(
        readProfiles(bytes(await write('xml', profiles))).map(({ prof }) => prof.profId),
        profiles.map(({ prof }) => prof.profId),
      );
    });
});
