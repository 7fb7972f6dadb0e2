/** Whatever files say of themselves, what is written of them fits the published schemas. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import fc from 'fast-check';
import { METS, type MetsParts } from '../../formats/mets/mets-document.ts';
import { writeMets } from '../../formats/mets/write-mets.ts';
import { writeMix } from '../../formats/mix-write.ts';
import { writePageMods, writeSiteMods } from '../../formats/mods-write.ts';
import { writePremisEvent, writePremisObject, writePremisRights } from '../../formats/premis-write.ts';
import { writeTextMd } from '../../formats/textmd-write.ts';
import { parseXml } from '../../xml/engine.ts';
import type { XmlSchema } from '../../xml/xsd.ts';
import { compileMetsSchema } from '../mets-schema.fixture.ts';

let schema: XmlSchema | undefined;
before(async () => {
  schema = await compileMetsSchema();
});
after(() => schema?.dispose());

function problemsOf(type: string, xml: string): readonly string[] {
  const parts: MetsParts = {
    head: { agents: [] },
    descriptions: [],
    admins: [{ id: 'a', techMD: [{ id: 't', type, xml }] }],
    fileGroups: [],
    structures: [{ root: { dmdIds: [], admIds: [], contentIds: [], pointers: [], files: [], divs: [] } }],
    links: [],
  };
  using document = parseXml(Buffer.from([...writeMets(parts)].join('')));
  return (schema?.validate(document) ?? []).map(({ message }) => `${message}\n${xml}`);
}

const text = fc.string({ unit: 'binary', maxLength: 20 });
const maybe = <T>(values: fc.Arbitrary<T>) => fc.option(values, { nil: undefined });
const count = fc.integer({ min: 0, max: 70_000 });

/** Without the members that are undefined. */
const given = <T extends object>(value: T) =>
  JSON.parse(JSON.stringify(value)) as { [K in keyof T]: Exclude<T[K], undefined> };

const SAMPLES: Readonly<Record<string, fc.Arbitrary<readonly [type: string, xml: string]>>> = {
  MIX: fc
    .record({
      width: maybe(count),
      height: maybe(count),
      bitDepth: maybe(fc.integer({ min: 0, max: 64 })),
      samplesPerPixel: maybe(count),
      colourSpace: maybe(text),
      compression: maybe(text),
      byteOrder: maybe(fc.constantFrom('little-endian' as const, 'big-endian' as const)),
      x: fc.double(),
      y: fc.double({ noNaN: true }),
    })
    .map(({ x, y, ...image }) => [
      'NISOIMG',
      writeMix({
        ...given(image),
        resolution: { x, y },
        url: 'http://a.example/',
        size: 1,
        mediaType: 'image/png',
        sha256: 'ab',
      }),
    ]),
  textMD: fc
    .record({
      charset: maybe(fc.constantFrom('utf-8', 'windows-1252', 'gbk', 'iso-8859-16', 'x-user-defined')),
      language: maybe(fc.constantFrom('de', 'en-GB', 'xx', 'tlh', '')),
      markup: text,
    })
    .map((file) => ['TEXTMD', writeTextMd(given(file))]),
  'PREMIS of an object': fc
    .record({ value: text, digest: text, format: text, storedIn: text, size: count })
    .map(({ value, digest, ...rest }) => [
      'PREMIS:OBJECT',
      writePremisObject({
        ...rest,
        identifier: { type: 'URL', value },
        fixities: [{ algorithm: 'SHA-1', digest, originator: 'x' }],
        events: ['e'],
      }),
    ]),
  'PREMIS of an event': fc
    .record({ type: text, detail: text, outcome: text, name: text })
    .map(({ type, detail, outcome, name }) => [
      'PREMIS:EVENT',
      writePremisEvent({
        identifier: 'e',
        type,
        at: 0,
        details: [detail],
        outcome,
        agents: [{ name, role: 'crawler' }, { name }],
        objects: [{ type: 'URL', value: name }],
      }),
    ]),
  'PREMIS of rights': fc
    .record({ licence: maybe(text), otherBasis: text, restriction: text })
    .map((rights) => ['PREMIS:RIGHTS', writePremisRights({ ...given(rights), identifier: 'r', act: 'use' })]),
  'MODS of a site': fc
    .record({
      title: text,
      genre: text,
      languages: fc.array(fc.constantFrom('de', 'tlh', 'en-US', 'x y')),
      mediaTypes: fc.array(text),
      abstracts: fc.array(text),
      topics: fc.array(text),
      places: fc.array(text),
    })
    .map((site) => [
      'MODS',
      writeSiteMods({ ...site, captured: { startAt: 0, endAt: 9e10 }, archived: 'x' }),
    ]),
  'MODS of a page': fc
    .record({ title: text, url: text, size: count })
    .map((page) => ['MODS', writePageMods({ ...page, capturedAt: 0 })]),
};

for (const [what, samples] of Object.entries(SAMPLES))
  test(`${what} is valid in ${METS.prefix.toUpperCase()}`, (t) => {
    if (!schema) return t.skip('the schemas are not here');
    fc.assert(
      fc.property(samples, ([type, xml]) => {
        assert.deepEqual(problemsOf(type, xml), []);
      }),
      { numRuns: 60 },
    );
  });
