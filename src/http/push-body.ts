/** Bodies of push requests: one record, lines of JSON, or the parts of a form. */
import { asGarnerError, GarnerError } from '../core/errors.ts';
import type { RecordProblem } from '../core/model.ts';
import { decodeBody } from '../harvest/http/decode-body.ts';
import type { PushChange } from '../harvest/push/index.ts';
import { readWhole } from './limit-body.ts';

/** One record, or one line. */
export const MAX_RECORD_BYTES = 64 * 1024 * 1024;
const LINE_FEED = 0x0a;
/** A form is held as a whole. */
const MAX_FORM_BYTES = 256 * 1024 * 1024;

const MAX_UNPACKED_BYTES = 4 * 1024 * 1024 * 1024;
const CODINGS: ReadonlySet<string> = new Set(['gzip', 'deflate', 'br', 'zstd', 'identity']);

export function readRecordBody(request: Request): Promise<Uint8Array> {
  return readWhole(unpackedBody(request), MAX_RECORD_BYTES);
}

async function* unpackedBody(request: Request): AsyncGenerator<Uint8Array> {
  if (!request.body) return;
  const contentEncoding = request.headers.get('content-encoding')?.toLowerCase();
  if (contentEncoding !== undefined && !CODINGS.has(contentEncoding))
    throw new GarnerError('request.invalid', 'content-encoding: must be gzip, deflate, br, zstd or none');
  try {
    yield* decodeBody(request.body, { contentEncoding, sniff: false, maxBytes: MAX_UNPACKED_BYTES });
  } catch (thrown) {
    const { code, message } = asGarnerError(thrown);
    if (!code.startsWith('http.')) throw thrown;
    throw new GarnerError('request.invalid', `the body cannot be unpacked: ${message}`, { cause: thrown });
  }
}

/** By what the sender says, else by the first sign. */
export function syntaxOf(bytes: Uint8Array, contentType: string | undefined): 'xml' | 'json' {
  if (/[/+]xml\b/i.test(contentType ?? '')) return 'xml';
  if (/[/+](?:json|x-ndjson)\b/i.test(contentType ?? '')) return 'json';
  const first = bytes.find((byte) => byte > 0x20 && byte !== 0xef && byte !== 0xbb && byte !== 0xbf);
  return first === 0x7b || first === 0x5b ? 'json' : 'xml';
}

/** One change per line, in order; a line that is none is a refused change. */
export async function* readLines(request: Request): AsyncGenerator<PushChange> {
  let begun: Uint8Array[] = [];
  let begunBytes = 0;
  let number = 0;
  const endLine = (rest: Uint8Array): PushChange | undefined => {
    const line = Buffer.concat([...begun, rest]);
    begun = [];
    begunBytes = 0;
    return readLine(line, ++number);
  };
  for await (const chunk of unpackedBody(request)) {
    let from = 0;
    for (let end = chunk.indexOf(LINE_FEED); end >= 0; end = chunk.indexOf(LINE_FEED, from)) {
      const change = endLine(chunk.subarray(from, end));
      from = end + 1;
      if (change) yield change;
    }
    begun.push(chunk.subarray(from));
    begunBytes += chunk.length - from;
    if (begunBytes > MAX_RECORD_BYTES)
      throw new GarnerError('request.invalid', `line ${number + 1}: at most ${MAX_RECORD_BYTES} bytes`);
  }
  const change = endLine(new Uint8Array());
  if (change) yield change;
}

function readLine(line: Uint8Array, number: number): PushChange | undefined {
  const text = new TextDecoder().decode(line).trim();
  if (text === '') return undefined;
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    // Told to the sender as the outcome of this line.
    return refuse(number, 'json.malformed', 'not JSON');
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    return refuse(number, 'request.invalid', 'not an object');
  const known = new Map<string, unknown>(Object.entries(value));
  const unknown = [...known.keys()].find((key) => !LINE_KEYS.has(key));
  if (unknown !== undefined) return refuse(number, 'request.invalid', `unknown member ${unknown}`);
  const meant = ['xml', 'record', 'delete'].filter((key) => known.has(key));
  if (meant.length > 1) return refuse(number, 'request.invalid', `${meant.join(' and ')} exclude each other`);
  const identifier = known.get('identifier');
  const format = known.get('format');
  if (identifier !== undefined && !isIdentifier(identifier))
    return refuse(number, 'record.identifier', 'the identifier must be a text of 1 to 2,000 characters');
  if (format !== undefined && typeof format !== 'string')
    return refuse(number, 'request.invalid', 'the format must be a text');
  if (known.get('delete') === true)
    return identifier === undefined
      ? refuse(number, 'record.identifier', 'which item shall be deleted?')
      : { kind: 'delete', identifier };
  const named = { ...(identifier !== undefined && { identifier }), ...(format !== undefined && { format }) };
  const xml = known.get('xml');
  if (typeof xml === 'string') return { kind: 'put', syntax: 'xml', bytes: Buffer.from(xml), ...named };
  const record = known.get('record');
  if (typeof record === 'object' && record !== null)
    return { kind: 'put', syntax: 'json', bytes: Buffer.from(JSON.stringify(record)), ...named };
  return refuse(number, 'request.invalid', 'neither xml, record nor delete', identifier);
}

const LINE_KEYS: ReadonlySet<string> = new Set(['identifier', 'format', 'delete', 'xml', 'record']);

export const isIdentifier = (value: unknown): value is string =>
  typeof value === 'string' && value !== '' && value.length <= 2000 && !value.includes('\0');

function refuse(line: number, code: RecordProblem['code'], message: string, identifier?: string): PushChange {
  const problem: RecordProblem = { code, message, where: 'push', line };
  return { kind: 'refused', problem, ...(identifier !== undefined && { identifier }) };
}

/** Each part is a record; its name is the identifier, unless that is `record`. */
export async function* readParts(request: Request): AsyncGenerator<PushChange> {
  const body = await readWhole(unpackedBody(request), MAX_FORM_BYTES);
  let form: FormData;
  try {
    form = await new Response(body, {
      headers: { 'content-type': request.headers.get('content-type') ?? '' },
    }).formData();
  } catch (cause) {
    throw new GarnerError('request.invalid', 'the body is no multipart form', { cause });
  }
  for (const [name, part] of form) {
    const bytes = typeof part === 'string' ? Buffer.from(part) : new Uint8Array(await part.arrayBuffer());
    const type = typeof part === 'string' ? undefined : part.type;
    const syntax = syntaxOf(bytes, type);
    if (name !== 'record' && !isIdentifier(name)) {
      yield refuse(1, 'record.identifier', 'the name of a part must have 1 to 2,000 characters');
      continue;
    }
    yield { kind: 'put', bytes, syntax, ...(name !== 'record' && { identifier: name }) };
  }
}
