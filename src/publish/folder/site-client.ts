/** How the live site is asked. The composition root gives a client that refuses private addresses unless told. */
import type { HttpHeader } from '../../formats/http-header.ts';

export interface SiteAnswer {
  readonly status: number;
  readonly headers: readonly HttpHeader[];
  /** After redirects. */
  readonly url: string;
}

export interface SiteClient {
  /** Throws when there is no answer at all; any status is an answer. */
  head(url: string): Promise<SiteAnswer>;
  /** `unpack`: bodies that are packed without saying so (sitemap.xml.gz) are unpacked. */
  get(
    url: string,
    options: { readonly maxBytes: number; readonly unpack: boolean },
  ): Promise<SiteAnswer & { readonly bytes: Uint8Array }>;
}

export function findHeader(headers: readonly HttpHeader[], name: string): string | undefined {
  return headers.find(([known]) => known.toLowerCase() === name)?.[1];
}
