/**
 * The way to the root element of an answer: past byte order marks, blank lines, warnings of the
 * server's language and whatever else stands before it. What is no OAI-PMH at all is told apart here.
 */
import { GarnerError } from '../../core/errors.ts';

type Chunks = AsyncIterable<Uint8Array>;

export interface EnvelopeStart {
  /** From the root's `<` on; single-byte encodings are still as they came. */
  readonly bytes: Chunks;
  /** Of the WHATWG encoding standard; undefined for UTF-8. */
  readonly encoding: string | undefined;
}

const MAX_HEAD_BYTES = 256 * 1024;
const ROOT = /<(?:[\w.-]+:)?(?:OAI-PMH|Repository)[\s/>]/i;
const DECLARED = /<\?xml[^>]*?\sencoding\s*=\s*["']([^"']+)["']/gi;
/** Encodings in which a byte `<` is always a `<`: the cutter need not know them. */
const UTF8_LABELS = /^(?:utf-?8|us-ascii|ascii|utf-?16.*|ucs-?2.*)$/i;

export async function findEnvelope(body: Chunks): Promise<EnvelopeStart> {
  const source = transcodeWide(body)[Symbol.asyncIterator]();
  let head = Buffer.alloc(0);
  for (;;) {
    const step = await source.next();
    if (!step.done) head = Buffer.concat([head, step.value]);
    const text = head.toString('latin1', 0, MAX_HEAD_BYTES);
    const root = ROOT.exec(text);
    if (root) {
      const declared = [...text.slice(0, root.index).matchAll(DECLARED)].at(-1)?.[1]?.trim();
      return {
        bytes: follow(head.subarray(root.index), source),
        encoding: declared === undefined || UTF8_LABELS.test(declared) ? undefined : knownLabel(declared),
      };
    }
    if (step.done || head.length >= MAX_HEAD_BYTES) {
      await source.return?.();
      throw noEnvelope(text);
    }
  }
}

function noEnvelope(text: string): GarnerError {
  const shown = text.replace(/^\xef\xbb\xbf/, '').trim();
  if (shown === '') return new GarnerError('source.empty', 'the answer is empty');
  const kind = /<html|<!doctype html/i.test(shown) ? 'an HTML page' : 'no OAI-PMH';
  const title = /<title[^>]*>([^<]{1,200})/i.exec(shown)?.[1]?.trim();
  const quoted = title ?? shown.slice(0, 80);
  return new GarnerError('oai.response', `the answer is ${kind}: ${JSON.stringify(quoted)}`, {
    details: { beginning: shown.slice(0, 500) },
  });
}

async function* follow(first: Uint8Array, source: AsyncIterator<Uint8Array>): Chunks {
  try {
    yield first;
    for (;;) {
      const step = await source.next();
      if (step.done) return;
      yield step.value;
    }
  } finally {
    await source.return?.();
  }
}

function knownLabel(label: string): string | undefined {
  try {
    return new TextDecoder(label).encoding;
  } catch {
    // A name that nobody knows: the bytes are looked at as they are.
    return undefined;
  }
}

/** UTF-16, which the scanner cannot read, becomes UTF-8; everything else stays. */
async function* transcodeWide(body: Chunks): Chunks {
  let decoder: TextDecoder | undefined;
  let first = true;
  for await (const chunk of body) {
    if (first && chunk.length > 0) {
      first = false;
      const label = wideLabel(chunk);
      if (label !== undefined) decoder = new TextDecoder(label);
    }
    yield decoder ? Buffer.from(decoder.decode(chunk, { stream: true })) : chunk;
  }
  if (decoder) yield Buffer.from(decoder.decode());
}

function wideLabel([a, b]: Uint8Array): string | undefined {
  if ((a === 0xff && b === 0xfe) || (a === 0x3c && b === 0)) return 'utf-16le';
  if ((a === 0xfe && b === 0xff) || (a === 0 && b === 0x3c)) return 'utf-16be';
  return undefined;
}
