import { openRunLogs } from '../../app/run-source.ts';
import { thinVersions } from '../../app/thin-versions.ts';
import { GarnerError } from '../../core/errors.ts';
import { silentLog } from '../../core/log.ts';
import { openForVerb } from '../open.ts';
import { formatCount } from '../terminal.ts';
import { type OptionValues, textOption, type Verb } from '../verb.ts';

export const thinVerb: Verb = {
  name: 'thin',
  summary:
    'forget the content of old versions of snapshots, but never of the first, the newest or a pinned one',
  usage: 'thin [SOURCE…] [--keep N] [--older-than DAYS]',
  options: {
    keep: {
      type: 'string',
      value: 'N',
      help: 'how many versions keep their content (packages.keepVersions)',
    },
    'older-than': { type: 'string', value: 'DAYS', help: 'younger ones stay (packages.thinAfterDays)' },
  },
  examples: ['garner thin --keep 5', 'garner thin election --keep 2 --older-than 0'],
  async run({ positionals, values, terminal }) {
    const keepVersions = readCount(values, 'keep');
    const olderThanDays = readCount(values, 'older-than');
    await using garner = await openForVerb(values, terminal);
    if ((keepVersions ?? garner.config.packages.keepVersions) === 0)
      throw new GarnerError('usage.invalid', 'all versions are kept; say with --keep N how many');
    const thinned = await thinVersions(garner, openRunLogs(garner).tee(silentLog), {
      ...(positionals.length > 0 && { sources: positionals }),
      ...(keepVersions !== undefined && { keepVersions }),
      ...(olderThanDays !== undefined && { olderThanDays }),
    });
    terminal.answer({ thinned });
    for (const [source, count] of Object.entries(thinned))
      terminal.say(`${source}: ${formatCount(count)} versions`);
    return 0;
  },
};

function readCount(values: OptionValues, name: string): number | undefined {
  const text = textOption(values, name);
  if (text === undefined) return undefined;
  if (!/^\d{1,6}$/.test(text)) throw new GarnerError('usage.invalid', `--${name}: a number, not "${text}"`);
  return Number(text);
}
