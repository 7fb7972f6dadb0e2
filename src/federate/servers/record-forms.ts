/** A record as it came, and by the crosswalks of its format: Dublin Core and the profile, each in its usual forms. */
import { safePart } from '../../archive/items/safe-name.ts';
import { toDublinCore } from '../../formats/dublin-core.ts';
import { writeOaiDc } from '../../formats/oai-dc.ts';
import { oaiDc } from '../../formats/oai-dc-format.ts';
import { oodtProfile } from '../../formats/oodt-profile/format.ts';
import { profileToJson } from '../../formats/oodt-profile/json-form.ts';
import type { Profile } from '../../formats/oodt-profile/profile.ts';
import {
  JSON_LD_CONTEXT,
  jsonLdProfile,
  TURTLE_PREFIXES,
  turtleProfile,
} from '../../formats/oodt-profile/write-rdf.ts';
import { writeProfile } from '../../formats/oodt-profile/write-xml.ts';
import type { FormatRegistry } from '../../formats/registry.ts';
import type { Hit } from '../../store/index.ts';
import type { ProductForm } from './product.ts';
import { madeForm } from './product-bytes.ts';

const DECLARATION = '<?xml version="1.0" encoding="UTF-8"?>\n';

export function recordForms(hit: Hit, profile: Profile, formats: FormatRegistry): ProductForm[] {
  const { raw = new Uint8Array(), schema, fields, updatedAt: modifiedAt } = hit;
  const known = formats.find(schema) ?? formats.get('xml');
  const name = safePart(hit.identifier.replace(/\.(?:xml|json)$/i, ''));
  const form = (
    format: string,
    mediaType: string,
    ending: string,
    write: () => Uint8Array | string,
  ): ProductForm => ({
    ...madeForm(() => {
      const written = write();
      return typeof written === 'string' ? Buffer.from(written) : written;
    }),
    fileName: `${name}${ending}`,
    mediaType,
    format,
    modifiedAt,
  });
  const json = (value: unknown): string => `${JSON.stringify(value)}\n`;
  const dublinCore = () => toDublinCore(known, fields);
  const isJson = known.syntax === 'json';
  const dc = form(oaiDc.name, 'text/xml', '.oai_dc.xml', () => DECLARATION + writeOaiDc(dublinCore()));
  const described = form(oodtProfile.name, 'text/xml', '.profile.xml', () => writeProfile(profile));
  return [
    form(schema, isJson ? 'application/json' : 'text/xml', isJson ? '.json' : '.xml', () => raw),
    ...[dc, described].filter(({ format }) => format !== schema),
    form(oaiDc.name, 'application/json', '.dc.json', () => json(dublinCore())),
    form(oodtProfile.name, 'application/json', '.profile.json', () => json(profileToJson(profile))),
    form(oodtProfile.name, 'text/turtle', '.ttl', () => TURTLE_PREFIXES + turtleProfile(profile)),
    form(oodtProfile.name, 'application/ld+json', '.jsonld', () =>
      json({ '@context': JSON_LD_CONTEXT, ...jsonLdProfile(profile) }),
    ),
  ];
}
