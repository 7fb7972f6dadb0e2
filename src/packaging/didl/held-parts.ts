/** Bytes that are kept as long as there is room: those that were not asked for the longest go first. */
export interface HeldParts<T extends { readonly deflated: Uint8Array }> {
  find(key: string): T | undefined;
  keep(key: string, part: T): void;
}

export function createHeldParts<T extends { readonly deflated: Uint8Array }>(room: number): HeldParts<T> {
  // In the order in which they were asked for.
  const parts = new Map<string, T>();
  let size = 0;
  return {
    find(key) {
      const part = parts.get(key);
      if (!part) return undefined;
      parts.delete(key);
      parts.set(key, part);
      return part;
    },
    keep(key, part) {
      parts.set(key, part);
      size += part.deflated.length;
      for (const [oldest, { deflated }] of parts) {
        if (size <= room) return;
        parts.delete(oldest);
        size -= deflated.length;
      }
    },
  };
}
