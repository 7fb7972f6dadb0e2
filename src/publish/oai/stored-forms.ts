/** The formats that follow from what is stored: Dublin Core of every item, and each XML format as it is. */
import type { Fields } from '../../core/model.ts';
import { toDublinCore } from '../../formats/dublin-core.ts';
import type { DublinCore, MetadataFormat } from '../../formats/format.ts';
import { writeOaiDc } from '../../formats/oai-dc.ts';
import { oaiDc } from '../../formats/oai-dc-format.ts';
import type { FormatRegistry } from '../../formats/registry.ts';
import { parseXml } from '../../xml/engine.ts';
import { type RelateRecord, withRelations } from '../relate-record.ts';
import { embedXml } from './embed-xml.ts';
import type { FormRecord, ItemForm } from './item-form.ts';

/** The bytes of a record's own document, for the few crosswalks that have paths. */
export type ReadDocument = (oaiIdentifier: string, format: string) => Promise<Uint8Array | undefined>;

const utf8 = new TextDecoder();

/** A stored record in oai_dc is shown as it is; of every other item the fields are crosswalked. */
export function dublinCoreForm(
  formats: FormatRegistry,
  readDocument: ReadDocument,
  relate?: RelateRecord,
): ItemForm {
  // Records may outlive the definition of their format.
  const formatOf = ({ format }: FormRecord) =>
    (format === undefined ? undefined : formats.find(format)) ?? oaiDc;
  const render = async (record: FormRecord, format: MetadataFormat): Promise<string> => {
    const bytes = await readDocument(record.oaiIdentifier, format.name);
    if (!bytes) return writeOaiDc(toDublinCore(format, readFields(record)));
    using document = parseXml(bytes);
    return writeOaiDc(toDublinCore(format, readFields(record), document));
  };
  const renderRelated = async (
    dublinCore: DublinCore,
    related: Promise<readonly string[]>,
  ): Promise<string> => writeOaiDc(withRelations(dublinCore, await related));
  return {
    prefix: oaiDc.name,
    schema: oaiDc.schemaLocation,
    namespace: oaiDc.namespace,
    content: 'fields',
    render: (record, viewer) => {
      if (record.format === oaiDc.name) return embedAs(oaiDc, record.bytes).bytes;
      const format = formatOf(record);
      if (format.syntax === 'xml' && hasPaths(format)) return render(record, format);
      const fields = readFields(record);
      const dublinCore = toDublinCore(format, fields);
      const related = relate?.(fields, viewer, record.key);
      return related ? renderRelated(dublinCore, related) : writeOaiDc(dublinCore);
    },
  };
}

const readFields = ({ bytes }: FormRecord): Fields =>
  bytes.length === 0 ? {} : (JSON.parse(utf8.decode(bytes)) as Fields);

const hasPaths = ({ dublinCore }: MetadataFormat): boolean =>
  Object.values(dublinCore).some((origins) => origins.some(({ path }) => path !== undefined));

const embedAs = ({ namespace, schemaLocation }: MetadataFormat, bytes: Uint8Array) =>
  embedXml(bytes, (found) => (found === namespace ? schemaLocation : undefined));

/** Undefined for formats that OAI-PMH cannot carry: JSON, and XML of no known namespace. */
export function storedForm(format: MetadataFormat): ItemForm | undefined {
  if (format.syntax !== 'xml' || format.namespace === '' || format.schemaLocation === '') return undefined;
  return {
    prefix: format.name,
    schema: format.schemaLocation,
    namespace: format.namespace,
    madeOf: format.name,
    content: 'transformed',
    render: (record) => embedAs(format, record.bytes).bytes,
    // A format may know roots of several namespaces (gmd and gmi); only one of them is announced.
    ...(knowsSeveral(format) && {
      fits: (record) => embedAs(format, record.bytes).namespace === format.namespace,
    }),
  };
}

function knowsSeveral({ detect, namespaces, namespace }: MetadataFormat): boolean {
  return detect.some(({ root }) => {
    const prefix = root?.includes(':') ? root.slice(0, root.indexOf(':')) : undefined;
    return prefix === undefined || namespaces[prefix] !== namespace;
  });
}
