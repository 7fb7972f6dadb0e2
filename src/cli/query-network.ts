/** `garner query` over the network: what was found, and how it went with each server. */
import { openNetwork } from '../app/network.ts';
import type { Garner } from '../app.ts';
import { OPERATOR } from '../core/access.ts';
import type { NetworkQuestion } from '../federate/network/network.ts';
import { isMissing } from '../federate/network/server-status.ts';
import type { Profiles } from '../federate/profiles.ts';
import { profileToJson } from '../formats/oodt-profile/json-form.ts';
import type { Profile } from '../formats/oodt-profile/profile.ts';
import { formatCount, type Terminal } from './terminal.ts';

/** The exit code: 3 when a server that may have something could not be asked. */
export async function queryNetwork(
  garner: Garner,
  profiles: Profiles,
  question: NetworkQuestion & { readonly select: readonly string[] },
  findUnknown: (elsewhere: readonly string[]) => Promise<string | undefined>,
  terminal: Terminal,
): Promise<0 | 3> {
  const { network, close } = openNetwork(garner, profiles);
  try {
    const answer = await network.collect(question, OPERATOR, new AbortController().signal);
    const { servers } = answer;
    terminal.answer({
      ...answer,
      profiles: answer.profiles.map(({ profile, ...found }) => ({
        ...found,
        profile: profileToJson(profile),
      })),
    });
    const count = answer.profiles.length;
    const asked = servers.filter(({ state }) => state !== 'pruned').length;
    terminal.say(
      `${formatCount(count)} ${count === 1 ? 'resource' : 'resources'}${answer.complete ? '' : ', and perhaps more'}; ${formatCount(asked)} of ${formatCount(servers.length)} servers asked`,
    );
    for (const { profile } of answer.profiles) sayProfile(terminal, profile, question.select);
    const missing = servers.filter(isMissing);
    for (const { title, state, message } of missing)
      terminal.warn(`${title}: ${state}${message === undefined ? '' : ` (${message})`}`);
    const elsewhere = count === 0 ? network.listAttributes() : undefined;
    const unknown = elsewhere && (await findUnknown(elsewhere));
    if (unknown !== undefined) terminal.warn(`note: ${unknown}`);
    return missing.length > 0 ? 3 : 0;
  } finally {
    close();
  }
}

export function sayProfile(terminal: Terminal, profile: Profile, select: readonly string[]): void {
  terminal.say(`  ${profile.res.Identifier?.[0] ?? ''}`);
  for (const name of select) terminal.say(`    ${name} = ${valuesOf(profile, name)}`);
  for (const location of profile.res.resLocation ?? []) terminal.say(`    ${location}`);
}

function valuesOf({ prof, res, elements }: Profile, name: string): string {
  const key = name.toLowerCase();
  const own = Object.entries({ ...prof, ...res }).find(([known]) => known.toLowerCase() === key)?.[1];
  const element = elements.find(({ elemName }) => elemName?.[0]?.toLowerCase() === key);
  const range = element?.elemMinValue && `${element.elemMinValue[0]} to ${element.elemMaxValue?.[0] ?? ''}`;
  return own?.join(', ') ?? element?.elemValue?.join(', ') ?? range ?? '(none)';
}
