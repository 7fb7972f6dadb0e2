/** Converts in a thread of its own: it can be stopped, and answers to others go on. */
import { parentPort } from 'node:worker_threads';
import { GarnerError } from '../../core/errors.ts';
import { serveCalls } from '../../core/worker-rpc.ts';
import type { ConversionJob } from './converter.ts';
import { CONVERTERS } from './converters.ts';

export interface ConvertCalls {
  convert(name: string, bytes: Uint8Array, job: ConversionJob): Promise<Uint8Array>;
}

if (parentPort)
  serveCalls<ConvertCalls>(parentPort, {
    convert: async (name, bytes, job) => {
      const converter = CONVERTERS.find((one) => one.name === name);
      if (!converter) throw new GarnerError('internal.bug', `there is no converter ${name}`);
      return converter.convert(bytes, job);
    },
  });
