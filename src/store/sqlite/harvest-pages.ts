/** The port for harvesters: pages with content, counts, formats and sets, as one viewer may see them. */
import type { DatabaseSync } from 'node:sqlite';
import type { Viewer } from '../../core/access.ts';
import type {
  HarvestContent,
  HarvestFacts,
  HarvestPage,
  HarvestRange,
  HarvestRecord,
  HarvestRequest,
  HarvestScope,
  HarvestSet,
  HarvestStore,
  RecordFacts,
} from '../harvest.ts';
import { type AccessFilter, type AllowedRules, allowedAsJson, mayRead } from './access-filter.ts';
import type { BlockReader } from './blocks.ts';
import { readSnapshot } from './database.ts';
import { createMeasure } from './harvest-extent.ts';
import type { HarvestNames } from './harvest-names.ts';
import {
  type ContentRow,
  type HarvestStreams,
  mostSpecific,
  type SetsOfItems,
  START,
  type StreamRange,
  secondsOf,
} from './harvest-streams.ts';

const NOTHING = new Uint8Array();

type Writable<T> = { -readonly [K in keyof T]: T[K] };

export interface HarvestParts {
  readonly db: DatabaseSync;
  readonly blocks: BlockReader;
  readonly access: AccessFilter;
  readonly names: HarvestNames;
  readonly streams: HarvestStreams;
  readonly setsOfItems: SetsOfItems;
  readonly repositoryIdentifier: string;
}

export function createHarvestStore(parts: HarvestParts): HarvestStore {
  const { db, blocks, access, names, streams, setsOfItems } = parts;
  const facts = createFacts(db, parts.repositoryIdentifier);
  const measure = createMeasure(parts);
  const listSets = createSetList(db, access, names);

  const rangeOf = (range: HarvestRange, viewer: Viewer, closedBefore: number): StreamRange => ({
    basis: range.format === undefined ? 'item' : 'record',
    format: names.format(range.format),
    ids: names.scope(range, viewer),
    ...secondsOf(range, closedBefore),
    viewer,
  });

  function readContent(row: ContentRow, { content, prefer }: HarvestContent): Uint8Array {
    if (content === undefined || row.record_key === null) return NOTHING;
    const isPreferred =
      prefer !== undefined && row.format_id !== null && names.formatName(row.format_id) === prefer;
    if (content === 'fields' && !isPreferred)
      return row.doc_block === null
        ? NOTHING
        : blocks.read(row.doc_block, row.doc_start ?? 0, row.doc_size ?? 0);
    if (content !== 'raw' && row.made_block !== null)
      return blocks.read(row.made_block, row.made_start ?? 0, row.made_size ?? 0);
    return row.raw_block === null ? NOTHING : blocks.read(row.raw_block, row.raw_start ?? 0, row.size);
  }

  function makePage(
    rows: readonly ContentRow[],
    request: HarvestContent & { readonly set?: string; readonly maxBytes?: number },
    allowed: AllowedRules,
    { more, closedBefore }: { readonly more: boolean; readonly closedBefore: number },
  ): HarvestPage {
    const sets = setsOfItems(rows);
    const pieces: Uint8Array[] = [];
    const records: HarvestRecord[] = [];
    let start = 0;
    for (const row of rows) {
      const readable = mayRead(allowed, row.access_id);
      const isLive = row.live === 1 && row.gone === 0 && readable;
      const bytes = isLive ? readContent(row, request) : NOTHING;
      if (bytes.length > 0) pieces.push(bytes);
      const own = readable ? (sets.get(row.item_key) ?? []) : [];
      const record: Writable<HarvestRecord> = {
        source: row.source,
        identifier: row.identifier,
        oaiIdentifier: row.oai_identifier,
        key: row.item_key,
        datestampAt: row.stamp * 1000,
        status: isLive ? 'live' : 'deleted',
        // Whoever asked for a set hears from which one it is gone.
        sets: request.set !== undefined && !isLive ? mostSpecific([...own, request.set]) : own,
        start,
        size: bytes.length,
      };
      if (isLive && row.format_id !== null) record.format = names.formatName(row.format_id);
      if (isLive && typeof row.origin === 'string') record.origin = row.origin;
      if (isLive && row.digest !== undefined) record.facts = factsOf(row, row.digest);
      records.push(record);
      start += bytes.length;
      if (request.maxBytes !== undefined && start >= request.maxBytes) break;
    }
    return {
      records,
      bytes: pieces.length === 0 ? NOTHING : Buffer.concat(pieces, start),
      more: more || records.length < rows.length,
      completeUntilAt: (closedBefore - 1) * 1000,
    };
  }

  function listPage(request: HarvestRequest, viewer: Viewer): HarvestPage {
    const closedBefore = streams.closedBefore();
    return readSnapshot(db, () => {
      const { after, limit } = request;
      const position = after ? ([Math.floor(after.datestampAt / 1000), after.key] as const) : START;
      const rows = streams.list(rangeOf(request, viewer, closedBefore), position, {
        wanted: { content: request.content !== undefined, facts: request.facts === true },
        preferred: request.prefer === undefined ? null : names.format(request.prefer),
        // One more, to know whether the list goes on.
        limit: limit + 1,
      });
      const more = rows.length > limit;
      return makePage(rows.slice(0, limit), request, access.allowed(viewer), { more, closedBefore });
    });
  }

  function findPage(
    oaiIdentifier: string,
    request: HarvestContent & HarvestScope & { readonly format?: string },
    viewer: Viewer,
  ): HarvestPage {
    const closedBefore = streams.closedBefore();
    return readSnapshot(db, () => {
      const row = streams.find(
        oaiIdentifier,
        rangeOf(request, viewer, closedBefore),
        request.prefer === undefined ? null : names.format(request.prefer),
      );
      return makePage(row ? [row] : [], request, access.allowed(viewer), { more: false, closedBefore });
    });
  }

  const hasRecords = (scope: HarvestScope, format: string, viewer: Viewer): boolean =>
    listPage({ ...scope, format, limit: 1 }, viewer).records.length > 0;

  return {
    listPage: async (request, viewer) => listPage(request, viewer),
    countRecords: async (range, viewer) => {
      const closedBefore = streams.closedBefore();
      return readSnapshot(db, () => streams.count(rangeOf(range, viewer, closedBefore)));
    },
    measure: async (request, viewer) => {
      const closedBefore = streams.closedBefore();
      return readSnapshot(db, () => measure(request, viewer, closedBefore));
    },
    findPage: async (oaiIdentifier, request, viewer) => findPage(oaiIdentifier, request, viewer),
    listFormats: async (scope, viewer, oaiIdentifier) =>
      names
        .formats()
        .map(names.formatName)
        .filter((format) =>
          oaiIdentifier === undefined
            ? hasRecords(scope, format, viewer)
            : findPage(oaiIdentifier, { ...scope, format }, viewer).records.length > 0,
        ),
    listSets: async (request, viewer) => readSnapshot(db, () => listSets(request, viewer)),
    describe: async () => readSnapshot(db, facts),
  };
}

