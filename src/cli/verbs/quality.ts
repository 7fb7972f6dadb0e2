import { openQuality } from '../../app/run-source.ts';
import { GarnerError } from '../../core/errors.ts';
import { nearestNames } from '../../core/nearest.ts';
import type { ProblemRule } from '../../workflow/quality/index.ts';
import { openForVerb } from '../open.ts';
import { formatCount, formatTable, type Terminal } from '../terminal.ts';
import type { Verb } from '../verb.ts';

const SHOWN = 10;
const KIND_TEXT = { doi: 'same DOI', identifier: 'same identifier', title: 'same title and year' } as const;

export const qualityVerb: Verb = {
  name: 'quality',
  summary: 'how good the records of a source are: missing fields, broken values, duplicates',
  usage: 'quality SOURCE',
  options: {},
  examples: ['garner quality pangaea', 'garner quality pangaea --json'],
  async run({ positionals, values, terminal }) {
    const [source, ...more] = positionals;
    if (source === undefined || more.length > 0)
      throw new GarnerError('usage.invalid', `which source?\nusage: garner ${this.usage}`);
    await using garner = await openForVerb(values, terminal);
    const report = await openQuality(garner).make();
    const quality = report.sources[source];
    if (!quality) {
      const near = nearestNames(source, Object.keys(report.sources));
      throw new GarnerError(
        'source.unknown',
        `there is no source "${source}"${near.length > 0 ? `; did you mean ${near.join(' or ')}?` : ''}`,
      );
    }
    const { open: missing } = await garner.store.runs.countLosses(source);
    terminal.answer({
      seq: report.seq,
      madeAt: new Date(report.madeAt).toISOString(),
      missing,
      ...quality,
    });
    terminal.say(`${source}: ${formatCount(quality.items)} items`);
    if (missing > 0) terminal.say(`${formatCount(missing)} missing: garner missing ${source}`);
    terminal.say('fields:');
    const rows = quality.fields.map(({ label, present }) => [
      `  ${label}`,
      formatCount(present),
      quality.items === 0 ? '' : `${formatCount(quality.items - present)} missing`,
    ]);
    for (const line of formatTable(rows)) terminal.say(line);
    sayRules(terminal, 'what is wrong with its records:', quality.problems);
    sayRules(terminal, 'what the last run could not take in:', quality.keptOut);
    for (const { kind, groups, acrossSources } of quality.duplicates) {
      if (groups === 0) continue;
      terminal.say(
        `${KIND_TEXT[kind]}: ${formatCount(groups)} groups, ${formatCount(acrossSources)} across sources`,
      );
      for (const group of quality.duplicateGroups.filter((one) => one.kind === kind).slice(0, SHOWN))
        terminal.say(
          `  ${group.key}: ${group.members.map((member) => `${member.source}/${member.identifier}`).join(', ')}`,
        );
    }
    if (!report.allCompared)
      terminal.say('there are too many items to compare them all; duplicates are more');
    return 0;
  },
};

function sayRules(terminal: Terminal, title: string, rules: readonly ProblemRule[]): void {
  if (rules.length === 0) return;
  terminal.say(title);
  const rows = rules
    .slice(0, SHOWN)
    .map(({ items, rule, code, identifier }) => [
      `  ${formatCount(items)}`,
      `${rule} [${code}]`,
      identifier === undefined ? '' : `e.g. ${identifier}`,
    ]);
  for (const line of formatTable(rows)) terminal.say(line);
  if (rules.length > SHOWN) terminal.say(`  … and ${formatCount(rules.length - SHOWN)} more rules`);
}
