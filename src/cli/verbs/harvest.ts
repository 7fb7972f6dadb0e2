import { runSource } from '../../app/run-source.ts';
import { type Garner, openGarner } from '../../app.ts';
import { GarnerError } from '../../core/errors.ts';
import { silentLog } from '../../core/log.ts';
import { nearestNames } from '../../core/nearest.ts';
import { isHarvested } from '../../harvest/harvest-source.ts';
import type { ImportProgress, ImportReport } from '../../harvest/run/report.ts';
import { holdHeaps } from '../memory.ts';
import { readConfig } from '../open.ts';
import { exitOf, runEach } from '../run-each.ts';
import { tellUpdate } from '../tell-update.ts';
import { formatCount, type Terminal } from '../terminal.ts';
import type { Verb } from '../verb.ts';

const SHOWN_PROBLEMS = 10;

export const harvestVerb: Verb = {
  name: 'harvest',
  summary: 'bring sources up to date with where they come from',
  usage: 'harvest [SOURCE…] [--full] [--force]',
  options: {
    full: { type: 'boolean', help: 'list everything and compare, not only what changed since the last time' },
    force: { type: 'boolean', help: 'delete even more than maxDeleteShare allows' },
  },
  examples: ['garner harvest', 'garner harvest pangaea', 'garner harvest pangaea --full'],
  async run({ positionals, values, terminal, signal }) {
    holdHeaps();
    await using garner = await openGarner(readConfig(values), {
      threads: true,
      readers: 1,
      onUpdate: tellUpdate(terminal),
    });
    const sources = chooseSources(garner, positionals);
    const call = { values, terminal, signal };
    return await runEach(
      sources,
      (name) => name,
      call,
      async (name) => exitOf((await harvestOne(garner, name, call)).status),
    );
  },
};

/** All that are fetched from elsewhere, or those named. */
function chooseSources({ config }: Garner, names: readonly string[]): string[] {
  const all = Object.entries(config.sources).filter(([, source]) => isHarvested(source));
  for (const name of names) {
    if (all.some(([known]) => known === name)) continue;
    const near = nearestNames(
      name,
      all.map(([known]) => known),
    );
    throw new GarnerError(
      'source.unknown',
      `there is no source "${name}" to harvest${near.length > 0 ? `; did you mean ${near.join(' or ')}?` : ''}`,
    );
  }
  const chosen = all.filter(([name, { kind }]) =>
    names.length > 0 ? names.includes(name) : kind !== 'files',
  );
  if (chosen.length === 0)
    throw new GarnerError('usage.invalid', 'the config has no source that is fetched from elsewhere');
  return chosen.map(([name]) => name);
}

async function harvestOne(
  garner: Garner,
  name: string,
  call: Pick<Parameters<Verb['run']>[0], 'values' | 'terminal' | 'signal'>,
): Promise<ImportReport> {
  const { values, terminal, signal } = call;
  const startedAt = performance.now();
  const report = await runSource(garner, name, silentLog, {
    full: values.full === true,
    force: values.force === true,
    signal,
    onProgress: (progress) => {
      terminal.progress(describeProgress(name, progress, performance.now() - startedAt));
      terminal.event({ event: 'harvest.progress', source: name, ...progress });
    },
  });
  terminal.progressDone();
  terminal.event({ event: 'harvest.finished', source: name, ...report });
  await describe(garner, name, report, terminal);
  return report;
}

function describeProgress(
  name: string,
  { committed, records, entriesSeen, expected }: ImportProgress,
  elapsedMs: number,
): string {
  const perSecond = committed / (elapsedMs / 1000);
  const left =
    expected !== undefined && expected > records && perSecond > 0 ? (expected - records) / perSecond : 0;
  return [
    `${name}: ${formatCount(committed)}${expected === undefined ? '' : ` of ${formatCount(expected)}`} records`,
    `page ${formatCount(entriesSeen)}`,
    `${formatCount(Math.round(perSecond))}/s`,
    ...(left > 0 ? [`${formatCount(Math.ceil(left))} s to go`] : []),
  ].join(', ');
}

async function describe(
  garner: Garner,
  name: string,
  report: ImportReport,
  terminal: Terminal,
): Promise<void> {
  const { added, updated, unchanged, deleted, invalid } = report.counts;
  terminal.say(
    `${name}: ${formatCount(added)} new, ${formatCount(updated)} changed, ${formatCount(unchanged)} unchanged, ` +
      `${formatCount(deleted)} deleted, ${formatCount(invalid)} unusable (${report.status})`,
  );
  if (report.message) terminal.say(`  ${report.message}${report.code ? ` [${report.code}]` : ''}`);
  if (report.problems === 0) return;
  const shown = await garner.store.runs.listProblems({ runId: report.runId, limit: SHOWN_PROBLEMS });
  for (const { identifier, where, line, message, code } of shown)
    terminal.say(`  ${identifier ?? `${where ?? ''}${line ? `:${line}` : ''}`}: ${message} [${code}]`);
  if (report.problems > shown.length)
    terminal.say(`  … ${formatCount(report.problems)} problems in all: garner runs ${report.runId}`);
}
