/** Asking an engine: through its gate, with retries by the client, and the raw answer kept. */
import { GarnerError } from '../../core/errors.ts';
import type { Clock } from '../../core/time.ts';
import type { BlobStore } from '../../store/index.ts';
import type { Ask } from './engine.ts';
import type { EngineGate } from './gate.ts';

/** The part of an HTTP client that discovery needs; the composition root brings one. */
export interface DiscoverHttp {
  read(
    request: {
      readonly url: string;
      readonly method?: 'GET' | 'HEAD' | 'POST' | 'PUT';
      readonly headers?: Readonly<Record<string, string>>;
      readonly body?: string;
      readonly accept?: (status: number) => boolean;
      readonly attempts?: number;
      readonly signal?: AbortSignal;
    },
    maxBytes: number,
  ): Promise<{
    readonly status: number;
    readonly url: string;
    readonly headers: ReadonlyMap<string, string>;
    readonly bytes: Uint8Array;
  }>;
}

export interface KeptAnswer {
  /** Without secrets. */
  readonly url: string;
  readonly at: number;
  readonly size: number;
  /** The blob with the bytes. */
  readonly digest: string;
}

export interface AskDeps {
  readonly http: DiscoverHttp;
  readonly gate: EngineGate;
  readonly clock: Clock;
  /** Absent: answers are not kept. */
  readonly blobs?: BlobStore;
  readonly onAnswer?: (answer: KeptAnswer) => void;
  /** Never shown and never kept. */
  readonly secret?: string | undefined;
  readonly attempts: number;
  readonly signal?: AbortSignal;
}

const MAX_ANSWER_BYTES = 32 * 2 ** 20;

export function createAsk(deps: AskDeps): Ask {
  const { http, gate, clock, blobs, onAnswer, secret, attempts, signal } = deps;
  const hide = (text: string): string =>
    secret === undefined || secret === ''
      ? text
      : text.replaceAll(encodeURIComponent(secret), '…').replaceAll(secret, '…');

  return async ({ emptyStatus, ...request }) => {
    const answer = await patiently(attempts, async () => {
      await gate.enter(signal);
      return http.read(
        {
          ...request,
          // One try: the next goes through the gate like every other request.
          attempts: 1,
          accept: (status) => status === 200 || status === emptyStatus,
          ...(signal && { signal }),
        },
        MAX_ANSWER_BYTES,
      );
    }).catch((error: unknown) => {
      if (!(error instanceof GarnerError)) throw error;
      throw new GarnerError(error.code, hide(error.message), { details: { status: error.details.status } });
    });
    if (blobs) {
      const { digest, size } = await blobs.put(once(answer.bytes));
      onAnswer?.({ url: hide(request.url), at: clock(), size, digest });
    }
    const contentType = answer.headers.get('content-type');
    return {
      url: hide(answer.url),
      bytes: answer.bytes,
      ...(contentType !== undefined && { contentType }),
    };
  };

  /** Tries again what may pass; a host that names a time gets it, if it is short. */
  async function patiently<T>(left: number, work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      if (left <= 1 || !(error instanceof GarnerError) || !mayPass(error)) throw error;
      await deps.gate.pause(pauseOf(error, attempts - left), signal);
      return patiently(left - 1, work);
    }
  }
}

async function* once(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes;
}

const PASSING: ReadonlySet<number> = new Set([408, 425, 429, 500, 502, 503, 504, 522, 524]);
const LONGEST_PAUSE_MS = 120_000;
const FIRST_PAUSE_MS = 2000;

function mayPass(error: GarnerError): boolean {
  const asked = error.details.retryAfterMs;
  if (typeof asked === 'number' && asked > LONGEST_PAUSE_MS) return false;
  if (error.code === 'engine.quota') return false;
  return error.code === 'http.status' ? PASSING.has(Number(error.details.status)) : error.retryable;
}

function pauseOf(error: GarnerError, tried: number): number {
  const asked = error.details.retryAfterMs;
  return typeof asked === 'number' ? asked : Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** tried);
}
