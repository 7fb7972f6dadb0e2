/** Base64 (RFC 4648 §4) piece by piece, with the blanks that XML allows in it and nothing else. */
import { GarnerError } from '../../core/errors.ts';

const BLANK = /[\t\n\r ]+/g;
const FOREIGN = /[^A-Za-z0-9+/=]/;

export class Base64Reader {
  #rest = '';
  #padded = false;

  /** Throws `didl.content` for what is no base64. */
  push(characters: Uint8Array): Buffer {
    const text = this.#rest + viewOf(characters).toString('latin1').replace(BLANK, '');
    const foreign = FOREIGN.exec(text);
    if (foreign) throw broken(`${JSON.stringify(foreign[0])} is no character of it`);
    const whole = text.length - (text.length % 4);
    this.#rest = text.slice(whole);
    return this.#decode(text.slice(0, whole));
  }

  /** Padding may be missing at the end; a single character tells nothing. */
  finish(): Buffer {
    if (this.#rest.length === 1) throw broken('it breaks off');
    return this.#decode(this.#rest);
  }

  #decode(text: string): Buffer {
    if (text === '') return Buffer.alloc(0);
    if (this.#padded) throw broken('something follows its padding');
    const padding = text.indexOf('=');
    if (padding >= 0) {
      if (!/^={1,2}$/.test(text.slice(padding)) || padding % 4 < 2) throw broken('its padding is wrong');
      this.#padded = true;
    }
    return Buffer.from(text, 'base64');
  }
}

const broken = (why: string): GarnerError =>
  new GarnerError('didl.content', `the content is no base64: ${why}`);

/** Three bytes give four characters: what is left of a chunk waits for the next one. */
export async function* base64(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  let rest: Buffer = Buffer.alloc(0);
  for await (const chunk of chunks) {
    const bytes = viewOf(chunk);
    let from = 0;
    if (rest.length > 0) {
      from = Math.min(3 - rest.length, bytes.length);
      rest = Buffer.concat([rest, bytes.subarray(0, from)]);
      if (rest.length < 3) continue;
      yield rest.toString('base64');
    }
    const end = bytes.length - ((bytes.length - from) % 3);
    if (end > from) yield bytes.toString('base64', from, end);
    // A copy: the reader may use the chunk's memory again.
    rest = Buffer.from(bytes.subarray(end));
  }
  if (rest.length > 0) yield rest.toString('base64');
}

/** Not a copy: contents are long, and garbage piles up. */
const viewOf = (bytes: Uint8Array): Buffer => Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
