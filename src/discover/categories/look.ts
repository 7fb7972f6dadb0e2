/** A look at an address: the first bytes of what is there, if its host lets robots. */
import { sniffType } from '../../archive/content/sniff.ts';
import { asGarnerError, GarnerError } from '../../core/errors.ts';
import type { Look } from './categorise.ts';

/** Brought by the composition root, which knows robots.txt and politeness. */
export type FetchStart = (
  url: string,
  maxBytes: number,
  signal?: AbortSignal,
) => Promise<{ readonly bytes: Uint8Array; readonly contentType?: string; readonly url: string }>;

export interface Looked {
  readonly look?: Look;
  /** Where redirects led. */
  readonly landedAt?: string;
  /** Why there is none. */
  readonly failure?: string;
  /** Its name, or where it leads, is in a private network. */
  readonly isPrivate?: true;
}

const FIRST_BYTES = 4096;

export async function lookAt(url: string, fetchStart: FetchStart, signal?: AbortSignal): Promise<Looked> {
  try {
    const { bytes, contentType, url: landedAt } = await fetchStart(url, FIRST_BYTES, signal);
    const { type, by } = sniffType(bytes, contentType, landedAt);
    return { look: { mediaType: type, by }, ...(landedAt !== url && { landedAt }) };
  } catch (thrown) {
    if (signal?.aborted) throw thrown;
    if (!(thrown instanceof GarnerError)) throw asGarnerError(thrown);
    return { failure: thrown.message, ...(thrown.code === 'http.address' && { isPrivate: true }) };
  }
}
