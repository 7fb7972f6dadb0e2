import { existsSync } from 'node:fs';
import { type FoundPackage, importPackage, sortPackages } from '../../app/import-packages.ts';
import { comparingOf } from '../../app/packages.ts';
import { openRunLogs } from '../../app/run-source.ts';
import { createSourceIngest, filesSources, type Garner } from '../../app.ts';
import { GarnerError } from '../../core/errors.ts';
import { NAME_PATTERN } from '../../core/identifiers.ts';
import { silentLog } from '../../core/log.ts';
import { ARCHIVE_ENTRY, type FoundArchive, importArchives, sortPaths } from '../../harvest/archive/index.ts';
import { type FilesSource, type ImportReport, importFiles } from '../../harvest/files/index.ts';
import { openForVerb } from '../open.ts';
import { exitOf, runEach } from '../run-each.ts';
import { formatCount, type Terminal } from '../terminal.ts';
import { textOption, type Verb } from '../verb.ts';

const SHOWN_PROBLEMS = 5;
const DEFAULT_DELETE_SHARE = 0.2;

export const importVerb: Verb = {
  name: 'import',
  summary:
    'take in files: XML or JSON records in folders, zip and tar archives; web archives; DIDL, METS and BagIt packages',
  usage: 'import [SOURCE…] | import PATH… --source NAME [--force]',
  options: {
    source: { type: 'string', value: 'NAME', help: 'the source that files given by path belong to' },
    force: { type: 'boolean', help: 'delete even more than maxDeleteShare of the source' },
  },
  examples: [
    'garner import',
    'garner import ./records --source samples',
    'garner import crawl-*.warc.gz --source election',
    'garner import deposit.tar --source deposits',
    'garner import ocean --force',
  ],
  async run({ positionals, values, terminal, signal }) {
    const name = textOption(values, 'source');
    if (name !== undefined && positionals.length === 0) {
      throw new GarnerError('usage.invalid', `which files?\nusage: garner ${this.usage}`);
    }
    await using garner = await openForVerb(values, terminal, {
      threads: true,
      ...(name !== undefined && { extraSources: [name] }),
    });
    const { packages, others: plain } =
      name === undefined ? { packages: [], others: positionals } : await sortPackages(positionals);
    const { archives, others } =
      name === undefined ? { archives: [], others: positionals } : await sortPaths(plain);
    if (name !== undefined) await refuseMixture(garner, name, [...archives, ...packages], others);
    const sources =
      name === undefined
        ? namedSources(garner, positionals)
        : others.length > 0
          ? [adHocSource(garner, name, others)]
          : [];
    if (sources.length === 0 && archives.length === 0 && packages.length === 0) {
      throw new GarnerError(
        'usage.invalid',
        'the config has no source of kind files; give a path: garner import PATH --source NAME',
      );
    }
    const jobs: ImportJob[] = [];
    if (name !== undefined && archives.length > 0)
      jobs.push({
        of: name,
        run: () => importWebArchives(garner, checkedName(name), archives, terminal, signal),
      });
    for (const found of packages)
      jobs.push({
        of: found.path,
        run: () => importOnePackage(garner, checkedName(name ?? ''), found, terminal, signal),
      });
    for (const source of sources)
      jobs.push({
        of: source.name,
        run: () => importOne(garner, source, values.force === true, terminal, signal),
      });
    return await runEach(
      jobs,
      (job) => job.of,
      { terminal, signal },
      async (job) => exitOf((await job.run()).status),
    );
  },
};

interface ImportJob {
  readonly of: string;
  readonly run: () => Promise<ImportReport>;
}

/** Without `--source`, what is given are names of sources; a path is a likely slip. */
function namedSources(garner: Garner, names: readonly string[]): FilesSource[] {
  for (const name of names) {
    if (!Object.hasOwn(garner.config.sources, name) && existsSync(name)) {
      throw new GarnerError(
        'usage.invalid',
        `"${name}" is a path: say with --source NAME which source its records belong to`,
      );
    }
  }
  return filesSources(garner, names);
}

function adHocSource(garner: Garner, name: string, paths: readonly string[]): FilesSource {
  const configured = garner.config.sources[name];
  const maxDeleteShare =
    configured && 'maxDeleteShare' in configured ? configured.maxDeleteShare : DEFAULT_DELETE_SHARE;
  return { name: checkedName(name), paths, maxDeleteShare };
}

