/** Fills the tables of a model while captures go by. One transaction: a model is there whole or not at all. */
import type { DatabaseSync } from 'node:sqlite';
import { isRequisite, type Link } from '../../archive/content/index.ts';
import { surtKey } from '../../archive/index.ts';
import type { ReadFile } from './read-file.ts';

/** What a reader follows, or is made to; other links show the page, or tell programs of it (`rel="license"`). */
const isFollowed = ({ kind, extent, heuristic }: Link): boolean =>
  kind === 'redirect' || (kind === 'page' && (extent !== undefined || heuristic === true));

export interface ModelWriter {
  addFile(read: ReadFile): void;
  addRedirect(redirect: {
    readonly url: string;
    readonly target: string;
    readonly status: number | undefined;
    readonly at: number;
  }): void;
}

export function createModelWriter(db: DatabaseSync): ModelWriter {
  const insertFile = db.prepare(
    `INSERT OR REPLACE INTO file(url, url_key, at, type, status, kind, media_type, size, sha256, digest, charset,
       language, title, described, headers, image, archive, offset, record_id, repeats_at, problems)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  );
  const insertReference = db.prepare(
    `INSERT INTO reference(from_key, url, url_key, kind, requisite, heuristic, rel, anchor, occurrence, at, length)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  );
  const insertRedirect = db.prepare(
    'INSERT OR REPLACE INTO redirect(url, url_key, target, status, at, next) VALUES (?, ?, ?, ?, ?, ?)',
  );
  const keys = new KeyMemory();

  function addLinks(fileKey: number, links: readonly Link[]): void {
    const seen = new Map<string, number>();
    for (const link of links) {
      const requisite = isRequisite(link);
      if (!requisite && !isFollowed(link)) continue;
      const place = link.extent ?? link.position;
      const occurrence = requisite ? 0 : (seen.get(link.url) ?? 0);
      if (!requisite) seen.set(link.url, occurrence + 1);
      insertReference.run(
        fileKey,
        link.url,
        keys.of(link.url),
        link.kind,
        requisite ? 1 : 0,
        link.heuristic === true ? 1 : 0,
        link.rel ?? null,
        link.anchor ?? null,
        occurrence,
        place?.at ?? null,
        place?.length ?? null,
      );
    }
  }

  return {
    addFile({ file, links }) {
      const { lastInsertRowid } = insertFile.run(
        file.url,
        keys.of(file.url),
        file.capturedAt,
        file.captureType,
        file.status ?? null,
        file.kind,
        file.mediaType ?? null,
        file.size ?? null,
        file.sha256 ?? null,
        file.payloadDigest ?? null,
        file.charset ?? null,
        file.language ?? null,
        file.title ?? null,
        file.described ? JSON.stringify(file.described) : null,
        JSON.stringify(file.headers),
        file.image ? JSON.stringify(file.image) : null,
        file.stored?.file ?? null,
        file.stored?.offset ?? null,
        file.recordId ?? null,
        file.repeatsAt ?? null,
        file.problems.length > 0 ? JSON.stringify(file.problems) : null,
      );
      if (file.kind !== 'error') addLinks(Number(lastInsertRowid), links);
    },
    addRedirect: ({ url, target, status, at }) => {
      insertRedirect.run(url, keys.of(url), target, status ?? null, at, target);
    },
  };
}

/** Most links of a site lead to the same few pages; working out a key costs more than remembering it. */
class KeyMemory {
  #known = new Map<string, string>();

  of(url: string): string {
    let key = this.#known.get(url);
    if (key === undefined) {
      if (this.#known.size >= 20_000) this.#known = new Map();
      key = surtKey(url);
      this.#known.set(url, key);
    }
    return key;
  }
}
