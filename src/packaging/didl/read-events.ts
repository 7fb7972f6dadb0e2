/**
 * Reads a DIDL document of any length, first or second edition, as its events. Base64 contents are cut out of
 * the byte stream and decoded while they come in; no parser sees them.
 */
import { GarnerError } from '../../core/errors.ts';
import { Base64Reader } from '../../formats/didl/base64.ts';
import { MarkupScanner } from '../../xml/scan.ts';
import { decodeReferences } from '../../xml/start-tag.ts';
import { type DidlEvent, localName } from './didl-events.ts';

/** What is in them is not looked into: it may be a DIDL again. */
const OPAQUE = new Set(['Statement', 'Resource', 'DIDLInfo', 'Declarations']);
/** Of markup that has begun and does not end. */
const MAX_PENDING = 32 * 1024 * 1024;

const LT = 0x3c;
const GT = 0x3e;
const ATTRIBUTE = /\s([^\s=>/]+)\s*=\s*(?:"([^"]*)"|'([^']*)')/g;

/** `body` is UTF-8. Throws `didl.content` for what is no DIDL or breaks off. */
export function readDidlEvents(body: AsyncIterable<Uint8Array>): AsyncGenerator<DidlEvent> {
  return new EventReader(body).read();
}

class EventReader {
  readonly #source: AsyncIterator<Uint8Array>;
  readonly #scanner = new MarkupScanner();
  /** Everything before it was handed on. */
  #done = 0;
  /** The markup that was found last is still to be looked at. */
  #found = false;

  constructor(body: AsyncIterable<Uint8Array>) {
    this.#source = body[Symbol.asyncIterator]();
    this.#scanner.keepFrom = 0;
  }

