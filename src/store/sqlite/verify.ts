/** Every table against every other, every block, every digest; and the index against the records. */
import { hash } from 'node:crypto';
import type { DatabaseSync } from 'node:sqlite';
import { asGarnerError } from '../../core/errors.ts';
import type { StoreFinding } from '../admin.ts';
import { BlockReader } from './blocks.ts';
import { readSnapshot } from './database.ts';

/** A rule and the rows that break it; `key` says where. */
interface Check {
  readonly what: string;
  readonly sql: string;
}

const CHECKS: readonly Check[] = [
  {
    what: 'live_items of the source row differs from its items',
    sql: `SELECT 'source ' || name AS place FROM source AS s
          WHERE live_items <> (SELECT count(*) FROM item WHERE source_id = s.id AND live = 1)`,
  },
  {
    what: 'deleted_items of the source row differs from its items',
    sql: `SELECT 'source ' || name AS place FROM source AS s
          WHERE deleted_items <> (SELECT count(*) FROM item WHERE source_id = s.id AND live = 0)`,
  },
  {
    what: 'item is live or deleted against its records',
    sql: `SELECT 'item ' || key AS place FROM item AS i
          WHERE live <> (SELECT coalesce(max(live), 0) FROM record WHERE item_key = i.key)`,
  },
  {
    what: 'item without any record',
    sql: `SELECT 'item ' || key AS place FROM item WHERE key NOT IN (SELECT item_key FROM record)`,
  },
  {
    what: 'item stamped before one of its records',
    sql: `SELECT 'item ' || key AS place FROM item AS i
          WHERE datestamp < (SELECT coalesce(max(datestamp), 0) FROM record WHERE item_key = i.key AND held = 0)`,
  },
  {
    what: 'item without its source',
    sql: `SELECT 'item ' || key AS place FROM item WHERE source_id NOT IN (SELECT id FROM source)`,
  },
  {
    what: 'item with an access rule that is not there',
    sql: `SELECT 'item ' || key AS place FROM item WHERE access_id NOT IN (SELECT id FROM access_rule)`,
  },
  {
    what: 'item that has not the access rule of its source',
    sql: `SELECT 'item ' || item.key AS place FROM item JOIN source ON source.id = source_id
          WHERE own_access = 0 AND coalesce(item.held_access, item.access_id) <> source.access_id
            AND NOT EXISTS (SELECT 1 FROM meta WHERE name = 'todo:access:' || source.id)`,
  },
  {
    what: 'item that is open or hidden against its records',
    sql: `SELECT 'item ' || key AS place FROM item AS i WHERE live = 1
            AND (held_access IS NOT NULL) <> (SELECT min(held) FROM record WHERE item_key = i.key AND live = 1)`,
  },
  {
    what: 'record without its item, or of another source than its item',
    sql: `SELECT 'record ' || r.key AS place FROM record AS r LEFT JOIN item AS i ON i.key = r.item_key
          WHERE i.source_id IS NOT r.source_id`,
  },
  {
    what: 'record of a format that is not there',
    sql: `SELECT 'record ' || key AS place FROM record WHERE format_id NOT IN (SELECT id FROM format)`,
  },
  {
    what: 'record differs from its newest version',
    sql: `SELECT 'record ' || r.key AS place FROM record AS r
          LEFT JOIN version AS v ON v.record_key = r.key AND v.number = r.version
          WHERE v.number IS NULL OR r.live <> (v.digest IS NOT NULL) OR r.held <> v.held
            OR (r.live = 1 AND (v.digest <> r.digest OR v.raw_block <> r.raw_block OR v.raw_start <> r.raw_start
              OR v.doc_block IS NOT r.doc_block OR v.doc_start IS NOT r.doc_start))`,
  },
  {
    what: 'versions of a record are not numbered from 1 without a gap',
    sql: `SELECT 'record ' || r.key AS place FROM record AS r
          JOIN (SELECT record_key, count(*) AS n, max(number) AS last FROM version GROUP BY record_key) AS v
            ON v.record_key = r.key WHERE v.n <> r.version OR v.last <> r.version`,
  },
  {
    what: 'version without its record',
    sql: `SELECT 'version ' || number || ' of record ' || record_key AS place FROM version
          WHERE record_key NOT IN (SELECT key FROM record)`,
  },
  {
    what: 'record of an entry that is not there',
    sql: `SELECT 'record ' || key AS place FROM record
          WHERE entry_id IS NOT NULL AND entry_id NOT IN (SELECT id FROM entry)`,
  },
  {
    what: 'datestamp or number of a commit that has not been',
    sql: `SELECT 'record ' || key AS place FROM record
          WHERE datestamp > (SELECT value FROM meta WHERE name = 'datestamp')
             OR seq > (SELECT value FROM meta WHERE name = 'seq')`,
  },
  {
    what: 'set membership of nothing',
    sql: `SELECT 'item ' || item_key AS place FROM item_set
          WHERE item_key NOT IN (SELECT key FROM item) OR set_id NOT IN (SELECT id FROM oai_set)`,
  },
  {
    what: 'view membership of nothing',
    sql: `SELECT 'item ' || item_key AS place FROM item_view
          WHERE item_key NOT IN (SELECT key FROM item) OR view_id NOT IN (SELECT id FROM view)`,
  },
  {
    what: 'lease of a run that does not run',
    sql: `SELECT 'lease of source ' || source_id AS place FROM lease
          WHERE run_id NOT IN (SELECT id FROM run WHERE status = 'running')`,
  },
  {
    what: 'problem of a run that is not there',
    sql: `SELECT 'problem ' || id AS place FROM run_problem WHERE run_id NOT IN (SELECT id FROM run)`,
  },
];

