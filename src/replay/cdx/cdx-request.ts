/** What a request to the CDX server API asks for. */
import { surtKey } from '../../archive/index.ts';
import { captureSpan } from '../../archive/items/index.ts';
import { GarnerError } from '../../core/errors.ts';
import type { Instant } from '../../core/model.ts';
import type { CaptureMatch, CaptureQuery } from '../../store/captures.ts';
import { type CdxField, DEFAULT_FIELDS, readField } from './cdx-fields.ts';
import { compilePattern, type ValueTest } from './value-pattern.ts';

export interface CdxFilter {
  readonly field: CdxField;
  readonly negated: boolean;
  readonly test: ValueTest;
}

export interface CdxCollapse {
  readonly field: CdxField;
  /** So many characters of the value; absent: all. */
  readonly length?: number;
}

export interface CdxRequest {
  readonly urlKey: string;
  readonly match: CaptureMatch;
  readonly sources?: readonly string[];
  readonly fromAt?: Instant;
  readonly untilAt?: Instant;
  readonly filters: readonly CdxFilter[];
  readonly collapse: readonly CdxCollapse[];
  /** Negative: the last ones. */
  readonly limit: number;
  readonly order: 'ascending' | 'descending';
  /** Nearest to this moment first. */
  readonly closestAt?: Instant;
  readonly output: 'text' | 'json' | 'cdxj';
  readonly fields: readonly CdxField[];
  readonly after?: NonNullable<CaptureQuery['after']>;
  readonly showResumeKey: boolean;
}

export const MAX_LINES = 100_000;
const MATCHES = ['exact', 'prefix', 'host', 'domain'] as const;
const OUTPUTS = { json: 'json', cdx: 'text', text: 'text', '': 'text', cdxj: 'cdxj' } as const;

export function readCdxRequest(parameters: URLSearchParams): CdxRequest {
  const get = (name: string): string | undefined => parameters.get(name)?.trim() || undefined;
  const { urlKey, match } = readTarget(get('url'), get('matchType'));
  const from = readTime('from', get('from'));
  const to = readTime('to', get('to'));
  const closest = readTime('closest', get('closest'));
  const sort = get('sort');
  if (sort !== undefined && !['default', 'reverse', 'closest'].includes(sort))
    throw invalid('sort', 'default, reverse or closest');
  if (sort === 'closest' && !closest) throw invalid('closest', 'a time, since sort=closest');
  if ((closest || sort === 'reverse') && match !== 'exact')
    throw invalid('sort', 'exact URLs only (no matchType)');
  const sources = parameters.getAll('source').filter((name) => name !== '');
  const after = readResumeKey(get('resumeKey'));
  return {
    urlKey,
    match,
    ...(sources.length > 0 && { sources }),
    ...(from && { fromAt: from.start }),
    ...(to && { untilAt: to.end }),
    filters: parameters.getAll('filter').map(readFilter),
    collapse: parameters.getAll('collapse').map(readCollapse),
    limit: readLimit(get('limit')),
    order: sort === 'reverse' ? 'descending' : 'ascending',
    ...(closest && { closestAt: closest.start }),
    output: readOutput(get('output') ?? ''),
    fields: get('fl')?.split(',').map(readField) ?? DEFAULT_FIELDS,
    ...(after && { after }),
    showResumeKey: get('showResumeKey') === 'true',
  };
}

/** `example.org/*` is a prefix, `*.example.org` a domain, as the API's clients write them. */
function readTarget(
  url: string | undefined,
  matchType: string | undefined,
): { urlKey: string; match: CaptureMatch } {
  if (url === undefined) throw invalid('url', 'the address to look for');
  const match = MATCHES.find((name) => name === (matchType ?? 'exact'));
  if (!match) throw invalid('matchType', MATCHES.join(', '));
  if (matchType === undefined && url.startsWith('*.'))
    return { urlKey: surtKey(withScheme(url.slice(2))), match: 'domain' };
  if (matchType === undefined && url.endsWith('*'))
    return { urlKey: surtKey(withScheme(url.slice(0, -1))), match: 'prefix' };
  return { urlKey: surtKey(withScheme(url)), match };
}

const withScheme = (url: string): string =>
  /^[a-z][a-z0-9+.-]*:/i.test(url) && !/^[^/]+:\d+(?:\/|$)/.test(url) ? url : `http://${url}`;

function readTime(name: string, text: string | undefined): ReturnType<typeof captureSpan> {
  const span = text === undefined ? undefined : captureSpan(text);
  if (text !== undefined && !span) throw invalid(name, 'a time of 4 to 14 digits, or an ISO date');
  return span;
}

/** `statuscode:200`, `!mimetype:text/.*`; with `=` before the name, the value stands for itself. */
function readFilter(text: string): CdxFilter {
  const [, mark = '', exact = '', name = '', pattern = ''] = /^(!?)([=~]?)(\w+):(.*)$/s.exec(text) ?? [];
  if (name === '') throw invalid('filter', '[!]field:pattern');
  return {
    field: readField(name),
    negated: mark === '!',
    test: exact === '=' ? (value) => value === pattern : compilePattern(pattern),
  };
}

function readCollapse(text: string): CdxCollapse {
  const [, name = '', length] = /^(\w+)(?::(\d{1,4}))?$/.exec(text) ?? [];
  if (name === '') throw invalid('collapse', 'field or field:characters');
  return { field: readField(name), ...(length !== undefined && { length: Number(length) }) };
}

function readLimit(text: string | undefined): number {
  if (text === undefined) return MAX_LINES;
  const limit = Number(text);
  if (!Number.isInteger(limit) || limit === 0) throw invalid('limit', 'a whole number');
  return Math.max(-MAX_LINES, Math.min(MAX_LINES, limit));
}

function readOutput(text: string): CdxRequest['output'] {
  const found = Object.entries(OUTPUTS).find(([name]) => name === text);
  if (!found) throw invalid('output', 'json, cdxj or cdx');
  return found[1];
}

/** Where the lines before ended. */
export const writeResumeKey = ({ urlKey, at, key }: NonNullable<CaptureQuery['after']>): string =>
  Buffer.from(JSON.stringify([urlKey, at, key])).toString('base64url');

function readResumeKey(text: string | undefined): CaptureQuery['after'] {
  if (text === undefined) return undefined;
  try {
    const value: unknown = JSON.parse(Buffer.from(text, 'base64url').toString('utf8'));
    const [urlKey, at, key] = Array.isArray(value) ? (value as unknown[]) : [];
    if (typeof urlKey === 'string' && Number.isFinite(at) && Number.isInteger(key))
      return { urlKey, at: Number(at), key: Number(key) };
  } catch (cause) {
    throw new GarnerError('request.invalid', 'resumeKey: as an answer gave it', { cause });
  }
  throw invalid('resumeKey', 'as an answer gave it');
}

const invalid = (name: string, expected: string): GarnerError =>
  new GarnerError('request.invalid', `${name}: ${expected}`);
