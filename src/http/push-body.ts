/** Bodies of push requests: one record, lines of JSON, or the parts of a form. */
import { GarnerError } from '../core/errors.ts';
import type { RecordProblem } from '../core/model.ts';
import type { PushChange } from '../harvest/push/index.ts';

/** One record, or one line. */
export const MAX_RECORD_BYTES = 64 * 1024 * 1024;
/** A form is held as a whole. */
const MAX_FORM_BYTES = 256 * 1024 * 1024;

export async function readRecordBody(request: Request): Promise<Uint8Array> {
  return readWhole(request, MAX_RECORD_BYTES);
}

async function readWhole(request: Request, maxBytes: number): Promise<Uint8Array<ArrayBuffer>> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of request.body ?? []) {
    size += chunk.length;
    if (size > maxBytes) throw new GarnerError('request.invalid', `the body: at most ${maxBytes} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
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
  let rest = Buffer.alloc(0);
  let number = 0;
  for await (const chunk of request.body ?? []) {
    rest = Buffer.concat([rest, chunk]);
    for (let end = rest.indexOf(0x0a); end >= 0; end = rest.indexOf(0x0a)) {
      const line = rest.subarray(0, end);
      rest = rest.subarray(end + 1);
      const change = readLine(line, ++number);
      if (change) yield change;
    }
    if (rest.length > MAX_RECORD_BYTES)
      throw new GarnerError('request.invalid', `line ${number + 1}: at most ${MAX_RECORD_BYTES} bytes`);
  }
  const change = readLine(rest, number + 1);
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
  if (typeof value !== 'object' || value === null) return refuse(number, 'request.invalid', 'not an object');
  const known = new Map<string, unknown>(Object.entries(value));
  const unknown = [...known.keys()].find((key) => !LINE_KEYS.has(key));
  if (unknown !== undefined) return refuse(number, 'request.invalid', `unknown member ${unknown}`);
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
  const body = await readWhole(request, MAX_FORM_BYTES);
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
