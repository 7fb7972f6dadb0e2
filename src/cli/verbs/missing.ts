import type { Garner } from '../../app.ts';
import { GarnerError } from '../../core/errors.ts';
import { nearestNames } from '../../core/nearest.ts';
import type { KnownLoss } from '../../store/index.ts';
import { openForVerb } from '../open.ts';
import { formatCount, formatTable, type Terminal } from '../terminal.ts';
import { type ExitCode, listOption, type Verb } from '../verb.ts';

const LISTED = 1000;

export const missingVerb: Verb = {
  name: 'missing',
  summary: 'what the origins of sources have and the sources have not, and why; accept it',
  usage: 'missing [SOURCE] [--accept NAME…] [--accept-all]',
  options: {
    accept: {
      type: 'string',
      multiple: true,
      value: 'NAME',
      help: 'this may be missing: runs are complete without it',
    },
    'accept-all': { type: 'boolean', help: 'all that is missing now may be' },
  },
  examples: [
    'garner missing',
    'garner missing pangaea',
    'garner missing pangaea --accept oai:pangaea.de:doi:10.1594/1',
  ],
  async run({ positionals, values, terminal }) {
    const [source, ...more] = positionals;
    const names = listOption(values, 'accept');
    const accepts = names.length > 0 || values['accept-all'] === true;
    if (more.length > 0 || (source === undefined && accepts))
      throw new GarnerError('usage.invalid', `which source?\nusage: garner ${this.usage}`);
    await using garner = await openForVerb(values, terminal);
    if (source === undefined) return await countAll(garner, terminal);
    await checkSource(garner, source);
    if (accepts) return await accept(garner, source, values['accept-all'] === true ? 'all' : names, terminal);
    return await listOne(garner, source, terminal);
  },
};

async function countAll({ store }: Garner, terminal: Terminal): Promise<ExitCode> {
  const counts: { source: string; missing: number; accepted: number }[] = [];
  for (const { name } of await store.items.listSources()) {
    const { open, accepted } = await store.runs.countLosses(name);
    if (open + accepted > 0) counts.push({ source: name, missing: open, accepted });
  }
  terminal.answer({ sources: counts });
  if (counts.length === 0) terminal.say('nothing is known to be missing');
  const rows = counts.map(({ source, missing, accepted }) => [
    source,
    `${formatCount(missing)} missing`,
    accepted > 0 ? `${formatCount(accepted)} accepted` : '',
  ]);
  for (const line of formatTable(rows)) terminal.say(line);
  return 0;
}

async function checkSource({ store }: Garner, source: string): Promise<void> {
  const known = (await store.items.listSources()).map(({ name }) => name);
  if (known.includes(source)) return;
  const near = nearestNames(source, known);
  throw new GarnerError(
    'source.unknown',
    `there is no source "${source}"${near.length > 0 ? `; did you mean ${near.join(' or ')}?` : ''}`,
  );
}

async function accept(
  { store }: Garner,
  source: string,
  names: readonly string[] | 'all',
  terminal: Terminal,
): Promise<ExitCode> {
  const accepted = await store.runs.acceptLosses(source, names);
  const { open } = await store.runs.countLosses(source);
  terminal.answer({ source, accepted, missing: open });
  terminal.say(
    `${source}: ${formatCount(accepted)} accepted as missing, ${formatCount(open)} not; the next harvest goes by that`,
  );
  if (names === 'all' || accepted === new Set(names).size) return 0;
  terminal.say('  the others are not missing, or were accepted before');
  return 3;
}

async function listOne({ store }: Garner, source: string, terminal: Terminal): Promise<ExitCode> {
  const { open, accepted } = await store.runs.countLosses(source);
  const losses = await store.runs.listLosses({ source, limit: LISTED });
  terminal.answer({ source, missing: open, accepted, losses });
  terminal.say(
    open + accepted === 0
      ? `${source}: nothing is known to be missing`
      : `${source}: ${formatCount(open)} missing${accepted > 0 ? `, ${formatCount(accepted)} accepted` : ''}`,
  );
  for (const loss of losses) terminal.say(describeLoss(loss));
  if (open + accepted > losses.length)
    terminal.say(`  … and ${formatCount(open + accepted - losses.length)} more`);
  return 0;
}

function describeLoss({ list, name, message, code, firstRun, lastRun, acceptedAt }: KnownLoss): string {
  const runs = firstRun === lastRun ? `run ${firstRun}` : `run ${firstRun} to ${lastRun}`;
  const mark = acceptedAt === undefined ? '' : ' (accepted)';
  return `  ${name}${list === '' ? '' : ` as ${list}`}${mark}: ${message} [${code}], ${runs}`;
}
