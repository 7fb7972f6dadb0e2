/** XSLT 1.0 with EXSLT: a stylesheet in a thread of its own, with a time limit and no way out. */
import { asGarnerError, GarnerError } from '../core/errors.ts';
import { workerUrl } from '../core/worker-url.ts';
import { createPool } from './pool.ts';
import type { XsltCalls } from './xslt-worker.ts';

export interface TransformerOptions {
  /** For one document. */
  readonly timeoutMs?: number;
}

export interface Transformer {
  /** Compiles the stylesheet; throws `xslt.stylesheet` when it is wrong. Done by itself before the first use. */
  prepare(): Promise<void>;
  /** The result in UTF-8. */
  transform(bytes: Uint8Array): Promise<Uint8Array>;
  /** Faster than one by one. A result or an error for each document, in order. */
  transformAll(documents: readonly Uint8Array[]): Promise<(Uint8Array | GarnerError)[]>;
  close(): Promise<void>;
}

const DEFAULT_TIMEOUT_MS = 5000;

export function createTransformer(stylesheet: string, options: TransformerOptions = {}): Transformer {
  const pool = createPool<XsltCalls>(workerUrl(import.meta.url, './xslt-worker'), {
    size: 1,
    workerData: stylesheet,
    timeoutMs: options.timeoutMs ?? DEFAULT_TIMEOUT_MS,
    timeoutError: (timeoutMs) =>
      new GarnerError('xslt.timeout', `the transformation took longer than ${timeoutMs} ms`),
    warmUp: (calls) => calls.prepare(),
    // libxslt may wait for an answer from outside; a second transformation must not begin meanwhile.
    inFlight: 1,
    isPoisoned: (error) => error.details.unusable === true,
  });
  /** A wrong stylesheet stays wrong: no new thread for every document. */
  let prepared: Promise<void> | undefined;
  const prepare = () => {
    prepared ??= pool.calls.prepare();
    return prepared;
  };

  async function transform(bytes: Uint8Array): Promise<Uint8Array> {
    await prepare();
    return pool.calls.transform(bytes);
  }

  async function oneByOne(documents: readonly Uint8Array[]): Promise<(Uint8Array | GarnerError)[]> {
    const results: (Uint8Array | GarnerError)[] = [];
    for (const bytes of documents) results.push(await transform(bytes).catch(asGarnerError));
    return results;
  }

  return {
    prepare,
    transform,
    transformAll: async (documents) => {
      await prepare();
      try {
        const outcomes = await pool.calls.transformAll(documents);
        return outcomes.map((outcome) =>
          'bytes' in outcome ? outcome.bytes : new GarnerError(outcome.code, outcome.message),
        );
      } catch (error) {
        // The thread was lost with the whole batch: find the document that did it.
        if (asGarnerError(error).code === 'xslt.stylesheet') throw error;
        return oneByOne(documents);
      }
    },
    close: () => pool.close(),
  };
}
