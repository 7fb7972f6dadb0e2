/**
 * What can be said only when all captures are known: where links lead, what is embedded in what, which page
 * is the entry, and how far the others are from it. All of it inside the database, so in bounded memory.
 */
import type { DatabaseSync } from 'node:sqlite';

/** Longer chains are loops, or meant to be. */
const MAX_REDIRECTS = 10;
/** A page, its style sheets, what these import. */
const MAX_EMBEDDING = 4;
const MAX_DEPTH = 10_000;

export function resolveModel(db: DatabaseSync): void {
  db.exec('CREATE INDEX file_by_key ON file(url_key)');
  db.exec('CREATE INDEX redirect_by_key ON redirect(url_key)');
  followRedirects(db);
  findTargets(db);
  db.exec('CREATE INDEX reference_from ON reference(from_key)');
  listEmbedded(db);
  // Pages and documents are parts of the site; other files only where a link leads to them.
  db.exec(`UPDATE file SET ord = 0 WHERE kind IN ('page', 'document');
    UPDATE file SET ord = 0 WHERE key IN
      (SELECT file_key FROM reference WHERE requisite = 0 AND scope = 'internal')`);
  measureDepth(db);
  // The entry page first, then by distance from it, then by URL.
  db.exec(`UPDATE file SET ord = placed.ord FROM
      (SELECT key, row_number() OVER (ORDER BY depth IS NULL, depth, url) AS ord FROM file WHERE ord = 0) AS placed
    WHERE placed.key = file.key;
    CREATE INDEX file_ord ON file(ord);
    CREATE INDEX file_kind ON file(kind, url)`);
}

function followRedirects(db: DatabaseSync): void {
  const arrive = db.prepare(
    `UPDATE redirect SET file_key = (SELECT key FROM file WHERE file.url = redirect.next)
     WHERE file_key IS NULL`,
  );
  const goOn = db.prepare(
    `UPDATE redirect SET next = (SELECT other.target FROM redirect AS other WHERE other.url = redirect.next)
     WHERE file_key IS NULL AND next IN (SELECT url FROM redirect)`,
  );
  for (let hop = 0; hop < MAX_REDIRECTS; hop++) {
    arrive.run();
    if (goOn.run().changes === 0) return;
  }
}

/** By the URL itself, by where it was redirected to, or by a URL that archives take for the same. */
function findTargets(db: DatabaseSync): void {
  db.exec(`UPDATE reference SET file_key = (SELECT key FROM file WHERE file.url = reference.url);
    UPDATE reference SET file_key = (SELECT file_key FROM redirect WHERE redirect.url = reference.url)
      WHERE file_key IS NULL;
    UPDATE reference SET file_key = coalesce(
        (SELECT key FROM file WHERE file.url_key = reference.url_key),
        (SELECT redirect.file_key FROM redirect WHERE redirect.url_key = reference.url_key))
      WHERE file_key IS NULL;
    CREATE TEMP TABLE site_host AS
      SELECT DISTINCT substr(url_key, 1, instr(url_key, ')')) AS host FROM file WHERE kind = 'page';
    UPDATE reference SET scope = CASE
      WHEN (SELECT kind FROM file WHERE key = file_key) <> 'error' THEN 'internal'
      WHEN file_key IS NOT NULL OR substr(url_key, 1, instr(url_key, ')')) IN (SELECT host FROM site_host)
        THEN 'missing'
      ELSE 'external' END;
    DROP TABLE site_host`);
  // What only looked like a link, and leads nowhere, was none.
  db.exec("DELETE FROM reference WHERE heuristic = 1 AND scope <> 'internal'");
}

function listEmbedded(db: DatabaseSync): void {
  db.exec(`CREATE TEMP TABLE found(page_key INTEGER, url TEXT, kind TEXT, file_key INTEGER, via_key INTEGER,
      depth INTEGER, ord INTEGER, PRIMARY KEY(page_key, url)) WITHOUT ROWID;
    INSERT OR IGNORE INTO found(page_key, url, kind, file_key, depth, ord)
      SELECT from_key, reference.url, reference.kind, file_key, 1, reference.key
      FROM reference JOIN file ON file.key = from_key
      WHERE requisite = 1 AND file.kind = 'page' AND file_key IS NOT from_key ORDER BY reference.key;
    CREATE INDEX temp.found_depth ON found(depth)`);
  const deeper = db.prepare(
    `INSERT OR IGNORE INTO found(page_key, url, kind, file_key, via_key, depth, ord)
     SELECT e.page_key, r.url, r.kind, r.file_key, e.file_key, e.depth + 1, r.key
     FROM found AS e JOIN reference AS r ON r.from_key = e.file_key
     WHERE e.depth = ? AND e.kind IN ('style', 'frame') AND r.requisite = 1 AND r.file_key IS NOT e.page_key`,
  );
  for (let depth = 1; depth < MAX_EMBEDDING && deeper.run(depth).changes > 0; depth++);
  // All of one page together, in the order in which it names them.
  db.exec(`INSERT INTO embedded(page_key, url, kind, file_key, via_key, depth, ord)
      SELECT page_key, url, kind, file_key, via_key, depth, ord FROM found ORDER BY page_key, depth, ord;
    CREATE INDEX embedded_page ON embedded(page_key);
    DROP TABLE found`);
}

/** The front page of the host with most pages; else what lies nearest to it. */
const ENTRY = `
  SELECT f.key FROM file AS f
  JOIN (SELECT substr(url_key, 1, instr(url_key, ')')) AS host, count(*) AS pages FROM file
        WHERE kind = 'page' GROUP BY host) AS h ON h.host = substr(f.url_key, 1, instr(f.url_key, ')'))
  WHERE f.ord = 0
  ORDER BY f.kind <> 'page', h.pages DESC, length(f.url_key) - length(replace(f.url_key, '/', '')),
    instr(f.url_key, '?') > 0, length(f.url_key), f.url
  LIMIT 1`;

function measureDepth(db: DatabaseSync): void {
  const entry = (db.prepare(ENTRY).get() ?? db.prepare('SELECT key FROM file WHERE ord = 0 LIMIT 1').get())
    ?.key;
  if (typeof entry !== 'number') return;
  db.prepare('UPDATE file SET depth = 0 WHERE key = ?').run(entry);
  db.exec('CREATE INDEX file_depth ON file(depth)');
  const next = db.prepare(
    `UPDATE file SET depth = ?1 + 1 WHERE depth IS NULL AND ord = 0 AND key IN
       (SELECT r.file_key FROM file AS f JOIN reference AS r ON r.from_key = f.key
        WHERE f.depth = ?1 AND r.scope = 'internal' AND (r.requisite = 0 OR r.kind = 'frame'))`,
  );
  for (let depth = 0; depth < MAX_DEPTH; depth++) if (next.run(depth).changes === 0) return;
}
