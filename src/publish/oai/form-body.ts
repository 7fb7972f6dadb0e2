/** The bytes that hold a request's arguments, bounded. */

/** Identifiers have at most a few thousand characters; what is longer is no request. */
export const MAX_FORM_BYTES = 64 * 1024;
/** A body that is too long is read to its end up to here, so that the client hears the answer. */
const MAX_DRAINED_BYTES = 8 * 2 ** 20;

export interface RequestForm {
  readonly bytes: Uint8Array;
  /** Why the bytes do not count. */
  readonly refusal?: 'too-long' | 'mixed' | 'content-type';
}

const NOTHING = new Uint8Array();

/** The query as it was sent: URL classes would already have decoded and joined it. */
function queryOf(url: string): Uint8Array {
  const mark = url.indexOf('?');
  return mark < 0 ? NOTHING : new TextEncoder().encode(url.slice(mark + 1).replace(/#.*$/s, ''));
}

export async function readForm(request: Request): Promise<RequestForm> {
  const query = queryOf(request.url);
  if (query.length > MAX_FORM_BYTES) return { bytes: NOTHING, refusal: 'too-long' };
  if (request.method !== 'POST') return { bytes: query };
  const { bytes, complete } = await readBody(request.body);
  const [type = ''] = (request.headers.get('content-type') ?? '').split(';');
  if (type.trim().toLowerCase() !== 'application/x-www-form-urlencoded')
    return { bytes: NOTHING, refusal: 'content-type' };
  if (query.length > 0) return { bytes: NOTHING, refusal: 'mixed' };
  return complete ? { bytes } : { bytes: NOTHING, refusal: 'too-long' };
}

async function readBody(
  body: ReadableStream<Uint8Array> | null,
): Promise<{ bytes: Uint8Array; complete: boolean }> {
  if (!body) return { bytes: NOTHING, complete: true };
  const kept: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of body) {
    length += chunk.length;
    if (length <= MAX_FORM_BYTES) kept.push(chunk);
    if (length > MAX_DRAINED_BYTES) break;
  }
  return { bytes: Buffer.concat(kept), complete: length <= MAX_FORM_BYTES };
}
