/**
 * Old profiles and queries name their DTD. A DOCTYPE that only points somewhere says nothing that is needed,
 * nor is its DTD ever fetched, so it is blanked out; one that defines anything is left, and refused by
 * whoever reads the document.
 */
const NAMED =
  /^(?:\s|<\?[\s\S]*?\?>|<!--[\s\S]*?-->)*(<!DOCTYPE\s+(?:profiles|profile|query)(?:\s+(?:PUBLIC\s+(?:"[^"]*"|'[^']*')|SYSTEM))?(?:\s+(?:"[^"]*"|'[^']*'))?\s*>)/;
/** So far into the document a DOCTYPE is looked for; a licence may stand before it. */
const LOOK_BYTES = 16_384;

/** Lines stay where they are. */
export function blankDoctype(bytes: Uint8Array): Uint8Array {
  const head = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.length, LOOK_BYTES)).toString(
    'latin1',
  );
  const doctype = NAMED.exec(head);
  if (!doctype?.[1]) return bytes;
  const end = doctype.index + doctype[0].length;
  const blanked = Buffer.from(bytes);
  blanked.write(doctype[1].replace(/[^\r\n]/g, ' '), end - doctype[1].length, 'latin1');
  return blanked;
}

export async function* blankDoctypeOf(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  const held: Uint8Array[] = [];
  let size = 0;
  let looked = false;
  for await (const chunk of chunks) {
    if (looked) {
      yield chunk;
      continue;
    }
    held.push(chunk);
    size += chunk.length;
    if (size < LOOK_BYTES) continue;
    looked = true;
    yield blankDoctype(Buffer.concat(held));
  }
  if (!looked && size > 0) yield blankDoctype(Buffer.concat(held));
}
