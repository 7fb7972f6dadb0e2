import { openRunLogs } from '../../app/run-source.ts';
import { openTopicPipeline, type TopicOutcome } from '../../app/topic-pipeline.ts';
import { openGarner } from '../../app.ts';
import { GarnerError } from '../../core/errors.ts';
import { silentLog } from '../../core/log.ts';
import type { CrawlProgress } from '../../crawl/index.ts';
import { type TopicCrawl, type TopicRun, withoutWords } from '../../discover/index.ts';
import { readConfig } from '../open.ts';
import { exitOf, runEach } from '../run-each.ts';
import { tellUpdate } from '../tell-update.ts';
import { formatCount, formatTable, type Terminal } from '../terminal.ts';
import { describeCrawl, describeProgress } from '../topic-progress.ts';
import { type ExitCode, type OptionValues, textOption, type Verb } from '../verb.ts';

const SHOWN = 25;

export const discoverVerb: Verb = {
  name: 'discover',
  summary: 'ask search engines and libraries what they know of a topic, and archive it',
  usage: 'discover [ACRONYM…] [--dry-run | --no-crawl | --no-ask] [--fresh] [--top N]',
  options: {
    'dry-run': { type: 'boolean', help: 'only list: store nothing, look at no page' },
    'no-crawl': { type: 'boolean', help: 'end with the list' },
    'no-ask': { type: 'boolean', help: 'ask nobody: crawl what the last list accepts by now' },
    fresh: { type: 'boolean', help: 'forget what an interrupted run has still to do' },
    top: { type: 'string', value: 'N', help: `how many candidates are printed (default ${SHOWN})` },
  },
  examples: ['garner discover', 'garner discover ISCCP', 'garner discover ISCCP --dry-run --top 100'],
  async run({ positionals, values, terminal, signal }) {
    const shown = readTop(textOption(values, 'top'));
    const dryRun = values['dry-run'] === true;
    const only = readOnly(values);
    await using garner = await openGarner(readConfig(values), {
      threads: !dryRun && only !== 'list',
      readers: 1,
      onUpdate: tellUpdate(terminal),
    });
    const acronyms = positionals.length > 0 ? positionals : [...garner.topics.keys()];
    if (acronyms.length === 0)
      throw new GarnerError('usage.invalid', 'the config has no topics; see `topics` and `topicsFile`');
    using pipeline = openTopicPipeline(garner, openRunLogs(garner).tee(silentLog));
    return await runEach(
      acronyms,
      (acronym) => acronym,
      { terminal, signal },
      async (acronym) => {
        const options = {
          signal,
          onChange: (run: TopicRun) => terminal.progress(describeProgress(run)),
          onCrawl: (progress: CrawlProgress) => {
            terminal.progress(describeCrawl(acronym, progress));
            terminal.event({ event: 'crawl.progress', source: acronym, ...progress });
          },
          ...(only && { only }),
          fresh: values.fresh === true,
        };
        const report: Shown = dryRun
          ? { run: await pipeline.list(acronym, options) }
          : await pipeline.run(acronym, options);
        terminal.progressDone();
        if (terminal.json)
          terminal.event({
            event: 'discover.finished',
            ...listOf(report.run),
            status: report.status,
            resumed: report.resumed,
          });
        describe(report, shown, terminal);
        if (!dryRun) terminal.say(`  run ${report.run.runId}; garner serve shows it at /topics/${acronym}`);
        return exitOfTopic(report);
      },
    );
  },
};

type Shown = Pick<TopicOutcome, 'run'> & Partial<TopicOutcome>;

function readOnly(values: OptionValues): 'list' | 'crawl' | undefined {
  const chosen = ['dry-run', 'no-crawl', 'no-ask'].filter((name) => values[name] === true);
  if (chosen.length > 1)
    throw new GarnerError(
      'usage.invalid',
      `choose one of ${chosen.map((name) => `--${name}`).join(' and ')}`,
    );
  if (values['no-crawl'] === true) return 'list';
  return values['no-ask'] === true ? 'crawl' : undefined;
}

function readTop(text: string | undefined): number {
  if (text === undefined) return SHOWN;
  if (!/^\d{1,6}$/.test(text)) throw new GarnerError('usage.invalid', `--top: "${text}" is no number`);
  return Number(text);
}

/** Without the engines' own lists, which are in the candidates' ranks, and without the words of pages. */
function listOf({ engines, candidates, found = [], ...run }: TopicRun) {
  return {
    ...run,
    candidates: candidates.map(withoutWords),
    found: found.map(withoutWords),
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

function describe({ run, resumed, message }: Shown, shown: number, terminal: Terminal): void {
  terminal.say(`${run.acronym}: ${run.title}`);
  if (resumed) terminal.say(`  went on with the list of run ${run.runId}`);
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
  if (run.crawl) describeArchived(run.crawl, terminal);
  if (message !== undefined) terminal.say(`  ${message}`);
}

function describeArchived({ seeds, rule, snapshot, outcomes = {} }: TopicCrawl, terminal: Terminal): void {
  terminal.say(`  accepted: ${formatCount(seeds.length)}, ${rule}`);
  for (const { key, url } of seeds) {
    const { state, status, reason } = outcomes[key] ?? {};
    if (state === 'failed' || state === 'excluded' || (status ?? 0) >= 400)
      terminal.say(`  not archived: ${url} ${[status, reason].filter(Boolean).join(' ')}`);
  }
  if (snapshot !== undefined) terminal.say(`  snapshot: ${snapshot}`);
}

/** Of a dry run: by what the engines gave. */
function exitOfTopic({ run, status }: Shown): ExitCode {
  if (status !== undefined) return exitOf(status);
  const failed = run.engines.filter((engine) => engine.status === 'failed').length;
  return failed === 0 ? 0 : failed === run.engines.length && run.candidates.length === 0 ? 1 : 3;
}
