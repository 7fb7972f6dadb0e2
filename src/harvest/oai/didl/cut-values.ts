/**
 * Takes long base64 contents out of an answer while it comes in: what goes on to be read as records holds
 * only their names in the spool. So a file of any length needs no more memory than a short one.
 */
import { asGarnerError } from '../../../core/errors.ts';
import { Base64Reader } from '../../../formats/didl/base64.ts';
import { MarkupScanner } from '../../../xml/scan.ts';
import { parseSmallTree } from '../../../xml/small-tree.ts';
import type { ValueSpool, ValueWriter } from './value-spool.ts';

/** Shorter ones stay where they are. */
const INLINE_BYTES = 64 * 1024;
/** Stands for a content that could not be read; no base64. */
const BROKEN = Buffer.from('!');

export async function* cutValues(
  body: AsyncIterable<Uint8Array>,
  spool: ValueSpool,
): AsyncGenerator<Uint8Array> {
  const scanner = new MarkupScanner();
  /** Everything before it is handed on or in the spool. */
  let done = 0;
  let value: ValueCut | undefined;
  const upTo = (end: number): Buffer => {
    const bytes = Buffer.from(scanner.slice(done, end));
    done = end;
    return bytes;
  };
  try {
    for await (const chunk of body) {
      scanner.push(chunk);
      for (;;) {
        const step = scanner.next();
        const end = step === 'markup' ? scanner.start : scanner.length;
        if (value && end > done) {
          // Of markup that has only begun the start is here already.
          const begun = scanner.slice(done, end).indexOf('<');
          await value.push(upTo(begun < 0 ? end : done + begun));
          if (begun >= 0) {
            yield await value.finish();
            value = undefined;
          }
        }
        if (step !== 'markup') break;
        if (value) {
          yield await value.finish();
          value = undefined;
        }
        if (scanner.kind === 'start' && isValueTag(scanner.slice(scanner.start, scanner.end))) {
          yield upTo(scanner.end);
          value = new ValueCut(spool);
        }
      }
      if (!value && scanner.length > done) yield upTo(scanner.length);
    }
    if (value) yield await value.finish();
    value = undefined;
  } finally {
    await value?.discard();
  }
}

function isValueTag(tag: Buffer): boolean {
  if (!tag.includes('base64') || !tag.includes('Resource')) return false;
  const element = parseSmallTree(tag);
  return (
    element?.name === 'Resource' && element.attributes.get('encoding')?.trim().toLowerCase() === 'base64'
  );
}

class ValueCut {
  readonly #spool: ValueSpool;
  readonly #reader = new Base64Reader();
  #inline: Buffer[] = [];
  #size = 0;
  #writer: ValueWriter | undefined;
  #broken = false;

  constructor(spool: ValueSpool) {
    this.#spool = spool;
  }

  async push(characters: Buffer): Promise<void> {
    if (this.#broken) return;
    if (this.#writer) return this.#write(characters);
    this.#inline.push(characters);
    this.#size += characters.length;
    if (this.#size <= INLINE_BYTES) return;
    this.#writer = await this.#spool.start();
    const held = this.#inline;
    this.#inline = [];
    for (const bytes of held) await this.#write(bytes);
  }

  /** What takes its place. */
  async finish(): Promise<Buffer> {
    if (this.#broken) return BROKEN;
    if (!this.#writer) return Buffer.concat(this.#inline);
    const writer = this.#writer;
    await this.#guard(async () => writer.write(this.#reader.finish()));
    if (this.#broken) return BROKEN;
    this.#writer = undefined;
    return Buffer.from(await writer.finish());
  }

  async discard(): Promise<void> {
    await this.#writer?.discard();
    this.#writer = undefined;
  }

  #write(characters: Buffer): Promise<void> {
    const writer = this.#writer;
    return this.#guard(async () => writer?.write(this.#reader.push(characters)));
  }

  /** Content that is no content is told of with its record; the list around it goes on. */
  async #guard(work: () => Promise<void> | undefined): Promise<void> {
    if (this.#broken) return;
    try {
      await work();
    } catch (thrown) {
      if (asGarnerError(thrown).code !== 'didl.content') throw thrown;
      this.#broken = true;
      await this.discard();
    }
  }
}
