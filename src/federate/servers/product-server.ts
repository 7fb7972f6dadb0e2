/** Answers product queries from handlers: the first match in the form that is liked best, or all of them as a ZIP file. */

import { safePart } from '../../archive/items/safe-name.ts';
import { type StreamedEntry, streamZip } from '../../archive/wacz/zip-stream.ts';
import type { Viewer } from '../../core/access.ts';
import { GarnerError } from '../../core/errors.ts';
import type { Instant } from '../../core/model.ts';
import type { Conversions } from '../convert/conversions.ts';
import { type MediaRange, parseMediaRanges } from '../convert/media-range.ts';
import { chooseForm, makeForm, type Scale } from './choose-form.ts';
import type { Product, ProductForm, ProductHandler, ProductQuestion } from './product.ts';

export type ProductAnswer =
  | {
      readonly kind: 'form';
      readonly form: ProductForm;
      /** When it is not read after all. */
      discard?(): void;
    }
  | { readonly kind: 'elsewhere'; readonly url: string }
  /** Its files are as old as one says. */
  | { readonly kind: 'zip'; open(modifiedAt: Instant): AsyncIterable<Uint8Array> };

export interface ProductServer {
  /** Throws `product.unknown` when there is none, or none of a type that is wanted. */
  answer(question: ProductQuestion, scale: Scale, viewer: Viewer): Promise<ProductAnswer>;
  close(): Promise<void>;
}

const ZIP = 'application/zip';
/** So many matches are looked at for one in a wanted type. */
const MOST_LOOKED_AT = 100;
/** Larger ones are streamed into a ZIP file, smaller ones read before. */
const HELD_BYTES = 1 << 20;
const ANYTHING: readonly MediaRange[] = [{ type: '*/*' }];

export function createProductServer(
  handlers: readonly ProductHandler[],
  conversions: Conversions,
): ProductServer {
  /** `FROM = name` names handlers; what names none is for the handlers to understand. */
  async function* find(question: ProductQuestion, viewer: Viewer): AsyncGenerator<Product> {
    const named = handlers.filter(({ name }) => question.from.includes(name));
    let left = question.limit ?? Number.POSITIVE_INFINITY;
    for (const handler of named.length > 0 ? named : handlers)
      for await (const product of handler.find(question, viewer)) {
        if (left-- <= 0) return product.discard?.();
        yield product;
      }
  }

  async function answer(question: ProductQuestion, scale: Scale, viewer: Viewer): Promise<ProductAnswer> {
    const ranges = parseMediaRanges(question.accept);
    const found = find(question, viewer);
    let looked = 0;
    for (let step = await found.next(); step.done !== true; step = await found.next()) {
      const product = step.value;
      for (const [i, range] of ranges.entries()) {
        const choice = chooseForm(product, range, conversions, scale);
        if (!choice && range.type === ZIP) {
          const inside = ranges.slice(i + 1);
          const all = startingWith(product, found);
          const entries = zipEntries(all, inside.length > 0 ? inside : ANYTHING, scale);
          return { kind: 'zip', open: (modifiedAt) => streamZip(entries, modifiedAt) };
        }
        if (!choice) continue;
        await found.return(undefined);
        if (choice.kind === 'elsewhere') return choice;
        return {
          kind: 'form',
          form: await makeForm(choice, scale),
          discard: () => product.discard?.(),
        };
      }
      product.discard?.();
      if (++looked >= MOST_LOOKED_AT) break;
    }
    await found.return(undefined);
    throw new GarnerError(
      'product.unknown',
      looked === 0
        ? 'no product matches'
        : `${looked} ${looked === 1 ? 'product matches' : 'products match'}, but cannot be had as ${ranges.map(({ type }) => type).join(', ')}`,
    );
  }

  /** What lives elsewhere is listed at the end, so that nobody takes the rest for all. */
  async function* zipEntries(
    products: AsyncIterable<Product>,
    ranges: readonly MediaRange[],
    scale: Scale,
  ): AsyncGenerator<StreamedEntry> {
    const taken = new Set<string>();
    const elsewhere: string[] = [];
    for await (const product of products) {
      const choice = ranges
        .map((range) => chooseForm(product, range, conversions, scale))
        .find((one) => one !== undefined);
      if (choice?.kind === 'elsewhere') elsewhere.push(`${product.name}\t${choice.url}\n`);
      if (choice?.kind !== 'form') {
        product.discard?.();
        continue;
      }
      const form = await makeForm(choice, scale);
      const isSmall = form.size !== undefined && form.size <= HELD_BYTES;
      yield {
        name: unusedName(form.fileName, taken),
        bytes: isSmall ? await gather(form.open()) : form.open(),
      };
    }
    if (elsewhere.length > 0)
      yield { name: unusedName('elsewhere.tsv', taken), bytes: Buffer.from(elsewhere.join('')) };
  }

  return {
    answer,
    close: async () => {
      await Promise.all([conversions.close(), ...handlers.map((handler) => handler.close?.())]);
    },
  };
}

async function* startingWith(first: Product, rest: AsyncIterable<Product>): AsyncGenerator<Product> {
  yield first;
  yield* rest;
}

async function gather(pieces: AsyncIterable<Uint8Array>): Promise<Uint8Array> {
  const parts: Uint8Array[] = [];
  for await (const piece of pieces) parts.push(piece);
  return Buffer.concat(parts);
}

/** Folders stay, steps upwards and signs that some system minds do not; a second one of a name gets a number. */
function unusedName(fileName: string, taken: Set<string>): string {
  const name = fileName
    .split('/')
    .filter((part) => part !== '' && part !== '.' && part !== '..')
    .map((part) => safePart(part))
    .join('/');
  let unused = name;
  for (let i = 2; taken.has(unused.toLowerCase()); i++)
    unused = name.replace(/(\.[^./]*)?$/, (ending) => `-${i}${ending}`);
  taken.add(unused.toLowerCase());
  return unused;
}
