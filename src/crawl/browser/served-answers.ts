/** Answers as a browser is given them, kept for the next pages of a site. */
import { asGarnerError } from '../../core/errors.ts';
import type { FetchAnswer } from '../fetch/answer.ts';
import { unpack } from '../read-answer.ts';

export interface ServedAnswer {
  readonly status: number;
  readonly headers: Record<string, string>;
  /** Without codings. */
  readonly body: Buffer;
}

/** Of the connection, or no longer true. Cookies are the crawler's, as it is who asks. */
const NOT_PASSED_ON =
  /^(?:content-encoding|content-length|transfer-encoding|connection|keep-alive|set-cookie|alt-svc|strict-transport-security)$/i;

/** Undefined for what cannot be unpacked, or is too large for a page. */
export async function serveAnswer({ status, headers, body }: FetchAnswer): Promise<ServedAnswer | undefined> {
  if (!body.bytes) return undefined;
  try {
    const passed: Record<string, string> = {};
    for (const [name, value] of headers) {
      if (name === '' || NOT_PASSED_ON.test(name)) continue;
      const key = name.toLowerCase();
      passed[key] = passed[key] === undefined ? value : `${passed[key]}, ${value}`;
    }
    return { status, headers: passed, body: await unpack(headers, body.bytes) };
  } catch (error) {
    if (asGarnerError(error).code !== 'archive.unsafe') throw error;
    return undefined;
  }
}

const MAX_BYTES = 64 << 20;

export class ServedAnswers {
  readonly #answers = new Map<string, ServedAnswer>();
  #bytes = 0;

  get(url: string): ServedAnswer | undefined {
    return this.#answers.get(url);
  }

  add(url: string, answer: ServedAnswer): void {
    if (this.#answers.has(url)) return;
    this.#answers.set(url, answer);
    this.#bytes += answer.body.length;
    for (const [oldest, { body }] of this.#answers) {
      if (this.#bytes <= MAX_BYTES) return;
      this.#answers.delete(oldest);
      this.#bytes -= body.length;
    }
  }
}
