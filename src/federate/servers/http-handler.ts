/** Products of a service on the web: attributes are put into an address, what it answers is the product. */
import type { AccessRule } from '../../core/access.ts';
import { mayRead } from '../../core/access-match.ts';
import { GarnerError } from '../../core/errors.ts';
import { type GuardedGet, guardedGet } from '../../net/guarded-get.ts';
import { parseHttpDate } from '../../net/retry-after.ts';
import { namesExactly, readEqualities } from './equalities.ts';
import type { Product, ProductHandler } from './product.ts';

export interface HttpHandlerOptions extends Pick<GuardedGet, 'allowPrivate' | 'maxBytes' | 'hosts'> {
  readonly name: string;
  /** With attributes in braces: `https://data.example.org/img/{image_id}`. */
  readonly url: string;
  readonly timeoutMs: number;
  readonly userAgent: string;
  readonly access: AccessRule;
}

const ATTRIBUTE = /\{(\w+)\}/g;

export function createHttpHandler(options: HttpHandlerOptions): ProductHandler {
  const { name, url: template, access } = options;
  const attributes: ReadonlySet<string> = new Set(
    Array.from(template.matchAll(ATTRIBUTE), ([, attribute = '']) => attribute.toLowerCase()),
  );
  return {
    name,
    async *find({ query }, viewer) {
      const values = readEqualities(query);
      if (!values || !namesExactly(values, attributes) || !mayRead(access, viewer)) return;
      const address = fillAddress(template, values);
      const product = address === undefined ? undefined : await fetchProduct(address, options);
      if (product) yield product;
    },
  };
}

/** Values stay one part of the path or one parameter; `..` would be a step in it, so nothing is found. */
export function fillAddress(template: string, values: ReadonlyMap<string, string>): string | undefined {
  const parts = [...values.values()];
  if (parts.some((value) => /^\.{1,2}$/.test(value.trim()) || value === '')) return undefined;
  return template.replace(ATTRIBUTE, (_, attribute: string) =>
    encodeURIComponent((values.get(attribute.toLowerCase()) ?? '').toWellFormed()),
  );
}

async function fetchProduct(address: string, options: HttpHandlerOptions): Promise<Product | undefined> {
  const { userAgent, timeoutMs: idleMs, maxBytes, allowPrivate, hosts } = options;
  const answer = await guardedGet(address, {
    headers: { 'user-agent': userAgent, accept: '*/*' },
    idleMs,
    maxBytes,
    allowPrivate,
    ...(hosts && { hosts }),
  });
  const { status, headers, body } = answer;
  if (status === 404 || status === 410 || status === 204) {
    answer.discard();
    return undefined;
  }
  if (status !== 200) {
    answer.discard();
    throw new GarnerError('http.status', `the service answers with status ${status}`, {
      details: { status },
    });
  }
  const fileName = nameOf(headers['content-disposition'], address);
  const modifiedAt = parseHttpDate(headers['last-modified'] ?? '', Date.now());
  return {
    name: fileName,
    forms: [
      {
        fileName,
        mediaType: headers['content-type'] ?? 'application/octet-stream',
        ...(modifiedAt !== undefined && { modifiedAt }),
        open: () => body,
      },
    ],
    discard: () => answer.discard(),
  };
}

function nameOf(disposition: string | undefined, address: string): string {
  const named = /filename="?([^";]+)"?/i.exec(disposition ?? '')?.[1];
  const last = new URL(address).pathname.split('/').at(-1) ?? '';
  const name = named ?? last;
  return name.replace(/[/\\]/g, '_') || 'product';
}
