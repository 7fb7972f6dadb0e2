import { existsSync } from 'node:fs';
import { captureSpan } from '../../archive/items/index.ts';
import { OPERATOR } from '../../core/access.ts';
import { GarnerError } from '../../core/errors.ts';
import { systemClock } from '../../core/time.ts';
import { VERSION } from '../../core/version.ts';
import { webSnapshot } from '../../formats/web-snapshot.ts';
import {
  type ChosenPage,
  type ExportDeps,
  type ExportReport,
  exportFolder,
  exportSite,
  exportTar,
  exportWacz,
  exportWarc,
  selectPages,
  selectSnapshot,
} from '../../publish/captures/index.ts';
import { MATCH_ALL } from '../../query/ast.ts';
import { parseQuery } from '../../query/parse.ts';
import { exportBag } from '../export-bag.ts';
import { exportMetsTree } from '../mets-aggregates.ts';
import { openForVerb } from '../open.ts';
import { formatCount } from '../terminal.ts';
import { listOption, type OptionValues, textOption, type Verb } from '../verb.ts';

type Export = (
  deps: ExportDeps,
  pages: AsyncIterable<ChosenPage>,
  target: string,
  title: string,
) => Promise<ExportReport>;

const KINDS: Readonly<Record<string, Export>> = {
  wacz: (deps, pages, target, title) => exportWacz(deps, pages, target, OPERATOR, title),
  warc: (deps, pages, target) => exportWarc(deps, pages, target, OPERATOR),
  folder: (deps, pages, target) => exportFolder(deps, pages, target, OPERATOR),
  site: (deps, pages, target) => exportSite(deps, pages, target, OPERATOR),
  tar: (deps, pages, target) => exportTar(deps, pages, target, OPERATOR),
};
const SHOWN_PROBLEMS = 5;

export const exportVerb: Verb = {
  name: 'export',
  summary: 'archived pages that a query finds, as WACZ, WARC, folders or tar.gz; snapshots as bags and METS',
  usage:
    'export [QUERY | SNAPSHOT] --wacz FILE | --warc FILE | --folder FOLDER | --site FOLDER | --tar FILE | --bag TARGET | --mets FOLDER [--source NAME]',
  options: {
    wacz: { type: 'string', value: 'FILE', help: 'one file with WARC, index and list of pages' },
    warc: { type: 'string', value: 'FILE', help: 'one WARC file, e.g. subset.warc.gz' },
    folder: { type: 'string', value: 'FOLDER', help: 'a directory per page, with all that it shows' },
    site: { type: 'string', value: 'FOLDER', help: 'every file as it was, at the path of its URL' },
    tar: { type: 'string', value: 'FILE', help: 'the same directories in a tar.gz file' },
    bag: { type: 'string', value: 'TARGET', help: 'of a snapshot: a BagIt bag, as folder, .tar or .zip' },
    mets: {
      type: 'string',
      value: 'FOLDER',
      help: 'METS of all snapshots, or of a series or day: files that lead to each other',
    },
    source: { type: 'string', multiple: true, value: 'NAME', help: 'only from this source; may be repeated' },
    from: { type: 'string', value: 'TIME', help: 'captures from then on, e.g. 2008 or 20080430' },
    until: { type: 'string', value: 'TIME', help: 'captures until then' },
    force: { type: 'boolean', help: 'overwrite a file that is there' },
  },
  examples: [
    "garner export 'title:glacier' --wacz glaciers.wacz",
    'garner export --source election --folder ./pages',
    'garner export election:20241105T060000Z --warc night.warc.gz',
    'garner export election:20241105T060000Z --bag night.tar',
    'garner export election --mets ./election-mets',
  ],
  async run({ positionals, values, terminal }) {
    const bag = textOption(values, 'bag');
    if (bag !== undefined) return exportBag(positionals, bag, values, terminal);
    const mets = textOption(values, 'mets');
    if (mets !== undefined) return exportMetsTree(positionals, mets, values, terminal);
    const { kind, target, write } = readKind(values, this.usage);
    if (kind !== 'folder' && kind !== 'site' && existsSync(target) && values.force !== true)
      throw new GarnerError('usage.invalid', `${target} is there already; --force overwrites it`);
    await using garner = await openForVerb(values, terminal);
    const { store, catalogue, config } = garner;
    const text = positionals.join(' ').trim();
    const sources = listOption(values, 'source');
    const from = readTime(values, 'from');
    const until = readTime(values, 'until');
    const snapshots = (await store.items.findItemsByIdentifier(text, OPERATOR)).filter(
      ({ schema, status, source }) =>
        schema === webSnapshot.name &&
        status === 'live' &&
        (sources.length === 0 || sources.includes(source)),
    );
    const pages = snapshots[0]
      ? selectSnapshot(store, snapshots[0], OPERATOR)
      : selectPages(
          store,
          {
            query: text === '' ? MATCH_ALL : parseQuery(text, catalogue),
            ...(sources.length > 0 && { sources }),
            ...(from && { fromAt: from.start }),
            ...(until && { untilAt: until.end }),
          },
          OPERATOR,
        );
    const deps = { store, dataFolder: config.data, clock: systemClock, software: `Garner/${VERSION}` };
    const report = await write(deps, pages, target, text || config.repository.name);
    terminal.answer({ target, kind, ...report });
    terminal.say(`${target}: ${formatCount(report.pages)} pages, ${formatCount(report.captures)} captures`);
    for (const { identifier = '', message } of report.problems.slice(0, SHOWN_PROBLEMS))
      terminal.warn(`  ${identifier}: ${message}`);
    if (report.problems.length > SHOWN_PROBLEMS)
      terminal.warn(`  … ${formatCount(report.problems.length)} problems in all`);
    return report.problems.length > 0 ? 3 : 0;
  },
};

function readKind(values: OptionValues, usage: string): { kind: string; target: string; write: Export } {
  const chosen = Object.entries(KINDS).flatMap(([kind, write]) => {
    const target = textOption(values, kind);
    return target === undefined ? [] : [{ kind, target, write }];
  });
  const [one, ...more] = chosen;
  if (!one || more.length > 0)
    throw new GarnerError('usage.invalid', `as what? One of the kinds, please\nusage: garner ${usage}`);
  return one;
}

function readTime(values: OptionValues, name: string): ReturnType<typeof captureSpan> {
  const text = textOption(values, name);
  const span = text === undefined ? undefined : captureSpan(text);
  if (text !== undefined && !span)
    throw new GarnerError(
      'usage.invalid',
      `--${name}: "${text}" is no time like 2008, 20080430 or 2008-04-30`,
    );
  return span;
}
