/** `garner export SNAPSHOT --bag TARGET`: a folder, or one file by its ending. */
import { createWriteStream, existsSync } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { openBags } from '../app/bulk-forms.ts';
import { openPackages } from '../app/packages.ts';
import { OPERATOR } from '../core/access.ts';
import { GarnerError } from '../core/errors.ts';
import { writeSnapshotBag } from '../packaging/bag/snapshot-bag.ts';
import { findPackageForm } from '../packaging/package-form.ts';
import { findNamedItem, onePositional } from './find-item.ts';
import { holdHeaps } from './memory.ts';
import { openForVerb } from './open.ts';
import { formatCount, type Terminal } from './terminal.ts';
import { type ExitCode, listOption, type OptionValues } from './verb.ts';

export async function exportBag(
  positionals: readonly string[],
  target: string,
  values: OptionValues,
  terminal: Terminal,
): Promise<ExitCode> {
  const name = onePositional(positionals, 'snapshot', 'export SNAPSHOT --bag TARGET');
  const [, kind] = /\.(tar|zip)$/i.exec(target) ?? [];
  if (kind !== undefined && existsSync(target) && values.force !== true)
    throw new GarnerError('usage.invalid', `${target} is there already; --force overwrites it`);
  holdHeaps();
  await using garner = await openForVerb(values, terminal);
  const item = await findNamedItem(garner.store.items, name, listOption(values, 'source')[0]);
  const { forms } = openPackages(garner);
  if (kind === undefined) {
    const { files, bytes } = await writeSnapshotBag(openBags(garner, forms), item, {}, target, OPERATOR);
    terminal.answer({ target, kind: 'bag', files, bytes });
    terminal.say(`${target}: ${formatCount(files)} files, ${formatCount(bytes)} bytes`);
    return 0;
  }
  const form = findPackageForm(forms, kind.toLowerCase() === 'zip' ? 'bag-zip' : 'bag');
  if (!form) throw new GarnerError('internal.bug', 'there is no form for bags');
  const unfinished = `${target}.unfinished`;
  try {
    const bytes = await form.write(item, {}, OPERATOR);
    await pipeline(Readable.from(bytes, { objectMode: false }), createWriteStream(unfinished));
    await rename(unfinished, target);
  } finally {
    await rm(unfinished, { force: true });
  }
  terminal.answer({ target, kind: 'bag' });
  terminal.say(target);
  return 0;
}
