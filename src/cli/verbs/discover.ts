import { openDiscovery } from '../../app/discover.ts';
import { openGarner } from '../../app.ts';
import { GarnerError } from '../../core/errors.ts';
import { silentLog } from '../../core/log.ts';
import type { TopicReport, TopicRun } from '../../discover/index.ts';
import { readConfig } from '../open.ts';
import { formatCount, formatTable, type Terminal } from '../terminal.ts';
import { type ExitCode, textOption, type Verb } from '../verb.ts';

const SHOWN = 25;

export const discoverVerb: Verb = {
  name: 'discover',
  summary: 'ask search engines and libraries what they know of a topic',
  usage: 'discover [ACRONYM…] [--dry-run] [--top N]',
  options: {
    'dry-run': { type: 'boolean', help: 'only list: store nothing, look at no page' },
    top: { type: 'string', value: 'N', help: `how many candidates are printed (default ${SHOWN})` },
  },
  examples: ['garner discover', 'garner discover ISCCP', 'garner discover ISCCP --dry-run --top 100'],
  async run({ positionals, values, terminal, signal }) {
    const shown = readTop(textOption(values, 'top'));
    const dryRun = values['dry-run'] === true;
    await using garner = await openGarner(readConfig(values));
    const acronyms = positionals.length > 0 ? positionals : [...garner.topics.keys()];
    if (acronyms.length === 0)
      throw new GarnerError('usage.invalid', 'the config has no topics; see `topics` and `topicsFile`');
    using discovery = openDiscovery(garner, silentLog);
    let worst: ExitCode = 0;
    for (const acronym of acronyms) {
      const options = { signal, onChange: (run: TopicRun) => terminal.progress(describeProgress(run)) };
      const report = dryRun
        ? { run: await discovery.list(acronym, options), status: undefined }
        : await discovery.run(acronym, options);
      terminal.progressDone();
      const exit = exitOf(report);
      if (terminal.json)
        terminal.event({ event: 'discover.finished', ...listOf(report.run), status: report.status });
      describe(report.run, shown, terminal);
      if (!dryRun) terminal.say(`  run ${report.run.runId}; garner serve shows it at /topics/${acronym}`);
      worst = worst === 1 || exit === 1 ? 1 : exit === 0 ? worst : exit;
    }
    return worst;
  },
};

function readTop(text: string | undefined): number {
  if (text === undefined) return SHOWN;
  if (!/^\d{1,6}$/.test(text)) throw new GarnerError('usage.invalid', `--top: "${text}" is no number`);
  return Number(text);
}

/** Without the engines' own lists, which are in the candidates' ranks. */
function listOf({ engines, ...run }: TopicRun) {
  return {
    ...run,
    engines: engines.map(({ name, kind, status, lists, code, message }) => ({
      name,
      kind,
      status,
      code,
      message,
      results: countOf(lists),
    })),
  };
}

const countOf = (lists: readonly (readonly unknown[])[]): number =>
  lists.reduce((sum, list) => sum + list.length, 0);

function describeProgress({ acronym, engines, candidates, step, looked }: TopicRun): string {
  const done = engines.filter(({ status }) => status === 'done' || status === 'failed').length;
  return step === 'asking'
    ? `${acronym}: ${done} of ${engines.length} engines answered, ${formatCount(candidates.length)} candidates`
    : `${acronym}: looked at ${formatCount(looked)} of ${formatCount(candidates.length)}`;
}

function describe(run: TopicRun, shown: number, terminal: Terminal): void {
  terminal.say(`${run.acronym}: ${run.title}`);
  for (const { name, status, lists, message, code } of run.engines)
    terminal.say(
      `  ${name}: ${status === 'failed' ? `${message ?? ''} [${code ?? ''}]` : `${formatCount(countOf(lists))} results`}`,
    );
  const rows = run.candidates.slice(0, shown).map(({ position, weight, change, ranks, category, url }) => [
    `  ${position}`,
    Number.isInteger(weight) ? String(weight) : weight.toFixed(4),
    change ?? '',
    category.kind,
    Object.entries(ranks)
      .map(([engine, rank]) => `${engine}[${rank}]`)
      .join(' '),
    url,
  ]);
  for (const line of formatTable(rows)) terminal.say(line);
  const { candidates, refused, gone } = run;
  if (candidates.length > shown) terminal.say(`  … ${formatCount(candidates.length)} in all`);
  for (const { url, engine, reason } of refused) terminal.say(`  refused, of ${engine}: ${url} ${reason}`);
  if (gone.length > 0)
    terminal.say(`  gone since run ${run.comparedWith ?? ''}: ${gone.map(({ url }) => url).join(' ')}`);
}

/** Of a dry run: by what the engines gave. */
function exitOf({ run, status }: { run: TopicRun; status: TopicReport['status'] | undefined }): ExitCode {
  if (status !== undefined) return status === 'complete' ? 0 : status === 'failed' ? 1 : 3;
  const failed = run.engines.filter((engine) => engine.status === 'failed').length;
  return failed === 0 ? 0 : failed === run.engines.length && run.candidates.length === 0 ? 1 : 3;
}
