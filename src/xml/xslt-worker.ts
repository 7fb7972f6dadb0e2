/**
 * The thread in which one stylesheet runs. libxslt was compiled without a file system; what it wants from
 * the network it asks of `globalThis.fetch`, and what it has to say it writes to standard error. Both are
 * replaced before it is loaded: nothing is fetched, and its words become the reasons in our errors.
 */
import fs from 'node:fs';
import { parentPort, workerData } from 'node:worker_threads';
import { type ErrorCode, GarnerError } from '../core/errors.ts';
import { serveCalls } from '../core/worker-rpc.ts';
import { declareUtf8, toUtf8 } from './encoding.ts';
import { failureCode } from './failure-code.ts';
import { hasDoctype } from './scan.ts';

export type XsltOutcome =
  | { readonly bytes: Uint8Array }
  | { readonly code: ErrorCode; readonly message: string };

export interface XsltCalls {
  /** Compiles the stylesheet. */
  prepare(): Promise<void>;
  transform(bytes: Uint8Array): Promise<Uint8Array>;
  /** One failed document does not fail the others. */
  transformAll(documents: readonly Uint8Array[]): Promise<XsltOutcome[]>;
}

/** `document('')` in a stylesheet means the stylesheet itself; libxslt finds it by this name. */
const OWN_URL = 'stylesheet.xsl';
const MAX_REASONS = 4;

let reasons: string[] = [];
let refused: string | undefined;

const writeSync = fs.writeSync;
Object.assign(fs, {
  writeSync: (...args: Parameters<typeof writeSync>) => {
    const [file, data] = args;
    if (file !== 2) return writeSync(...args);
    const text = String(data);
    const unreadable = /^(.*?):\d+: I\/O error/.exec(text)?.[1];
    if (unreadable !== undefined && unreadable !== OWN_URL) refused ??= unreadable;
    // Not the lines with nothing but `error`, or with the caret below a position.
    if (reasons.length < MAX_REASONS && !/^(?:error)?[\s^]*$/.test(text)) reasons.push(text.trim());
    return text.length;
  },
});

globalThis.fetch = (input) => {
  refused ??= input instanceof Request ? input.url : String(input);
  return Promise.resolve(new Response(null, { status: 403 }));
};

const { XmlDocument, XsltStylesheet } = await import('libxslt-wasm');
const { registerModule } = await import('libxslt-wasm/exslt');
for (const name of ['common', 'math', 'sets', 'functions', 'dates-and-times', 'strings'] as const)
  registerModule(name);

const because = (fallback: string) => (reasons.length === 0 ? fallback : reasons.join('; '));

/** libxslt-wasm throws a plain Error when libxslt says no; anything else is a breakdown of its WASM. */
const isBreakdown = (error: unknown) => !(error instanceof Error) || error.constructor !== Error;

function breakdown(cause: unknown): GarnerError {
  const message = `the transformation broke down: ${cause instanceof Error ? cause.message : String(cause)}`;
  return new GarnerError('xslt.failed', message, { cause, details: { unusable: true } });
}

/** Runs a step of libxslt and gives its failure a code. */
async function step<T>(run: () => Promise<T> | T, failure: () => GarnerError): Promise<T> {
  try {
    return await run();
  } catch (error) {
    if (isBreakdown(error)) throw breakdown(error);
    throw failure();
  }
}

const stylesheet = (async () => {
  const bytes = Buffer.from(String(workerData));
  if (hasDoctype(bytes)) throw new GarnerError('xslt.stylesheet', 'the stylesheet has a DOCTYPE');
  const compiled = await step(
    () => XsltStylesheet.from(bytes, { url: OWN_URL, options: { noNet: true, noXxe: true } }),
    () => new GarnerError('xslt.stylesheet', because('the stylesheet does not compile')),
  );
  if (refused !== undefined)
    throw new GarnerError(
      'xslt.stylesheet',
      `the stylesheet includes ${refused}; nothing outside of it is read`,
    );
  return compiled;
})();
// Told to every caller that awaits it.
stylesheet.catch(() => undefined);

async function transform(bytes: Uint8Array): Promise<Uint8Array> {
  const style = await stylesheet;
  reasons = [];
  refused = undefined;
  const utf8 = toUtf8(bytes);
  if (hasDoctype(utf8)) throw new GarnerError('xml.forbidden', 'the document has a DOCTYPE');
  using document = await step(
    () => XmlDocument.from(utf8, { options: { noNet: true, noXxe: true } }),
    () => {
      const reason = because('the document is not well-formed');
      return new GarnerError(failureCode(reason), reason);
    },
  );
  using result = await step(
    () => style.apply(document),
    () => new GarnerError('xslt.failed', because('the stylesheet failed')),
  );
  if (refused !== undefined)
    throw new GarnerError(
      'xslt.failed',
      `the stylesheet wants to read ${refused}; nothing is read or fetched`,
    );
  // The text is in UTF-8 whatever xsl:output says: let the declaration say so too.
  const text = await step(
    () => style.applyToString(result),
    () => new GarnerError('xslt.failed', because('the result could not be written')),
  );
  return Buffer.from(declareUtf8(text));
}

const port = parentPort;
if (!port) throw new GarnerError('internal.bug', 'xslt-worker is not in a worker thread');
serveCalls<XsltCalls>(port, {
  prepare: async () => {
    await stylesheet;
  },
  transform,
  transformAll: async (documents) => {
    const outcomes: XsltOutcome[] = [];
    for (const bytes of documents)
      try {
        outcomes.push({ bytes: await transform(bytes) });
      } catch (error) {
        if (!(error instanceof GarnerError) || error.details.unusable === true) throw error;
        outcomes.push({ code: error.code, message: error.message });
      }
    return outcomes;
  },
});
