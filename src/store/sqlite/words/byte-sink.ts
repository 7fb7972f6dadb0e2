/** Bytes that grow, with whole numbers below 2³² as varints: 7 bits a byte, low ones first. */
export class ByteSink {
  bytes: Uint8Array;
  length = 0;

  constructor(capacity = 1024) {
    this.bytes = new Uint8Array(capacity);
  }

  clear(): void {
    this.length = 0;
  }

  /** The written bytes, valid until the next write. */
  view(): Uint8Array {
    return this.bytes.subarray(0, this.length);
  }

  reserve(more: number): void {
    if (this.length + more <= this.bytes.length) return;
    const grown = new Uint8Array(Math.max(this.bytes.length * 2, this.length + more));
    grown.set(this.view());
    this.bytes = grown;
  }

  byte(value: number): void {
    if (this.length === this.bytes.length) this.reserve(1);
    this.bytes[this.length++] = value;
  }

  varint(value: number): void {
    if (this.length + 5 > this.bytes.length) this.reserve(5);
    const { bytes } = this;
    let left = value;
    let at = this.length;
    while (left >= 0x80) {
      bytes[at++] = (left & 0x7f) | 0x80;
      left >>>= 7;
    }
    bytes[at++] = left;
    this.length = at;
  }

  append(source: Uint8Array, from = 0, to = source.length): void {
    const count = to - from;
    if (this.length + count > this.bytes.length) this.reserve(count);
    // Most pieces are a few bytes, for which a view costs more than the copy.
    if (count < 48) {
      const { bytes } = this;
      let at = this.length;
      for (let i = from; i < to; i++) bytes[at++] = source[i]!;
    } else this.bytes.set(source.subarray(from, to), this.length);
    this.length += count;
  }
}

/** A part of some bytes. Loops set one again and again: a view of the bytes for each list costs more than the list. */
export interface ByteRange {
  bytes: Uint8Array;
  from: number;
  to: number;
}

export const emptyRange = (): ByteRange => ({ bytes: new Uint8Array(), from: 0, to: 0 });

/** The range becomes all that was written to the sink. */
export function setRange(range: ByteRange, { bytes, length }: ByteSink): ByteRange {
  range.bytes = bytes;
  range.from = 0;
  range.to = length;
  return range;
}

/** Reads what a sink wrote. Hot loops over postings read varints in place instead. */
export class ByteSource {
  readonly bytes: Uint8Array;
  at: number;

  constructor(bytes: Uint8Array, at = 0) {
    this.bytes = bytes;
    this.at = at;
  }

  varint(): number {
    const { bytes } = this;
    let byte = bytes[this.at++]!;
    let value = byte & 0x7f;
    for (let shift = 7; byte & 0x80; shift += 7) {
      byte = bytes[this.at++]!;
      value |= (byte & 0x7f) << shift;
    }
    return value >>> 0;
  }
}
