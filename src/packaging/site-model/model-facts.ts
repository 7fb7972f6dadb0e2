/** Counts and lists that describe a model as a whole, worked out once when it is made. */
import type { DatabaseSync } from 'node:sqlite';
import type { ArchiveFacts, SiteFacts } from './model-types.ts';

const MOST = 100;

export interface SiteNames {
  readonly source: string;
  readonly snapshot?: string;
  readonly title: string;
}

export function gatherFacts(
  db: DatabaseSync,
  names: SiteNames,
  archives: readonly ArchiveFacts[],
): SiteFacts {
  const number = (sql: string): number => Number(db.prepare(sql).get()?.n ?? 0);
  const texts = (sql: string): string[] =>
    db
      .prepare(sql)
      .all()
      .map(({ value }) => String(value));
  const links = { internal: 0, external: 0, missing: 0 };
  for (const { scope, n } of db
    .prepare('SELECT scope, count(*) AS n FROM reference WHERE requisite = 0 GROUP BY scope')
    .all())
    if (scope === 'internal' || scope === 'external' || scope === 'missing') links[scope] = Number(n);
  const span = db.prepare('SELECT min(at) AS first, max(at) AS last FROM file').get();
  const entry = db.prepare('SELECT url FROM file WHERE depth = 0').get()?.url;
  return {
    ...names,
    ...(typeof span?.first === 'number' && { startedAt: span.first }),
    ...(typeof span?.last === 'number' && { endedAt: span.last }),
    ...(typeof entry === 'string' && { entryUrl: entry }),
    pages: number("SELECT count(*) AS n FROM file WHERE kind = 'page'"),
    files: number('SELECT count(*) AS n FROM file'),
    embedded: number('SELECT count(*) AS n FROM embedded'),
    links,
    redirects: number('SELECT count(*) AS n FROM redirect'),
    mediaTypes: texts(
      `SELECT media_type AS value FROM file WHERE media_type IS NOT NULL AND kind <> 'error'
       GROUP BY media_type ORDER BY count(*) DESC, media_type LIMIT ${MOST}`,
    ),
    languages: texts(
      `SELECT lower(substr(language || '-', 1, instr(language || '-', '-') - 1)) AS value FROM file
       WHERE language IS NOT NULL AND kind = 'page' GROUP BY value ORDER BY count(*) DESC, value LIMIT 10`,
    ),
    archives,
    problems: number('SELECT count(*) AS n FROM file WHERE problems IS NOT NULL'),
  };
}
