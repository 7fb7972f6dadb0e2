/** One record in the format a reader asks for: as it came, or crosswalked to Dublin Core. */
import type { Viewer } from '../core/access.ts';
import { GarnerError } from '../core/errors.ts';
import type { Instant } from '../core/model.ts';
import { toDublinCore } from '../formats/dublin-core.ts';
import { writeOaiDc } from '../formats/oai-dc.ts';
import type { FormatRegistry } from '../formats/registry.ts';
import type { ItemStore, StoredItem } from '../store/index.ts';
import { thinnedVersion } from '../store/thinned-version.ts';
import { type RelateRecord, withRelations } from './relate-record.ts';

export interface RenderChoice {
  /** A stored format, or `oai_dc`; default: the item's own. */
  readonly format?: string | undefined;
  readonly version?: number | undefined;
  readonly at?: Instant | undefined;
}

export interface RenderedRecord {
  readonly format: string;
  readonly mediaType: 'application/xml' | 'application/json';
  readonly bytes: Uint8Array;
}

export async function renderRecord(
  items: ItemStore,
  formats: FormatRegistry,
  item: StoredItem,
  choice: RenderChoice,
  viewer: Viewer,
  relate?: RelateRecord,
): Promise<RenderedRecord> {
  const stored = item.records.some((record) => record.format === choice.format);
  if (choice.format === 'oai_dc' && !stored && item.schema !== undefined) {
    if (choice.version !== undefined || choice.at !== undefined) {
      throw new GarnerError('request.invalid', 'old versions are given as they came: leave out the format');
    }
    const related = (await relate?.(item.fields, viewer)) ?? [];
    const dublinCore = withRelations(toDublinCore(formats.get(item.schema), item.fields), related);
    return {
      format: 'oai_dc',
      mediaType: 'application/xml',
      bytes: new TextEncoder().encode(writeOaiDc(dublinCore)),
    };
  }
  const content = await items.findContent(
    item,
    {
      ...(choice.format !== undefined && { format: choice.format }),
      ...(choice.version !== undefined && { version: choice.version }),
      ...(choice.at !== undefined && { at: choice.at }),
    },
    viewer,
  );
  if (!content) {
    const known = item.records.map((record) => record.format);
    const wanted = choice.format ?? item.schema;
    const history = (await items.listHistory(item, viewer)).filter(({ format }) => format === wanted);
    const thinned = thinnedVersion(item, history, choice);
    if (thinned) throw thinned;
    throw new GarnerError(
      'version.unknown',
      `"${item.identifier}" has no such version or format; it has ${[...new Set([...known, 'oai_dc'])].join(', ')}`,
    );
  }
  const syntax = formats.find(content.format)?.syntax ?? 'xml';
  return {
    format: content.format,
    mediaType: syntax === 'json' ? 'application/json' : 'application/xml',
    bytes: content.bytes,
  };
}
