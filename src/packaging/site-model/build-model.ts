/** A site model from its captures: one pass over them, then the rest inside the database. */
import { DatabaseSync } from 'node:sqlite';
import { headerValue, keepFilesOpen } from '../../archive/index.ts';
import { identifierOf } from '../../archive/items/index.ts';
import type { Viewer } from '../../core/access.ts';
import { mapAhead } from '../../core/map-ahead.ts';
import type { StoredCapture } from '../../store/index.ts';
import { readArchiveFacts } from './archive-facts.ts';
import { chooseCaptures } from './choose-captures.ts';
import { gatherFacts, type SiteNames } from './model-facts.ts';
import { MODEL_LAYOUT, MODEL_TABLES } from './model-schema.ts';
import type { SiteFacts } from './model-types.ts';
import { createModelWriter } from './model-writer.ts';
import { type ContentAccess, readFile } from './read-file.ts';
import { resolveInThread } from './resolve-in-thread.ts';
import { resolveModel } from './resolve-model.ts';

const CACHE_KIB = 32 * 1024;
export const IN_MEMORY = ':memory:';

/** `path` may be `IN_MEMORY`, for what is not kept. The database is left open. */
export async function buildModel(
  access: ContentAccess,
  names: SiteNames,
  captures: AsyncIterable<StoredCapture>,
  path: string,
  viewer: Viewer,
): Promise<DatabaseSync> {
  let db = new DatabaseSync(path);
  try {
    // Made whole and then put in place: what a crash leaves behind is thrown away, so nothing needs syncing.
    db.exec(
      `PRAGMA journal_mode=OFF; PRAGMA synchronous=OFF; PRAGMA temp_store=FILE; PRAGMA cache_size=-${CACHE_KIB};
       PRAGMA user_version=${MODEL_LAYOUT}; BEGIN`,
    );
    db.exec(MODEL_TABLES);
    const writer = createModelWriter(db);
    const archives = new Set<string>();
    await using files = keepFilesOpen(MAX_OPEN_FILES);
    const reading = { ...access, files };
    const chosen = mapAhead(chooseCaptures(captures), AHEAD, async (capture) => ({
      capture,
      read: await readFile(reading, capture, viewer),
    }));
    for await (const { capture, read } of chosen) {
      if (capture.file !== undefined) archives.add(capture.file);
      const target = redirectOf(capture, headerValue(read.file.headers, 'Location'));
      const { status, at } = capture;
      if (target === undefined) writer.addFile(read);
      else writer.addRedirect({ url: identifierOf(capture.url), target, status, at });
    }
    if (path === IN_MEMORY) resolveModel(db);
    else {
      db.exec('COMMIT');
      db.close();
      await resolveInThread(path);
      db = new DatabaseSync(path);
      db.exec('BEGIN');
    }
    const facts: SiteFacts = gatherFacts(
      db,
      names,
      await readArchiveFacts(access.dataFolder, names.source, [...archives].toSorted()),
    );
    db.prepare("INSERT INTO fact(name, value) VALUES ('site', ?)").run(JSON.stringify(facts));
    db.exec('COMMIT');
    return db;
  } catch (error) {
    if (db.isOpen) db.close();
    throw error;
  }
}

/** While one capture is understood the next ones are already on their way from the disk. */
const AHEAD = 6;
const MAX_OPEN_FILES = 64;

function redirectOf(capture: StoredCapture, location: string | undefined): string | undefined {
  const { status = 200, url } = capture;
  if (status < 300 || status >= 400 || status === 304) return undefined;
  const written = capture.redirect ?? location;
  const target = written === undefined ? null : URL.parse(written, url);
  return target ? identifierOf(target.href) : undefined;
}
