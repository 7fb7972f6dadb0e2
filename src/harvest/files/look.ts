/** Looks into a file's first bytes without losing them. */
import { dif9 } from '../../formats/dif9.ts';
import type { FileEntry, UnreadEntry } from './entry.ts';
import { type Content, SNIFF_BYTES, sniffContent } from './sniff.ts';

export interface Look {
  readonly content: Content;
  /** Empty files hold nothing and are no trouble. */
  readonly empty: boolean;
  /** Present when the file may hold records. */
  readonly entry?: FileEntry;
  /** Gives the file's handle back when nobody opened the entry. */
  close(): Promise<void>;
}

export async function lookInto(unread: UnreadEntry): Promise<Look> {
  const rest = unread.open()[Symbol.asyncIterator]();
  const head: Uint8Array[] = [];
  let length = 0;
  let ended = false;
  while (length < SNIFF_BYTES && !ended) {
    const next = await rest.next();
    if (next.done) ended = true;
    else {
      head.push(next.value);
      length += next.value.length;
    }
  }
  const content = sniffContent(Buffer.concat(head).subarray(0, SNIFF_BYTES));
  let opened = false;
  const close = async () => {
    if (!opened) await rest.return?.();
    opened = true;
  };
  const open = (): AsyncIterable<Uint8Array> => {
    if (opened) return unread.open();
    opened = true;
    return goOn(head, rest);
  };
  if (content !== 'xml' && content !== 'json' && content !== 'table')
    return { content, empty: length === 0, close };
  const { name, where, size, modifiedAt, reopenable } = unread;
  const facts = { name, where, size, modifiedAt, reopenable, open };
  const entry: FileEntry =
    content === 'table'
      ? { ...facts, syntax: 'xml', isTable: true, format: dif9.name }
      : { ...facts, syntax: content };
  return { content, empty: false, entry, close };
}

async function* goOn(
  head: readonly Uint8Array[],
  rest: AsyncIterator<Uint8Array>,
): AsyncGenerator<Uint8Array, void, void> {
  try {
    yield* head;
    for (let next = await rest.next(); !next.done; next = await rest.next()) yield next.value;
  } finally {
    await rest.return?.();
  }
}
