/** Conversions on demand, in another thread, bounded in size and time. */
import { GarnerError } from '../../core/errors.ts';
import { workerUrl } from '../../core/worker-url.ts';
import { createPool } from '../../xml/pool.ts';
import type { ConvertCalls } from './convert-worker.ts';
import type { ConversionJob } from './converter.ts';
import { CONVERTERS } from './converters.ts';

export interface ConversionLimits {
  /** Of what is converted. */
  readonly maxBytes: number;
  readonly timeoutMs: number;
}

export interface Conversion {
  readonly to: string;
  run(bytes: AsyncIterable<Uint8Array>, scale: Pick<ConversionJob, 'width' | 'height'>): Promise<Uint8Array>;
}

export interface Conversions {
  /** What can be made of a form of that type, the best first. */
  list(mediaType: string): readonly Conversion[];
  close(): Promise<void>;
}

/** More than that wait elsewhere: each holds what it converts. */
const MOST_WAITING = 16;
const MEMORY_MB = 1024;

export function openConversions({ maxBytes, timeoutMs }: ConversionLimits): Conversions {
  const pool = createPool<ConvertCalls>(workerUrl(import.meta.url, './convert-worker'), {
    size: 1,
    inFlight: 1,
    timeoutMs,
    maxMemoryMb: MEMORY_MB,
    timeoutError: (limit) =>
      new GarnerError('product.conversion', `the conversion took longer than ${limit} ms`),
  });
  let underWay = 0;
  return {
    list(mediaType) {
      const from = mediaType.split(';', 1)[0]!.trim().toLowerCase();
      return CONVERTERS.flatMap((converter) =>
        converter.targets(from).map(
          (to): Conversion => ({
            to,
            async run(bytes, scale) {
              if (underWay >= MOST_WAITING)
                throw new GarnerError(
                  'server.busy',
                  'many products are being converted; ask again in a while',
                );
              underWay++;
              try {
                return await pool.calls.convert(converter.name, await gather(bytes, maxBytes), {
                  from,
                  to,
                  ...scale,
                });
              } finally {
                underWay--;
              }
            },
          }),
        ),
      );
    },
    close: () => pool.close(),
  };
}

async function gather(pieces: AsyncIterable<Uint8Array>, maxBytes: number): Promise<Uint8Array> {
  const parts: Uint8Array[] = [];
  let size = 0;
  for await (const piece of pieces) {
    size += piece.length;
    if (size > maxBytes)
      throw new GarnerError(
        'product.conversion',
        `only products of up to ${maxBytes} bytes are converted; ask for it as it is`,
      );
    parts.push(piece);
  }
  return Buffer.concat(parts);
}
