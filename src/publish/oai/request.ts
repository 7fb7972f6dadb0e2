/** What is asked: arguments checked against the rules of their verb (§3.1, §3.6, §4), all mistakes at once. */
import { SET_SPEC_PATTERN } from '../../core/identifiers.ts';
import type { Instant } from '../../core/model.ts';
import { shorten } from '../../core/shorten.ts';
import { type OaiDate, type OaiGranularity, parseOai } from '../../core/time.ts';
import type { RawArgument } from './arguments.ts';
import {
  isVerb,
  type ListVerb,
  type OaiErrorCode,
  type OaiProblem,
  type OaiVerb,
  PREFIX_PATTERN,
  VERBS,
} from './protocol.ts';

export interface ListScope {
  readonly prefix: string;
  readonly fromAt?: Instant;
  readonly untilAt?: Instant;
  readonly set?: string;
}

export type OaiRequest =
  | { readonly verb: 'Identify' }
  | { readonly verb: 'ListMetadataFormats'; readonly identifier?: string }
  | { readonly verb: 'ListSets' }
  | { readonly verb: 'GetRecord'; readonly identifier: string; readonly prefix: string }
  | { readonly verb: ListVerb; readonly scope: ListScope }
  | { readonly verb: ListVerb | 'ListSets'; readonly token: string };

export interface ReadRequest {
  /** As they were given, for the `request` element; empty when the request itself is wrong. */
  readonly echo: readonly (readonly [name: string, value: string])[];
  readonly request?: OaiRequest;
  readonly problems: readonly OaiProblem[];
}

const MAX_SHOWN = 60;
const shown = (text: string): string => shorten(text.toWellFormed(), MAX_SHOWN);

const refuse = (code: OaiErrorCode, ...messages: readonly string[]): ReadRequest => ({
  echo: [],
  problems: messages.map((message) => ({ code, message })),
});

export function readRequest(given: readonly RawArgument[], granularity: OaiGranularity): ReadRequest {
  const verbs = given.filter(({ name }) => name === 'verb');
  if (verbs.length > 1) return refuse('badVerb', 'the argument verb is repeated');
  const verb = verbs[0]?.value;
  if (verb === undefined || verb === '') return refuse('badVerb', 'the argument verb is missing or empty');
  if (!isVerb(verb))
    return refuse('badVerb', `there is no verb ${shown(verb)}; there are ${Object.keys(VERBS).join(', ')}`);

  const values = new Map<string, string>();
  const mistakes = new Set<string>();
  const rules = VERBS[verb];
  const allowed = [...rules.required, ...rules.optional, ...(rules.resumable ? ['resumptionToken'] : [])];
  for (const { name, value } of given) {
    if (name === 'verb') continue;
    if (!allowed.some((known) => known === name)) {
      mistakes.add(`${verb} has no argument ${name === '' ? '(unreadable)' : shown(name)}`);
      continue;
    }
    if (values.has(name)) mistakes.add(`the argument ${name} is repeated`);
    if (value === undefined) mistakes.add(`the argument ${name} is not text in UTF-8 that XML can hold`);
    values.set(name, value ?? '');
  }
  const token = values.get('resumptionToken');
  if (token !== undefined && values.size > 1)
    mistakes.add('resumptionToken is an exclusive argument: leave out the others');
  if (token === undefined)
    for (const name of rules.required) if (!values.has(name)) mistakes.add(`the argument ${name} is missing`);
  if (mistakes.size > 0) return refuse('badArgument', ...mistakes);

  const made = token === undefined ? makeRequest(verb, values, granularity, mistakes) : resume(verb, token);
  if (!made || mistakes.size > 0) return refuse('badArgument', ...mistakes);
  return { echo: [['verb', verb], ...values], request: made, problems: [] };
}

const resume = (verb: OaiVerb, token: string): OaiRequest | undefined =>
  verb === 'ListRecords' || verb === 'ListIdentifiers' || verb === 'ListSets' ? { verb, token } : undefined;

function makeRequest(
  verb: OaiVerb,
  values: ReadonlyMap<string, string>,
  granularity: OaiGranularity,
  mistakes: Set<string>,
): OaiRequest {
  const identifier = values.get('identifier');
  const prefix = values.get('metadataPrefix') ?? '';
  if (identifier === '') mistakes.add('the argument identifier is empty');
  if (values.has('metadataPrefix') && !PREFIX_PATTERN.test(prefix))
    mistakes.add('metadataPrefix has characters that no prefix has');
  switch (verb) {
    case 'Identify':
      return { verb };
    case 'ListSets':
      return { verb };
    case 'ListMetadataFormats':
      return { verb, ...(identifier !== undefined && { identifier }) };
    case 'GetRecord':
      return { verb, identifier: identifier ?? '', prefix };
    case 'ListIdentifiers':
    case 'ListRecords':
      return { verb, scope: { prefix, ...readRange(values, granularity, mistakes) } };
  }
}

function readRange(
  values: ReadonlyMap<string, string>,
  granularity: OaiGranularity,
  mistakes: Set<string>,
): Omit<ListScope, 'prefix'> {
  const from = readDate('from', values.get('from'), granularity, mistakes);
  const until = readDate('until', values.get('until'), granularity, mistakes);
  if (from && until) {
    if (from.granularity !== until.granularity) mistakes.add('from and until differ in granularity');
    else if (from.startAt > until.startAt) mistakes.add('from is later than until');
  }
  const set = values.get('set');
  if (set !== undefined && !SET_SPEC_PATTERN.test(set)) mistakes.add('set is no setSpec');
  return {
    ...(from && { fromAt: from.startAt }),
    ...(until && { untilAt: until.endAt - 1 }),
    ...(set !== undefined && { set }),
  };
}

function readDate(
  name: string,
  text: string | undefined,
  granularity: OaiGranularity,
  mistakes: Set<string>,
): OaiDate | undefined {
  if (text === undefined) return undefined;
  const date = parseOai(text);
  if (!date) mistakes.add(`${name} is no date of the form YYYY-MM-DD or YYYY-MM-DDThh:mm:ssZ, in UTC`);
  else if (granularity === 'YYYY-MM-DD' && date.granularity !== granularity)
    mistakes.add(`${name} is finer than the granularity of this repository, ${granularity}`);
  return date;
}
