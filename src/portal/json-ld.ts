/** An item for search engines: schema.org in JSON-LD. */
import type { BoxValue, FieldValue, IntervalValue } from '../core/model.ts';
import type { StoredItem } from '../store/index.ts';
import { isBox, isWebAddress } from './field-text.ts';

const DATASET_TYPE = /data\s?set|series|collection|grid|observation|measurement/i;
/** Formats that describe data rather than documents. */
const DATASET_FORMAT = /^(?:iso19139|iso19115|dif|datacite|stac)/i;

export function itemJsonLd(item: StoredItem, url: string): Record<string, unknown> {
  const texts = (name: string) => (item.fields[name] ?? []).filter((value) => typeof value === 'string');
  const types = texts('type');
  const isDataset = types.some((type) => DATASET_TYPE.test(type)) || DATASET_FORMAT.test(item.schema ?? '');
  const person = (name: string) => ({ '@type': 'Person', name });
  const boxes = (item.fields.bbox ?? []).filter(isBox);
  const links = [...texts('link'), ...texts('identifier')].filter(isWebAddress);
  return dropEmpty({
    '@context': 'https://schema.org',
    '@type': isDataset ? 'Dataset' : 'CreativeWork',
    '@id': url,
    url,
    identifier: [...new Set([item.identifier, ...texts('identifier')])],
    name: item.title ?? item.identifier,
    description: texts('description').join('\n\n'),
    keywords: texts('subject'),
    creator: texts('creator').map(person),
    publisher: texts('publisher').map((name) => ({ '@type': 'Organization', name })),
    datePublished: texts('published')[0] ?? texts('date')[0],
    dateModified: texts('modified')[0],
    inLanguage: texts('language'),
    license: texts('rights').filter(isWebAddress),
    sameAs: links,
    variableMeasured: isDataset ? texts('variable') : [],
    temporalCoverage: (item.fields.time ?? []).map(intervalText).filter((text) => text !== ''),
    spatialCoverage: boxes.map((box) => ({
      '@type': 'Place',
      geo: { '@type': 'GeoShape', box: geoShape(box) },
    })),
  });
}

/** schema.org wants latitude first: south west north east. */
function geoShape(box: BoxValue): string {
  return `${box.south} ${box.west} ${box.north} ${box.east}`;
}

function intervalText(value: FieldValue): string {
  if (typeof value !== 'object' || isBox(value)) return '';
  const { start, end }: IntervalValue = value;
  return `${start ?? '..'}/${end ?? '..'}`;
}

function dropEmpty(object: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(object).filter(
      ([, value]) => value !== undefined && value !== '' && !(Array.isArray(value) && value.length === 0),
    ),
  );
}

/** JSON that cannot end the script element it stands in, whatever the values say. */
export function scriptSafeJson(value: unknown): string {
  return JSON.stringify(value).replace(
    /[<>&\u2028\u2029]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}
