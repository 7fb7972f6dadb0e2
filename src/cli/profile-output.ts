/** Profiles on the command line: in which form, and where to. */
import { createWriteStream } from 'node:fs';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { GarnerError } from '../core/errors.ts';
import { isProfileForm, PROFILE_FORMS, type ProfileForm } from '../formats/oodt-profile/forms.ts';
import type { Profile } from '../formats/oodt-profile/profile.ts';
import type { Terminal } from './terminal.ts';
import { type OptionSpec, type OptionValues, textOption } from './verb.ts';

const FORMS = Object.keys(PROFILE_FORMS).join(', ');

export const PROFILE_OUTPUT = {
  form: { type: 'string', value: 'FORM', help: `${FORMS} (default: by the ending of --output, else xml)` },
  output: { type: 'string', value: 'FILE', help: 'write to this file instead of standard output' },
} as const satisfies Record<string, OptionSpec>;

export function formOf(fileName: string): ProfileForm | undefined {
  const ending = /\.(\w+)$/.exec(fileName)?.[1]?.toLowerCase();
  return (Object.keys(PROFILE_FORMS) as ProfileForm[]).find((form) => PROFILE_FORMS[form].ending === ending);
}

/** Gives how many there were. */
export async function printProfiles(
  profiles: AsyncIterable<Profile>,
  values: OptionValues,
  terminal: Terminal,
): Promise<number> {
  const named = textOption(values, 'form');
  const file = textOption(values, 'output');
  if (named !== undefined && !isProfileForm(named))
    throw new GarnerError('usage.invalid', `--form takes one of ${FORMS}, not "${named}"`);
  const form = named ?? (file === undefined ? undefined : formOf(file)) ?? (terminal.json ? 'json' : 'xml');
  let count = 0;
  const counted = async function* () {
    for await (const profile of profiles) {
      count++;
      yield profile;
    }
  };
  const pieces = PROFILE_FORMS[form].write(counted());
  if (file === undefined) for await (const piece of pieces) terminal.bytes(Buffer.from(piece));
  else await pipeline(Readable.from(pieces), createWriteStream(file));
  return count;
}
