/**
 * A curator's words about an archived page or a snapshot. They stand before what the item says of itself, which is
 * kept beside them; each change is a version, driven by the repository, with who made it and why.
 */
import { captureRecord } from '../../archive/items/index.ts';
import { OPERATOR } from '../../core/access.ts';
import { GarnerError } from '../../core/errors.ts';
import type { FieldSpec, ItemRef } from '../../core/model.ts';
import type { CataloguedValues } from '../../formats/catalogued.ts';
import { type WebCapture, webCapture } from '../../formats/web-capture.ts';
import { webSnapshot } from '../../formats/web-snapshot.ts';
import type { CommitResult, GarnerStore, StoredItem } from '../../store/index.ts';
import { parseCapture } from '../snapshot/parse-capture.ts';
import { mergeCatalogued, modifySnapshot } from '../versions/modify-snapshot.ts';

export interface Cataloguing {
  readonly values: CataloguedValues;
  /** Who says it. */
  readonly agent: string;
  readonly reason: string;
}

interface CatalogueDeps {
  readonly store: Pick<GarnerStore, 'items' | 'captures' | 'blobs'>;
  readonly fields: readonly FieldSpec[];
}

export const canBeCatalogued = ({ schema, status }: Pick<StoredItem, 'schema' | 'status'>): boolean =>
  status === 'live' && (schema === webCapture.name || schema === webSnapshot.name);

/** The run must hold the lease of the source. */
export async function catalogueItem(
  deps: CatalogueDeps,
  item: ItemRef & Pick<StoredItem, 'schema' | 'status'>,
  runId: number,
  { values, agent, reason }: Cataloguing,
): Promise<CommitResult> {
  if (!canBeCatalogued(item))
    throw new GarnerError(
      'request.invalid',
      'only archived pages and snapshots are described here; records of others are changed where they come from',
    );
  const event = { type: 'recataloguing', driver: 'repository', agent, reason } as const;
  if (item.schema === webSnapshot.name)
    return modifySnapshot(deps, item, runId, { ...event, catalogued: values });
  const { catalogued: before, cataloguedBy: _, ...record } = await readCapture(deps, item);
  const catalogued = mergeCatalogued(before, values);
  const changed: WebCapture = { ...record, ...(catalogued && { catalogued, cataloguedBy: agent }) };
  return deps.store.items.commit({
    source: item.source,
    runId,
    records: [captureRecord(changed, deps.fields, { event })],
  });
}

async function readCapture({ store }: CatalogueDeps, ref: ItemRef): Promise<WebCapture> {
  const content = await store.items.findContent(ref, { format: webCapture.name }, OPERATOR);
  if (!content) throw new GarnerError('item.unknown', `there is no capture of ${ref.identifier}`);
  return parseCapture(content.bytes);
}
