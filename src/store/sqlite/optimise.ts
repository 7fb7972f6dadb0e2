/** Housekeeping after large imports. */
import { translatingErrors } from './sqlite-error.ts';
import type { StoreWriter } from './writer.ts';

const CHUNK = 2000;

export function optimiseStore(writer: StoreWriter): void {
  translatingErrors(() => writer.index.optimise());
  dropUnusedBlocks(writer);
  // Never waits: a reader on an old snapshot only postpones it.
  translatingErrors(() => writer.db.exec('PRAGMA optimize; PRAGMA wal_checkpoint(PASSIVE)'));
}

/** Documents that a reindex replaced. Ids are never given twice, so no reader takes new bytes for old ones. */
function dropUnusedBlocks(writer: StoreWriter): void {
  const { db } = writer;
  const listUnused = db.prepare(
    `SELECT id FROM block WHERE id NOT IN (
       SELECT raw_block FROM record WHERE raw_block IS NOT NULL
       UNION SELECT made_block FROM record WHERE made_block IS NOT NULL
       UNION SELECT doc_block FROM record WHERE doc_block IS NOT NULL
       UNION SELECT raw_block FROM version WHERE raw_block IS NOT NULL
       UNION SELECT made_block FROM version WHERE made_block IS NOT NULL
       UNION SELECT doc_block FROM version WHERE doc_block IS NOT NULL)`,
  );
  const drop = db.prepare('DELETE FROM block WHERE id IN (SELECT value FROM json_each(?))');
  // A block once unused stays so: only a transaction that still runs may refer to a new one.
  const unused = translatingErrors(() => listUnused.all().map(({ id }) => Number(id)));
  for (let at = 0; at < unused.length; at += CHUNK) {
    writer.transact(() => drop.run(JSON.stringify(unused.slice(at, at + CHUNK))));
  }
}
