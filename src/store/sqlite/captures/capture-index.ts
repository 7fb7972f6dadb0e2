/** The capture index over the store's connections. */
import type { DatabaseSync } from 'node:sqlite';
import type { CaptureIndex } from '../../captures.ts';
import type { AccessFilter } from '../access-filter.ts';
import type { StoreWriter } from '../writer.ts';
import { createCaptureReader } from './read-captures.ts';
import { createCaptureWriter } from './write-captures.ts';

/** `refuse` answers for writing methods of a store that was opened for reading. */
export function createCaptureIndex(
  writer: StoreWriter | undefined,
  db: DatabaseSync,
  access: AccessFilter,
  refuse: () => never,
): CaptureIndex {
  const reads = createCaptureReader(db, access);
  const writes = writer && createCaptureWriter(writer);
  return {
    add: async (source, captures) => (writes ?? refuse()).add(source, captures),
    removeFile: async (source, file) => (writes ?? refuse()).removeFile(source, file),
    removeSource: async (source) => (writes ?? refuse()).removeSource(source),
    list: async (query, viewer) => reads.list(query, viewer),
    findClosest: async (urlKey, at, viewer, filter) => reads.findClosest(urlKey, at, viewer, filter),
    resolveRevisit: async (revisit, viewer) => reads.resolveRevisit(revisit, viewer),
    findByDigest: async (source, digest, urlKey) => reads.findByDigest(source, digest, urlKey),
    count: async (query, viewer) => reads.count(query, viewer),
    listFiles: async (source) => reads.listFiles(source),
  };
}
