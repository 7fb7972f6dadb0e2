/** Header lines in their order, as WARC and HTTP have them: names may repeat, case of names does not matter. */

export type HeaderList = readonly (readonly [name: string, value: string])[];

export function headerValue(headers: HeaderList, name: string): string | undefined {
  const wanted = name.toLowerCase();
  for (const [other, value] of headers) {
    if (other.length === wanted.length && other.toLowerCase() === wanted) return value;
  }
  return undefined;
}

export function headerValues(headers: HeaderList, name: string): string[] {
  const wanted = name.toLowerCase();
  return headers.filter(([other]) => other.toLowerCase() === wanted).map(([, value]) => value);
}

/**
 * Lines end with CR LF or LF; one that begins with a blank continues the value before it. A line without a
 * colon is kept under the empty name: old crawlers stored what servers sent.
 */
export function parseHeaderLines(text: string): HeaderList {
  const headers: [string, string][] = [];
  for (const line of text.split('\n')) {
    const bare = line.endsWith('\r') ? line.slice(0, -1) : line;
    if (bare === '') continue;
    const last = headers.at(-1);
    if (last && (bare.startsWith(' ') || bare.startsWith('\t'))) {
      last[1] = last[1] === '' ? bare.trim() : `${last[1]} ${bare.trim()}`;
      continue;
    }
    const colon = bare.indexOf(':');
    headers.push(colon < 0 ? ['', bare] : [bare.slice(0, colon).trimEnd(), bare.slice(colon + 1).trim()]);
  }
  return headers;
}

/** Where the empty line that ends a header stops, or -1 when there is none in these bytes. */
export function headerEnd(bytes: Buffer, from: number): number {
  for (let at = bytes.indexOf(0x0a, from); at >= 0; at = bytes.indexOf(0x0a, at + 1)) {
    if (bytes[at + 1] === 0x0a) return at + 2;
    if (bytes[at + 1] === 0x0d && bytes[at + 2] === 0x0a) return at + 3;
  }
  return -1;
}