function factsOf(row: ContentRow, digest: Uint8Array): RecordFacts {
  return {
    digest: Buffer.from(digest).toString('hex'),
    length: row.size,
    isNew: row.change === 'added' || row.change === 'restored' || row.came === 1,
  };
}

function createFacts(db: DatabaseSync, repositoryIdentifier: string): () => HarvestFacts {
  const earliest = db.prepare(
    'SELECT min((SELECT min(datestamp) FROM record WHERE format_id = format.id)) AS second FROM format',
  );
  const createdAt = db.prepare(`SELECT value FROM meta WHERE name = 'created_at'`);
  // What has not our beginning stands before or behind all that has it.
  const foreign = db.prepare(
    'SELECT 1 FROM (SELECT min(oai_identifier) AS low, max(oai_identifier) AS high FROM item) WHERE low < ?1 OR high >= ?2',
  );
  return () => {
    const second = earliest.get()?.second;
    const begin = `oai:${repositoryIdentifier}:`;
    return {
      earliestAt:
        second === null || second === undefined
          ? Math.floor(Number(createdAt.get()?.value ?? 0) / 1000) * 1000
          : Number(second) * 1000,
      onlyMinted: foreign.get(begin, begin.replace(/:$/, ';')) === undefined,
    };
  };
}

function createSetList(db: DatabaseSync, access: AccessFilter, names: HarvestNames) {
  const members = `FROM item_set AS s JOIN item AS i ON i.key = s.item_key
    WHERE s.set_id = o.id AND s.gone IS NULL AND i.live = 1
      AND (?2 IS NULL OR i.access_id IN (SELECT value FROM json_each(?2)))
      AND (?3 IS NULL OR i.source_id = ?3)
      AND (?4 IS NULL OR EXISTS (SELECT 1 FROM item_view AS v
        WHERE v.item_key = i.key AND v.view_id = ?4 AND v.gone IS NULL))`;
  const listed = db.prepare(
    `SELECT spec, NULL AS items FROM oai_set AS o WHERE spec > ?1 AND EXISTS (SELECT 1 ${members})
     ORDER BY spec LIMIT ?5`,
  );
  const counted = db.prepare(
    `SELECT * FROM (SELECT spec, (SELECT count(*) ${members}) AS items FROM oai_set AS o WHERE spec > ?1)
     WHERE items > 0 ORDER BY spec LIMIT ?5`,
  );
  return (request: Parameters<HarvestStore['listSets']>[0], viewer: Viewer): HarvestSet[] => {
    const ids = names.scope(request, viewer);
    const rules = allowedAsJson(access.allowed(viewer));
    const rows = (request.counted === true ? counted : listed).all(
      request.after ?? '',
      rules,
      ids.source,
      ids.view,
      request.limit,
    );
    return rows.map((row) => ({
      spec: String(row.spec),
      ...(row.items === null ? {} : { items: Number(row.items) }),
    }));
  };
}
