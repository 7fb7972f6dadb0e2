/** One item in the form that was asked for. */
import { GarnerError } from '../core/errors.ts';
import { itemPath } from '../core/identifiers.ts';
import { toDublinCore } from '../formats/dublin-core.ts';
import type { DublinCore } from '../formats/format.ts';
import { readItemTrust } from '../packaging/curation/item-trust.ts';
import { itemJsonLd } from '../portal/json-ld.ts';
import { withRelations } from '../publish/relate-record.ts';
import { type RenderChoice, renderRecord } from '../publish/render-record.ts';
import type { StoredItem } from '../store/index.ts';
import type { HttpContext } from './context.ts';
import type { HttpDeps } from './deps.ts';
import { FOREIGN_BYTES_POLICY, taggedResponse } from './headers.ts';
import { itemJson, trustJson } from './item-json.ts';

export const ITEM_FORMATS = ['raw', 'oai_dc', 'dc-json', 'json', 'jsonld'] as const;
export type ItemFormat = (typeof ITEM_FORMATS)[number];

export interface ContentChoice {
  /** Of the stored records, for `raw`; absent: the indexed one. */
  readonly schema?: string | undefined;
  readonly version?: number | undefined;
}

type ContentDeps = Pick<HttpDeps, 'store' | 'formats' | 'repository' | 'links'>;

export async function itemResponse(
  c: HttpContext,
  deps: ContentDeps,
  item: StoredItem,
  format: ItemFormat,
  choice: ContentChoice,
): Promise<Response> {
  if (format === 'raw')
    return recordResponse(c, deps, item, { format: choice.schema, version: choice.version });
  if (choice.version !== undefined || choice.schema !== undefined)
    throw new GarnerError('request.invalid', 'version, schema: only format=raw has them');
  const { baseUrl } = deps.repository;
  const tag = c.req.header('if-none-match');
  const json = (value: unknown, type: string) =>
    taggedResponse(`${JSON.stringify(value)}\n`, { 'content-type': type }, tag);
  switch (format) {
    case 'json':
      return json(
        { ...itemJson(item, baseUrl), ...trustJson(await readItemTrust(deps.store, item, c.get('viewer'))) },
        'application/json',
      );
    case 'jsonld':
      return json(itemJsonLd(item, baseUrl + itemPath(item.source, item.identifier)), 'application/ld+json');
    case 'dc-json':
      return json(await dublinCoreOf(c, deps, item), 'application/json');
    case 'oai_dc':
      return recordResponse(c, deps, item, { format: 'oai_dc' });
  }
}

async function dublinCoreOf(
  c: HttpContext,
  { formats, links }: ContentDeps,
  item: StoredItem,
): Promise<DublinCore> {
  if (item.schema === undefined)
    throw new GarnerError('item.unknown', 'the item was withdrawn; its versions tell what it was');
  const related = (await links?.relate(item.fields, c.get('viewer'))) ?? [];
  return withRelations(toDublinCore(formats.get(item.schema), item.fields), related);
}

async function recordResponse(
  c: HttpContext,
  { store, formats, links }: ContentDeps,
  item: StoredItem,
  choice: RenderChoice,
): Promise<Response> {
  const { mediaType, bytes } = await renderRecord(
    store.items,
    formats,
    item,
    choice,
    c.get('viewer'),
    links?.relate,
  );
  const isJson = mediaType === 'application/json';
  return taggedResponse(
    new Uint8Array(bytes),
    {
      'content-security-policy': FOREIGN_BYTES_POLICY,
      // No charset: the XML declaration is what tells it (RFC 7303 §3).
      'content-type': isJson ? 'application/json' : 'text/xml',
      'content-disposition': `inline; filename="${fileName(item.identifier)}.${isJson ? 'json' : 'xml'}"`,
    },
    c.req.header('if-none-match'),
  );
}

/** Safe on every file system and inside a quoted string. */
export function fileName(identifier: string): string {
  const plain = identifier.replace(/[^A-Za-z0-9._-]+/g, '_').replace(/^[._]+|[._]+$/g, '');
  return plain.slice(-80) || 'record';
}

export async function getReadableItem(
  c: HttpContext,
  { store }: ContentDeps,
  ref: { source: string; identifier: string },
): Promise<StoredItem> {
  const item = await store.items.findItem(ref, c.get('viewer'));
  if (!item)
    throw new GarnerError(
      'item.unknown',
      `there is no item ${ref.identifier} in ${ref.source}, or you may not see it`,
    );
  return item;
}
