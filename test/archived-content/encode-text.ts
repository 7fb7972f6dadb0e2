/** For tests: text in every encoding of the web, by turning the decoder around. */
const tables = new Map<string, ReadonlyMap<string, readonly number[]>>();

/** The bytes of each character that takes one or two of them. */
function tableOf(encoding: string): ReadonlyMap<string, readonly number[]> {
  const known = tables.get(encoding);
  if (known) return known;
  const decoder = new TextDecoder(encoding, { fatal: true });
  const made = new Map<string, readonly number[]>();
  const tryBytes = (...bytes: number[]) => {
    try {
      const text = decoder.decode(Uint8Array.from(bytes));
      if ([...text].length === 1 && !made.has(text)) made.set(text, bytes);
    } catch {
      // Not a character of this encoding.
    }
  };
  for (let one = 0; one < 256; one++) tryBytes(one);
  if (/^(?:gbk|gb18030|big5|euc-jp|euc-kr|shift_jis)$/.test(encoding))
    for (let lead = 0x81; lead < 0xff; lead++)
      for (let trail = 0x40; trail < 0xff; trail++) tryBytes(lead, trail);
  tables.set(encoding, made);
  return made;
}

export function encodeText(text: string, encoding: string): Buffer {
  if (encoding === 'utf-8') return Buffer.from(text);
  if (encoding === 'utf-16le') return Buffer.from(text, 'utf16le');
  if (encoding === 'utf-16be') return Buffer.from(text, 'utf16le').swap16();
  if (encoding === 'iso-2022-jp') return encodeIso2022(text);
  const table = tableOf(encoding);
  return Buffer.from(
    [...text].flatMap((character) => {
      const bytes = table.get(character);
      if (!bytes) throw new RangeError(`${encoding} has no ${character}`);
      return bytes;
    }),
  );
}

/** Two-byte characters are those of EUC-JP without the high bits, between escapes. */
function encodeIso2022(text: string): Buffer {
  const euc = tableOf('euc-jp');
  const bytes: number[] = [];
  let double = false;
  for (const character of text) {
    const plain = character.charCodeAt(0) < 0x80;
    if (plain === double) bytes.push(...(plain ? [0x1b, 0x28, 0x42] : [0x1b, 0x24, 0x42]));
    double = !plain;
    for (const byte of euc.get(character) ?? []) bytes.push(byte & 0x7f);
  }
  return Buffer.from(bytes);
}
