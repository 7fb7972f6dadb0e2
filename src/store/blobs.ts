/** Port: content-addressed byte streams (files, packages). A blob is in whole or not at all. */
export interface BlobInfo {
  /** sha-256, hex. */
  readonly digest: string;
  readonly size: number;
}

export interface BlobStore {
  /** Synced to disk when it resolves. */
  put(bytes: AsyncIterable<Uint8Array>): Promise<BlobInfo>;
  find(digest: string): Promise<BlobInfo | undefined>;
  /** `end` exclusive. */
  read(digest: string, range?: { start: number; end: number }): AsyncIterable<Uint8Array>;
  delete(digest: string): Promise<void>;
  list(): AsyncIterable<BlobInfo>;
}