/** Of one kind; a store broken all over need not be listed all over. */
const MOST = 100;

export function verifyStore(
  db: DatabaseSync,
  verifyIndex: (db: DatabaseSync) => readonly StoreFinding[],
): readonly StoreFinding[] {
  return readSnapshot(db, () => {
    const pages = db.prepare(`PRAGMA integrity_check(${MOST})`).all();
    const broken = pages.map((row) => String(row.integrity_check)).filter((text) => text !== 'ok');
    // With broken pages the other checks would only say the same in worse words.
    if (broken.length > 0) return broken.map((what) => ({ what, where: 'database pages' }));
    const findings: StoreFinding[] = [];
    for (const { what, sql } of CHECKS) {
      for (const { place } of db.prepare(`${sql} LIMIT ${MOST}`).all())
        findings.push({ what, where: String(place) });
    }
    return [...findings, ...checkBytes(db), ...verifyIndex(db)];
  });
}

interface Piece {
  readonly place: string;
  readonly start: number;
  readonly size: number;
  readonly digest: Uint8Array | null;
  readonly json: number;
}

/** Block by block, so that each is decompressed once. */
function checkBytes(db: DatabaseSync): StoreFinding[] {
  const findings: StoreFinding[] = [];
  const note = (what: string, where: string) => {
    if (findings.length < MOST) findings.push({ what, where });
  };
  const blocks = new BlockReader(db);
  const text = new TextDecoder('utf-8', { fatal: true });
  for (const [id, pieces] of piecesByBlock(db)) {
    let bytes: Uint8Array;
    try {
      bytes = blocks.readBlock(id);
    } catch (error) {
      note(asGarnerError(error).message, pieces[0]?.place ?? `block ${id}`);
      continue;
    }
    for (const { place, start, size, digest, json } of pieces) {
      const piece = bytes.subarray(start, start + size);
      if (piece.length < size) note(`bytes end before their size of ${size}`, place);
      else if (digest && Buffer.compare(hash('sha256', piece, 'buffer'), digest) !== 0) {
        note('bytes differ from their digest', place);
      } else if (json) {
        try {
          JSON.parse(text.decode(piece));
        } catch {
          note('stored fields are not readable', place);
        }
      }
    }
  }
  return findings;
}

/** Blocks nobody refers to are looked at too. */
function* piecesByBlock(db: DatabaseSync): Generator<[id: number, pieces: Piece[]]> {
  const rows = db
    .prepare(
      `SELECT id, place, start, size, digest, json FROM (
         SELECT id, 'block ' || id AS place, 0 AS start, 0 AS size, NULL AS digest, 0 AS json FROM block
         UNION ALL SELECT raw_block, 'record ' || key, raw_start, size, digest, 0 FROM record WHERE raw_block IS NOT NULL
         UNION ALL SELECT made_block, 'record ' || key, made_start, made_size, NULL, 0 FROM record WHERE made_block IS NOT NULL
         UNION ALL SELECT doc_block, 'record ' || key, doc_start, doc_size, NULL, 1 FROM record WHERE doc_block IS NOT NULL
         UNION ALL SELECT doc_block, 'record ' || key, doc_start + doc_size, rest_size, NULL, 1 FROM record WHERE rest_size > 0
         UNION ALL SELECT raw_block, 'version ' || number || ' of record ' || record_key, raw_start, size, digest, 0
           FROM version WHERE raw_block IS NOT NULL
         UNION ALL SELECT doc_block, 'version ' || number || ' of record ' || record_key, doc_start, doc_size, NULL, 1
           FROM version WHERE doc_block IS NOT NULL
       ) ORDER BY id`,
    )
    .iterate();
  let current: [number, Piece[]] | undefined;
  for (const row of rows) {
    const id = Number(row.id);
    if (current?.[0] !== id) {
      if (current) yield current;
      current = [id, []];
    }
    current[1].push({
      place: String(row.place),
      start: Number(row.start),
      size: Number(row.size),
      digest: row.digest instanceof Uint8Array ? row.digest : null,
      json: Number(row.json),
    });
  }
  if (current) yield current;
}
