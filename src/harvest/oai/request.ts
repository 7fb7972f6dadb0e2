/** The address of an OAI-PMH request. */
import type { Instant } from '../../core/model.ts';
import { formatOai, type OaiGranularity } from '../../core/time.ts';

export type OaiArguments = readonly (readonly [name: string, value: string])[];

/**
 * Arguments in the order of the specification, which some servers insist on. A query string that the
 * base address has of its own stays in front; a slash at its end is neither added nor removed.
 */
export function requestUrl(base: string, args: OaiArguments, rawToken = false): string {
  const plain = base.replace(/#.*$/s, '');
  const glue = !plain.includes('?') ? '?' : /[?&]$/.test(plain) ? '' : '&';
  const query = args.map(([name, value]) => `${name}=${encodeArgument(name, value, rawToken)}`).join('&');
  return `${plain}${glue}${query}`;
}

/** Tokens may hold anything: all of it is escaped. Colons of dates stay readable (RFC 3986 §3.4 allows them). */
function encodeArgument(name: string, value: string, rawToken: boolean): string {
  if (rawToken && name === 'resumptionToken') return value.replace(/[\s#]/g, encodeURIComponent);
  const encoded = encodeURIComponent(value).replace(
    /[!'()*]/g,
    (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return name === 'resumptionToken' ? encoded : encoded.replaceAll('%3A', ':');
}

/** Both ends inclusive; absent ends are open. */
export interface DateWindow {
  readonly fromAt?: Instant;
  readonly untilAt?: Instant;
}

const DAY_MS = 86_400_000;

export function listArguments(
  verb: 'ListRecords' | 'ListIdentifiers',
  list: { readonly prefix: string; readonly set?: string },
  window: DateWindow,
  granularity: OaiGranularity,
): OaiArguments {
  const { fromAt, untilAt } = window;
  // Some servers take a day `until` for its first second: the day after is asked for, too.
  const lastAt = untilAt === undefined || granularity === 'YYYY-MM-DDThh:mm:ssZ' ? untilAt : untilAt + DAY_MS;
  return [
    ['verb', verb],
    ['metadataPrefix', list.prefix],
    ...(fromAt === undefined ? [] : [['from', formatOai(fromAt, granularity)] as const]),
    ...(lastAt === undefined ? [] : [['until', formatOai(lastAt, granularity)] as const]),
    ...(list.set === undefined ? [] : [['set', list.set] as const]),
  ];
}

export const tokenArguments = (verb: string, token: string): OaiArguments => [
  ['verb', verb],
  ['resumptionToken', token],
];

export function granuleMs(granularity: OaiGranularity): number {
  return granularity === 'YYYY-MM-DD' ? DAY_MS : 1000;
}
