/** Single questions to a live site, whatever the status of the answer: for headers, sitemaps and pages. */

import { createHttpClient } from './client.ts';
import type { HttpPolicy } from './policy.ts';

export interface SiteAnswer {
  readonly status: number;
  readonly headers: readonly (readonly [name: string, value: string])[];
  /** After redirects. */
  readonly url: string;
}

const ANY_STATUS = () => true;
/** As a browser without packing would see it: lengths are those of the resource. */
const PLAIN = { 'accept-encoding': 'identity' };

export function createSiteClient(policy: Pick<HttpPolicy, 'userAgent' | 'allowPrivate'>) {
  const client = createHttpClient({
    ...policy,
    connectTimeoutMs: 5000,
    idleTimeoutMs: 15_000,
    totalTimeoutMs: 60_000,
    maxRedirects: 5,
    attempts: 2,
    backoffMs: 500,
  });
  return {
    head: async (url: string): Promise<SiteAnswer> => {
      const answer = await client.request({
        url,
        method: 'HEAD',
        headers: PLAIN,
        accept: ANY_STATUS,
        attempts: 1,
      });
      answer.discard();
      return { status: answer.status, url: answer.url, headers: pairs(answer.rawHeaders) };
    },
    get: async (
      url: string,
      { maxBytes, unpack }: { readonly maxBytes: number; readonly unpack: boolean },
    ) => {
      const answer = await client.read({ url, headers: PLAIN, accept: ANY_STATUS, sniff: unpack }, maxBytes);
      return {
        status: answer.status,
        url: answer.url,
        headers: pairs(answer.rawHeaders),
        bytes: answer.bytes,
      };
    },
  };
}

/** Node gives names and values in turn. */
function pairs(raw: readonly string[]): [string, string][] {
  return Array.from({ length: raw.length / 2 }, (_, i) => [raw[2 * i] ?? '', raw[2 * i + 1] ?? '']);
}
