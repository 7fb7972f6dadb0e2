/** Reading single items: what they are, what they were, their bytes. */
import type { DatabaseSync } from 'node:sqlite';
import type { Viewer } from '../../core/access.ts';
import type { ItemRef } from '../../core/model.ts';
import { readEvent } from '../../core/version-event.ts';
import type {
  RecordChoice,
  RecordContent,
  RecordState,
  StoredItem,
  VersionChange,
  VersionInfo,
} from '../items.ts';
import { type AccessFilter, mayRead } from './access-filter.ts';
import type { BlockReader } from './blocks.ts';
import { readSnapshot } from './database.ts';
import { mostSpecific } from './harvest-streams.ts';
import { findIndexedRecord } from './item-state.ts';
import type { RecordRow } from './item-statements.ts';
import { type DocumentPlace, readStoredFields } from './stored-document.ts';

interface ItemRow {
  readonly key: number;
  readonly source: string;
  readonly identifier: string;
  readonly oai_identifier: string;
  readonly live: number;
  readonly access_id: number;
  readonly first_seen_at: number;
  readonly title: string | null;
}

interface NamedRecordRow extends RecordRow {
  readonly format: string;
}

/** Where the bytes of one version lie; the columns have the same names in `record` and `version`. */
interface ContentPlace extends DocumentPlace {
  readonly number: number;
  readonly held: number;
  readonly size: number;
  readonly raw_block: number | null;
  readonly raw_start: number | null;
  readonly made_block: number | null;
  readonly made_start: number | null;
  readonly made_size: number | null;
}

const ITEM = `item.key, source.name AS source, item.identifier, item.oai_identifier, item.live,
  item.access_id, item.first_seen_at, item.title FROM item JOIN source ON source.id = item.source_id`;

const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex');

