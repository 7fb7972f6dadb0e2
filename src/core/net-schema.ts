/** The keys of outgoing connections, as rows of the config file. */
import { isIP } from 'node:net';
import { z } from 'zod';

const PLACE = /^(\[[0-9a-f:.]+\]|[\d.]+)(?::(\d{1,5}))?$/i;

export interface Place {
  readonly address: string;
  /** Absent: the port of the URL. */
  readonly port?: number;
}

/** `127.0.0.1`, `127.0.0.1:8080`, `[::1]:8080`; undefined when it is neither. */
export function parsePlace(text: string): Place | undefined {
  const [, host = '', port] = PLACE.exec(text) ?? [];
  const address = host.replace(/^\[|\]$/g, '');
  if (isIP(address) === 0 || Number(port ?? 1) < 1 || Number(port ?? 1) > 65_535) return undefined;
  return { address, ...(port !== undefined && { port: Number(port) }) };
}

export const netSchema = z
  .strictObject({
    hosts: z
      .record(
        z.string().regex(/^[a-z0-9-]+(?:\.[a-z0-9-]+)*$/, 'must be a host name in small letters'),
        z
          .string()
          .refine(
            (place) => parsePlace(place) !== undefined,
            'must be an address, with a port where wanted: 192.0.2.7:8080 or [2001:db8::7]:8080',
          ),
      )
      .default({})
      .describe(
        'Where these host names lead, whatever the DNS says, such as to a server that is not public yet. URLs, `Host` headers and certificates keep the name; `allowPrivate` counts as ever.',
      ),
  })
  .prefault({})
  .describe('How hosts are reached.');
