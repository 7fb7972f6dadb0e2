/** /prof: the profile server, as Apache OODT's web-grid answers. */
import { Readable } from 'node:stream';
import type { Hono } from 'hono';
import type { Viewer } from '../core/access.ts';
import type { Following } from '../federate/aggregate/follow-store.ts';
import type { GuidedSearch } from '../federate/guided/guided-search.ts';
import type { Network } from '../federate/network/network.ts';
import type { Profiles } from '../federate/profiles.ts';
import { readQuestion, type ServerQuestion } from '../federate/servers/read-question.ts';
import type { Profile } from '../formats/oodt-profile/profile.ts';
import { streamProfiles, writeProfiles } from '../formats/oodt-profile/write-xml.ts';
import type { HttpContext, HttpEnv } from './context.ts';
import type { HttpDeps } from './deps.ts';
import { FOREIGN_BYTES_POLICY, openToReaders, taggedResponse } from './headers.ts';
import { readFlag, readParameters } from './parameters.ts';
import { withPlainErrors } from './plain-errors.ts';
import { findUnknownAttribute } from './unknown-attribute.ts';

export interface FederationDeps {
  readonly profiles: Profiles;
  /** Absent: somebody else keeps the gathered profiles up to date. */
  readonly gathering?: Pick<Following, 'wake'>;
  /** Absent: nobody else is asked, and nobody is told who is behind this server. */
  readonly network?: Network;
  /** Absent: there is no guided search. */
  readonly guided?: GuidedSearch;
}

const XML = {
  'content-type': 'text/xml; charset=utf-8',
  'content-security-policy': FOREIGN_BYTES_POLICY,
};

export function addProfRoutes(
  app: Hono<HttpEnv>,
  deps: HttpDeps,
  { profiles, network }: FederationDeps,
): void {
  const answer = async (c: HttpContext): Promise<Response> => {
    const parameters = await readParameters(c);
    if (network && parameters.get('gathered') === 'servers') return answerServers(c, network, parameters);
    const question = readQuestion(parameters);
    const viewer = c.get('viewer');
    const gathered = readFlag(parameters, 'gathered');
    const exact = readFlag(parameters, 'exact');
    const found = gathered
      ? profiles.listPossible({ ...question, exact }, viewer)
      : listMatches(profiles, { ...question, exact }, viewer);
    // The first before the status: what cannot be answered at all is an error and no broken document.
    const first = await found.next();
    const unknown = first.done === true ? findUnknownAttribute(question, deps) : undefined;
    if (unknown) return c.body(writeProfiles([], unknown.message), 200, XML);
    const body = streamProfiles(startingWith(first, found));
    return c.body(Readable.toWeb(Readable.from(asBytes(body))) as ReadableStream<Uint8Array>, 200, XML);
  };
  app.use('/prof', openToReaders);
  app.on(['GET', 'POST'], '/prof', withPlainErrors(answer));
}

/** For query servers: one profile of this server and of each behind it. Without a question: of all of them. */
async function answerServers(
  c: HttpContext,
  network: Network,
  parameters: URLSearchParams,
): Promise<Response> {
  const asked = parameters.has('q') || parameters.has('xmlq');
  const profiles = await network.describe(asked ? readQuestion(parameters).query : undefined);
  return taggedResponse(writeProfiles(profiles), XML, c.req.header('if-none-match'));
}

/** What matches; before it groups, when the question is about groups. */
async function* listMatches(
  profiles: Profiles,
  { query, from, limit = Number.POSITIVE_INFINITY, exact }: ServerQuestion & { readonly exact: boolean },
  viewer: Viewer,
): AsyncGenerator<Profile> {
  let left = limit;
  const answers = from.length > 0 ? [] : [profiles.listGroups({ query, exact }, viewer)];
  answers.push(profiles.list({ query, exact, ...(from.length > 0 && { sources: from }) }, viewer));
  for (const answer of answers)
    for await (const profile of answer) {
      if (left-- <= 0) return;
      yield profile;
    }
}

async function* startingWith<T>(first: IteratorResult<T>, rest: AsyncIterable<T>): AsyncGenerator<T> {
  if (first.done === true) return;
  yield first.value;
  yield* rest;
}

async function* asBytes(texts: AsyncIterable<string>): AsyncGenerator<Uint8Array> {
  for await (const text of texts) yield Buffer.from(text);
}
