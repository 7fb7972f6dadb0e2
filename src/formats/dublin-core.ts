/** Simple Dublin Core of any record, from its stored fields; only paths in the crosswalk need the document. */
import type { BoxValue, Fields, FieldValue, IntervalValue } from '../core/model.ts';
import { compilePath, type XmlDocument } from '../xml/engine.ts';
import { DC_ELEMENTS, type DcElement, type DublinCore, type MetadataFormat } from './format.ts';

export function toDublinCore(format: MetadataFormat, fields: Fields, document?: XmlDocument): DublinCore {
  const result: Partial<Record<DcElement, readonly string[]>> = {};
  for (const element of DC_ELEMENTS) {
    const values = new Set<string>();
    for (const { field, path } of format.dublinCore[element] ?? []) {
      if (field !== undefined) for (const value of fields[field] ?? []) values.add(writeValue(value));
      if (path !== undefined && document)
        for (const value of selectOnce(document, path, format)) values.add(value);
    }
    if (values.size > 0) result[element] = Array.from(values);
  }
  return result;
}

/** Paths come from configs only and few records ask for them: not worth a cache with a lifetime. */
function selectOnce(document: XmlDocument, path: string, format: MetadataFormat): string[] {
  const compiled = compilePath(path, format.namespaces);
  try {
    return document.evaluate(compiled);
  } finally {
    compiled.dispose();
  }
}

function writeValue(value: FieldValue): string {
  if (typeof value !== 'object') return String(value);
  return 'west' in value ? writeBox(value) : writePeriod(value);
}

/** DCMI Box Encoding Scheme; read back by the format `oai_dc`. */
const writeBox = ({ west, south, east, north }: BoxValue) =>
  `northlimit=${north}; southlimit=${south}; westlimit=${west}; eastlimit=${east}; units=signed decimal degrees; projection=WGS84`;

/** DCMI Period Encoding Scheme; an open end is left out. */
const writePeriod = ({ start, end }: IntervalValue) =>
  [start && `start=${start}`, end && `end=${end}`, 'scheme=W3C-DTF'].filter(Boolean).join('; ');
