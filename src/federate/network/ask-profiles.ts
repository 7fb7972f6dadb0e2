/** One server's profiles that match. */
import type { Profile } from '../../formats/oodt-profile/profile.ts';
import { readProfiles } from '../../formats/oodt-profile/read-xml.ts';
import { isGathered } from '../aggregate/gathered-profile.ts';
import type { Exchange } from './exchange.ts';
import { readGroup } from './server-groups.ts';
import { serverQuestion } from './server-url.ts';
import { statusError } from './time-limit.ts';
import type { AskedServer, ServerReply } from './traverse.ts';

export interface ProfilesQuestion {
  /** With all that is meant by its terms: servers take it as it stands. */
  readonly expression: string;
  /** When it asks for more than is wanted: what is wanted of that. */
  readonly fits?: (profile: Profile) => boolean;
  /** The most that is wanted. */
  readonly limit: number;
  readonly maxBytes: number;
}

/** Profiles of servers among them are not of the answer: they lead on. */
export async function askProfiles(
  exchange: Exchange,
  { server, allowPrivate }: Pick<AskedServer, 'server' | 'allowPrivate'>,
  { expression, fits, limit, maxBytes }: ProfilesQuestion,
  signal: AbortSignal,
): Promise<ServerReply<readonly Profile[]>> {
  // One more than wanted tells whether there are more.
  const most = fits ? {} : { limit: String(limit + 1) };
  const url = serverQuestion(server, { q: expression, exact: 'true', ...most });
  const { status, body, isPrivate } = await exchange({ url, allowPrivate, maxBytes, signal });
  // Reading takes longer than anything else here; nobody waits for it any more.
  signal.throwIfAborted();
  if (status !== 200) throw statusError(server, status);
  const given = readProfiles(body);
  const profiles = given.filter((profile) => !isGathered(profile) && (!fits || fits(profile)));
  return {
    value: profiles.slice(0, limit),
    found: Math.min(limit, profiles.length),
    more: profiles.length > limit,
    groups: given.flatMap((profile) => readGroup(profile) ?? []),
    isPrivate,
  };
}