export function createItemReader(db: DatabaseSync, blocks: BlockReader, access: AccessFilter) {
  const byRef = db.prepare(`SELECT ${ITEM} WHERE source.name = ? AND item.identifier = ?`);
  const byOai = db.prepare(`SELECT ${ITEM} WHERE item.oai_identifier = ?`);
  const byIdentifier = db.prepare(`SELECT ${ITEM} WHERE item.identifier = ? ORDER BY item.key`);
  const recordsOf = db.prepare(
    `SELECT record.*, format.name AS format FROM record JOIN format ON format.id = record.format_id
     WHERE item_key = ? ORDER BY record.key`,
  );
  const setsOf = db.prepare(
    `SELECT spec FROM item_set JOIN oai_set ON oai_set.id = set_id
     WHERE item_key = ? AND gone IS NULL ORDER BY spec`,
  );
  const viewsOf = db.prepare(
    `SELECT name, access_id FROM item_view JOIN view ON view.id = view_id
     WHERE item_key = ? AND gone IS NULL AND dropped_at IS NULL ORDER BY name`,
  );
  const versionsOf = db.prepare(
    `SELECT version.*, format.name AS format FROM record JOIN format ON format.id = record.format_id
     JOIN version ON version.record_key = record.key
     WHERE record.item_key = ?1 AND (?2 = 1 OR (record.held = 0 AND version.held = 0)) ORDER BY version.seq, version.record_key, version.number`,
  );
  const versionByNumber = db.prepare('SELECT * FROM version WHERE record_key = ? AND number = ?');
  const versionAt = db.prepare(
    'SELECT * FROM version WHERE record_key = ? AND at <= ? ORDER BY number DESC LIMIT 1',
  );

  function findRow(row: Record<string, unknown> | undefined, viewer: Viewer): ItemRow | undefined {
    const item = row as ItemRow | undefined;
    return item && mayRead(access.allowed(viewer), item.access_id) ? item : undefined;
  }

  const readsHeld = (viewer: Viewer): boolean => access.allowed(viewer) === 'all';

  function listRecords(itemKey: number, viewer: Viewer): NamedRecordRow[] {
    const records: NamedRecordRow[] = recordsOf.all(itemKey) as Record<keyof NamedRecordRow, never>[];
    return readsHeld(viewer) ? records : records.filter(({ held }) => held === 0);
  }

  function describe(row: ItemRow, viewer: Viewer): StoredItem {
    const allowed = access.allowed(viewer);
    const records = listRecords(row.key, viewer);
    const indexed = findIndexedRecord(records);
    return {
      source: row.source,
      identifier: row.identifier,
      oaiIdentifier: row.oai_identifier,
      status: row.live === 1 ? 'live' : 'deleted',
      ...(row.title === null ? {} : { title: row.title }),
      firstSeenAt: row.first_seen_at,
      ...(indexed ? { schema: indexed.format } : {}),
      fields: indexed ? readStoredFields(blocks, indexed) : {},
      records: records.map(stateOf),
      sets: mostSpecific(setsOf.all(row.key).map(({ spec }) => String(spec))),
      views: viewsOf
        .all(row.key)
        .filter((view) => mayRead(allowed, Number(view.access_id)))
        .map(({ name }) => String(name)),
      access: access.rule(row.access_id),
    };
  }

  function choosePlace(record: NamedRecordRow, { version, at }: RecordChoice): ContentPlace | undefined {
    if (version === undefined && at === undefined) {
      return record.live === 1 ? { ...record, number: record.version } : undefined;
    }
    const row =
      version === undefined ? versionAt.get(record.key, at ?? 0) : versionByNumber.get(record.key, version);
    return row as Record<keyof ContentPlace, never> | undefined;
  }

  function readBytes(place: ContentPlace, rendering: RecordChoice['rendering']): Uint8Array | undefined {
    // A copy, since blocks are shared with other readers.
    if (rendering === 'transformed' && place.made_block !== null) {
      return blocks.read(place.made_block, place.made_start ?? 0, place.made_size ?? 0).slice();
    }
    // A deletion has no bytes.
    if (place.raw_block === null) return undefined;
    return blocks.read(place.raw_block, place.raw_start ?? 0, place.size).slice();
  }

  return {
    findItem: (ref: ItemRef, viewer: Viewer): StoredItem | undefined =>
      readSnapshot(db, () => {
        const row = findRow(byRef.get(ref.source, ref.identifier), viewer);
        return row && describe(row, viewer);
      }),

    findItemByOaiIdentifier: (oaiIdentifier: string, viewer: Viewer): StoredItem | undefined =>
      readSnapshot(db, () => {
        const row = findRow(byOai.get(oaiIdentifier), viewer);
        return row && describe(row, viewer);
      }),

    findItemsByIdentifier: (identifier: string, viewer: Viewer): readonly StoredItem[] =>
      readSnapshot(db, () =>
        byIdentifier.all(identifier).flatMap((found) => {
          const row = findRow(found, viewer);
          return row ? [describe(row, viewer)] : [];
        }),
      ),

    findContent: (ref: ItemRef, choice: RecordChoice, viewer: Viewer): RecordContent | undefined =>
      readSnapshot(db, () => {
        const row = findRow(byRef.get(ref.source, ref.identifier), viewer);
        if (!row) return undefined;
        const records = listRecords(row.key, viewer);
        const record =
          choice.format === undefined
            ? (findIndexedRecord(records) ?? records[0])
            : records.find(({ format }) => format === choice.format);
        const place = record && choosePlace(record, choice);
        if (!place || (place.held === 1 && !readsHeld(viewer))) return undefined;
        const bytes = readBytes(place, choice.rendering);
        if (!bytes) return undefined;
        return {
          source: row.source,
          identifier: row.identifier,
          format: record.format,
          version: place.number,
          bytes,
        };
      }),

    listHistory: (ref: ItemRef, viewer: Viewer): readonly VersionInfo[] =>
      readSnapshot(db, () => {
        const row = findRow(byRef.get(ref.source, ref.identifier), viewer);
        if (!row) return [];
        return versionsOf.all(row.key, readsHeld(viewer) ? 1 : 0).map((version) => ({
          format: String(version.format),
          version: Number(version.number),
          at: Number(version.at),
          change: String(version.change) as VersionChange,
          runId: Number(version.run_id),
          ...(version.digest instanceof Uint8Array ? { digest: hex(version.digest) } : {}),
          size: Number(version.size),
          ...(version.note === null ? {} : { note: String(version.note) }),
          ...factsOf(version.origin),
          ...(version.digest !== null && version.raw_block === null ? { thinned: true } : {}),
        }));
      }),
  };
}

/** Of what is kept with a version, what its history tells. */
function factsOf(origin: unknown): Pick<VersionInfo, 'event' | 'pinned' | 'thinnedAt'> {
  if (typeof origin !== 'string' || !/"(?:event|pinned|thinnedAt)"/.test(origin)) return {};
  const facts: unknown = JSON.parse(origin);
  const event = readEvent(facts);
  const { pinned, thinnedAt } = facts as { readonly pinned?: unknown; readonly thinnedAt?: unknown };
  return {
    ...(event && { event }),
    ...(pinned === true && { pinned }),
    ...(typeof thinnedAt === 'number' && { thinnedAt }),
  };
}

function stateOf(record: NamedRecordRow): RecordState {
  return {
    format: record.format,
    status: record.live === 1 ? 'live' : 'deleted',
    datestampAt: record.datestamp * 1000,
    version: record.version,
    size: record.size,
    digest: hex(record.digest),
  };
}