  async *read(): AsyncGenerator<DidlEvent> {
    const path: string[] = [];
    let seen = false;
    try {
      for (;;) {
        const step = await this.#next();
        if (step !== 'markup') break;
        const scanner = this.#scanner;
        if (scanner.start > this.#done) yield this.#markupTo(scanner.start);
        if (scanner.kind === 'doctype') throw broken('it has a document type');
        if (scanner.kind === 'start' || scanner.kind === 'empty') {
          const isEmpty = scanner.kind === 'empty';
          const tag = this.#text(scanner.end);
          const event = parseTag(tag);
          const local = localName(event.name);
          if (!seen && local !== 'DIDL') throw broken(`it is <${event.name.slice(0, 80)}>`);
          if (seen && path.length === 0) throw broken('something follows its end');
          seen = true;
          yield event;
          if (isEmpty) yield { kind: 'end', name: event.name };
          else if (local === 'Resource' && isBase64(event)) {
            path.push(event.name);
            yield* this.#value();
          } else if (OPAQUE.has(local)) {
            yield* this.#opaque(Buffer.from(event.name));
            yield { kind: 'end', name: event.name };
          } else path.push(event.name);
        } else if (scanner.kind === 'end') {
          const name = /^<\/([^\s>]+)/.exec(this.#text(scanner.end))?.[1] ?? '';
          if (path.pop() !== name) throw broken(`</${name.slice(0, 80)}> ends what is not open`);
          yield { kind: 'end', name };
        } else if (!isDeclaration(scanner)) yield this.#markupTo(scanner.end);
        else this.#text(scanner.end);
      }
      if (!seen || path.length > 0 || this.#scanner.truncated) throw broken('it breaks off');
      if (this.#scanner.length > this.#done) yield this.#markupTo(this.#scanner.length);
    } finally {
      await this.#source.return?.();
    }
  }

  /** Up to the end tag of that name; the bytes go on as they come in. */
  async *#opaque(name: Uint8Array): AsyncGenerator<DidlEvent> {
    const scanner = this.#scanner;
    for (let depth = 1; ; ) {
      const step = scanner.next();
      if (step === 'end') throw broken('it breaks off');
      if (step === 'more') {
        const end = this.#certainEnd();
        if (end > this.#done) yield this.#markupTo(end);
        await this.#pull();
        continue;
      }
      if (scanner.kind === 'start' && scanner.isNamed(name)) depth++;
      if (scanner.kind !== 'end' || !scanner.isNamed(name) || --depth > 0) continue;
      if (scanner.start > this.#done) yield this.#markupTo(scanner.start);
      this.#text(scanner.end);
      return;
    }
  }

  async *#value(): AsyncGenerator<DidlEvent> {
    const decode = new Base64Reader();
    const characters = this.#characters();
    yield { kind: 'value', bytes: decoded(characters, decode) };
    // Whoever took only the beginning, or nothing, leaves the rest to be passed over.
    if (!this.#found) for await (const _ of this.#characters());
  }

  /** Text up to the next markup, a chunk at a time. */
  async *#characters(): AsyncGenerator<Buffer> {
    const scanner = this.#scanner;
    for (;;) {
      const step = scanner.next();
      if (step === 'end') throw broken('it breaks off');
      const begun = scanner.slice(this.#done, scanner.length).indexOf(LT);
      const end = begun < 0 ? scanner.length : this.#done + begun;
      if (end > this.#done) {
        // A view: it is decoded before the next chunk comes.
        const view = scanner.slice(this.#done, end);
        this.#done = end;
        yield view;
      }
      if (step === 'more') await this.#pull();
      else if (scanner.kind === 'cdata') yield this.#take(scanner.end).subarray(9, -3);
      else {
        this.#found = true;
        return;
      }
    }
  }

  /** The next markup, with everything before it in memory. */
  async #next(): Promise<'markup' | 'end'> {
    if (this.#found) {
      this.#found = false;
      return 'markup';
    }
    for (;;) {
      const step = this.#scanner.next();
      if (step !== 'more') return step;
      await this.#pull();
    }
  }

  /** One more chunk, or the end. */
  async #pull(): Promise<void> {
    if (this.#scanner.length - this.#done > MAX_PENDING) throw broken('a part of it never ends');
    this.#scanner.keepFrom = this.#done;
    const next = await this.#source.next();
    if (next.done) this.#scanner.finish();
    else this.#scanner.push(next.value);
  }

  /** Before markup that has only begun. */
  #certainEnd(): number {
    const bytes = this.#scanner.slice(this.#done, this.#scanner.length);
    const last = bytes.lastIndexOf(LT);
    return last < 0 || bytes.indexOf(GT, last) >= 0 ? this.#scanner.length : this.#done + last;
  }

  #markupTo(end: number): DidlEvent {
    return { kind: 'markup', markup: this.#take(end) };
  }

  #text(end: number): string {
    this.#done = this.#scanner.start;
    return this.#take(end).toString();
  }

  /** A copy: the scanner uses its memory again. */
  #take(end: number): Buffer {
    const bytes = Buffer.from(this.#scanner.slice(this.#done, end));
    this.#done = end;
    return bytes;
  }
}

async function* decoded(characters: AsyncIterable<Buffer>, reader: Base64Reader): AsyncGenerator<Uint8Array> {
  for await (const piece of characters) {
    const bytes = reader.push(piece);
    if (bytes.length > 0) yield bytes;
  }
  const rest = reader.finish();
  if (rest.length > 0) yield rest;
}

type StartEvent = Extract<DidlEvent, { kind: 'start' }>;

function parseTag(tag: string): StartEvent {
  const name = /^<([^\s/>]+)/.exec(tag)?.[1] ?? '';
  const attributes = Array.from(
    tag.matchAll(ATTRIBUTE),
    ([, attribute = '', double, single]) => [attribute, decodeReferences(double ?? single ?? '')] as const,
  );
  return { kind: 'start', name, attributes };
}

const isBase64 = ({ attributes }: StartEvent): boolean =>
  attributes.some(([name, value]) => name === 'encoding' && value.trim().toLowerCase() === 'base64');

/** `<?xml …?>` is no part of the document; other instructions are. */
const isDeclaration = (scanner: MarkupScanner): boolean =>
  scanner.kind === 'pi' && /^<\?xml\s/.test(scanner.slice(scanner.start, scanner.end).toString('latin1'));

const broken = (why: string): GarnerError =>
  new GarnerError('didl.content', `the document is no whole DIDL: ${why}`);