/** A source of records loses what its files no longer hold; captures stay for ever. One source cannot do both. */
async function refuseMixture(
  { store }: Garner,
  name: string,
  archives: readonly object[],
  others: readonly string[],
): Promise<void> {
  const holdsArchives = archives.length > 0 || (await store.captures.listFiles(name)).length > 0;
  const entries = await store.items.listEntries(name, undefined, 1000);
  const holdsRecords = others.length > 0 || entries.some(({ entry }) => !entry.startsWith(ARCHIVE_ENTRY));
  if (holdsArchives && holdsRecords)
    throw new GarnerError(
      'usage.invalid',
      `web archives and files of records need a source each; choose another name than "${name}" for one of them`,
    );
}

function checkedName(name: string): string {
  if (NAME_PATTERN.test(name)) return name;
  throw new GarnerError(
    'usage.invalid',
    `"${name}" is no name for a source: letters, digits, - and _, please`,
  );
}

async function importWebArchives(
  garner: Garner,
  source: string,
  archives: readonly FoundArchive[],
  terminal: Terminal,
  signal: AbortSignal,
): Promise<ImportReport> {
  const { store, formats, config } = garner;
  const log = openRunLogs(garner).tee(silentLog);
  const deps = {
    store,
    fields: formats.fieldSpecs(),
    dataFolder: config.data,
    log,
    comparing: comparingOf(config),
  };
  const report = await importArchives(deps, source, archives, {
    signal,
    onProgress: (progress) => {
      terminal.progress(
        `${source}: ${formatCount(progress.records)} captures, ${formatCount(progress.entriesSeen)} of ${formatCount(archives.length)} archives`,
      );
      terminal.event({ event: 'import.progress', source, ...progress });
    },
  });
  terminal.progressDone();
  terminal.event({ event: 'import.finished', source, ...report });
  terminal.say(
    `${source}: ${formatCount(report.captures)} new captures${report.snapshot === undefined ? '' : `, snapshot ${report.snapshot}`}`,
  );
  await describe(garner, source, report, terminal);
  return report;
}

async function importOnePackage(
  garner: Garner,
  source: string,
  found: FoundPackage,
  terminal: Terminal,
  signal: AbortSignal,
): Promise<ImportReport> {
  const log = openRunLogs(garner).tee(silentLog);
  const report = await importPackage(garner, source, found, log, {
    signal,
    onProgress: (progress) => {
      terminal.progress(`${source}: ${formatCount(progress.records)} files of ${found.path}`);
      terminal.event({ event: 'import.progress', source, ...progress });
    },
  });
  terminal.progressDone();
  terminal.event({ event: 'import.finished', source, package: found.path, ...report });
  terminal.say(
    `${found.path}: ${formatCount(report.captures)} new captures${report.snapshot === undefined ? '' : `, snapshot ${report.snapshot}`}`,
  );
  await describe(garner, source, report, terminal);
  return report;
}

export async function importOne(
  garner: Garner,
  source: FilesSource,
  force: boolean,
  terminal: Terminal,
  signal: AbortSignal,
): Promise<ImportReport> {
  const ingest = createSourceIngest(garner, source.name);
  const log = openRunLogs(garner).tee(silentLog);
  try {
    const report = await importFiles({ store: garner.store, ingest, formats: garner.formats, log }, source, {
      force,
      signal,
      onProgress: (progress) => {
        terminal.progress(
          `${source.name}: ${formatCount(progress.records)} records, ${formatCount(progress.entriesSeen)} files`,
        );
        terminal.event({ event: 'import.progress', source: source.name, ...progress });
      },
    });
    terminal.progressDone();
    terminal.event({ event: 'import.finished', source: source.name, ...report });
    await describe(garner, source.name, report, terminal);
    return report;
  } finally {
    await ingest.close();
  }
}

async function describe(
  garner: Garner,
  source: string,
  report: ImportReport,
  terminal: Terminal,
): Promise<void> {
  const { added, updated, unchanged, deleted } = report.counts;
  terminal.say(
    `${source}: ${formatCount(added)} new, ${formatCount(updated)} changed, ${formatCount(unchanged)} unchanged, ${formatCount(deleted)} deleted (${report.status})`,
  );
  if (report.message) terminal.say(`  ${report.message}`);
  if (report.entriesSkipped > 0)
    terminal.say(`  ${formatCount(report.entriesSkipped)} files hold no records and were passed over`);
  if (report.problems === 0) return;
  const shown = await garner.store.runs.listProblems({ runId: report.runId, limit: SHOWN_PROBLEMS });
  for (const problem of shown) {
    terminal.say(
      `  ${problem.where ?? ''}${problem.line ? `:${problem.line}` : ''}: ${problem.message} [${problem.code}]`,
    );
  }
  if (report.problems > shown.length)
    terminal.say(`  … ${formatCount(report.problems)} problems in all: garner runs ${report.runId}`);
}
