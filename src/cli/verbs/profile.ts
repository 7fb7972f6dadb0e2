import { readFile, stat } from 'node:fs/promises';
import { openProfiles } from '../../app/profiles.ts';
import { ANONYMOUS, OPERATOR } from '../../core/access.ts';
import { GarnerError } from '../../core/errors.ts';
import { NAME_PATTERN } from '../../core/identifiers.ts';
import type { AggregateNode } from '../../federate/aggregate/aggregates.ts';
import { profileRecord } from '../../federate/profile/profile-record.ts';
import type { Profiles } from '../../federate/profiles.ts';
import { readProfilesAs } from '../../formats/oodt-profile/forms.ts';
import { withRun } from '../../harvest/with-run.ts';
import { MATCH_ALL, type QueryNode } from '../../query/ast.ts';
import { parseDis } from '../../query/dis/parse-dis.ts';
import { openForVerb } from '../open.ts';
import { formOf, PROFILE_OUTPUT, printProfiles } from '../profile-output.ts';
import { formatCount, type Terminal } from '../terminal.ts';
import { type ExitCode, listOption, textOption, type Verb, type VerbCall } from '../verb.ts';
import { importOne } from './import.ts';

const BATCH = 1000;
const DEFAULT_DELETE_SHARE = 0.2;

export const profileVerb: Verb = {
  name: 'profile',
  summary: 'resource profiles: of items, from files, gathered by data set',
  usage:
    'profile build SOURCE [IDENTIFIER…] | profile import PATH… --source NAME | profile export [--query DIS] [--gathered] | profile aggregate [--tighten]',
  options: {
    source: {
      type: 'string',
      multiple: true,
      value: 'NAME',
      help: 'import: where profiles go; export: only of these sources',
    },
    query: { type: 'string', value: 'DIS', help: 'export: only profiles that match' },
    gathered: { type: 'boolean', help: 'export: those of data sets and of the root instead' },
    tighten: { type: 'boolean', help: 'aggregate: gather anew what became loose by changes' },
    ...PROFILE_OUTPUT,
  },
  examples: [
    'garner profile import planets.xml --source planets',
    'garner profile build ocean --form turtle',
    'garner profile export --query "TARGET_NAME=IO" --output io.jsonld',
    'garner profile aggregate --tighten',
  ],
  async run(call) {
    const [action, ...rest] = call.positionals;
    const inner = { ...call, positionals: rest };
    switch (action) {
      case 'build':
        return build(inner);
      case 'import':
        return importProfiles(inner);
      case 'export':
        return exportProfiles(inner);
      case 'aggregate':
        return aggregate(inner);
      default:
        throw new GarnerError(
          'usage.invalid',
          `build, import, export or aggregate?\nusage: garner ${this.usage}`,
        );
    }
  },
};

async function build({ positionals, values, terminal }: VerbCall): Promise<ExitCode> {
  const [source, ...identifiers] = positionals;
  if (source === undefined) throw new GarnerError('usage.invalid', 'of which source?');
  await using garner = await openForVerb(values, terminal);
  using profiles = closing(await openProfiles(garner));
  const wanted = identifiers.map((value): QueryNode => ({ type: 'value', field: 'id', value }));
  const query: QueryNode = wanted.length > 0 ? { type: 'or', of: wanted } : MATCH_ALL;
  const count = await printProfiles(profiles.list({ query, sources: [source] }, OPERATOR), values, terminal);
  if (count >= identifiers.length) return 0;
  terminal.warn(`${identifiers.length - count} of ${identifiers.length} items are not there`);
  return 3;
}

async function exportProfiles({ values, terminal }: VerbCall): Promise<ExitCode> {
  await using garner = await openForVerb(values, terminal);
  using profiles = closing(await openProfiles(garner));
  if (values.gathered === true) {
    await profiles.aggregates.catchUp();
    await printProfiles(profiles.listGathered(ANONYMOUS), values, terminal);
    return 0;
  }
  const dis = textOption(values, 'query');
  const sources = listOption(values, 'source');
  const question = {
    query: dis === undefined ? MATCH_ALL : parseDis(dis).query,
    ...(sources.length > 0 && { sources }),
  };
  const count = await printProfiles(profiles.list(question, OPERATOR), values, terminal);
  terminal.warn(`${formatCount(count)} ${count === 1 ? 'profile' : 'profiles'}`);
  return 0;
}

/** XML goes the way of all records, so that a second import takes only what changed; other forms go in whole. */
async function importProfiles({ positionals, values, terminal, signal }: VerbCall): Promise<ExitCode> {
  const [source] = listOption(values, 'source');
  if (positionals.length === 0 || source === undefined || !NAME_PATTERN.test(source))
    throw new GarnerError('usage.invalid', 'garner profile import PATH… --source NAME');
  const others: string[] = [];
  const paths: string[] = [];
  for (const path of positionals) {
    const form = formOf(path);
    const isFile = (await stat(path).catch(() => undefined))?.isFile() === true;
    (isFile && form !== undefined && form !== 'xml' ? others : paths).push(path);
  }
  if (others.length > 0 && paths.length > 0)
    throw new GarnerError('usage.invalid', 'XML and other forms need an import each');
  await using garner = await openForVerb(values, terminal, {
    threads: others.length === 0,
    extraSources: [source],
  });
  if (others.length === 0) {
    const report = await importOne(
      garner,
      { name: source, paths, maxDeleteShare: DEFAULT_DELETE_SHARE },
      false,
      terminal,
      signal,
    );
    return report.status === 'complete' ? 0 : report.status === 'incomplete' ? 3 : 1;
  }
  const specs = garner.formats.fieldSpecs();
  const changed = { added: 0, updated: 0, unchanged: 0 };
  await withRun(garner.store.runs, source, 'import', async (runId) => {
    for (const path of others) {
      const profiles = await readProfilesAs(formOf(path) ?? 'json', await readFile(path));
      for (let at = 0; at < profiles.length && !signal.aborted; at += BATCH) {
        const records = profiles.slice(at, at + BATCH).map((profile) => profileRecord(profile, specs));
        const result = await garner.store.items.commit({ source, runId, records });
        changed.added += result.added;
        changed.updated += result.updated;
        changed.unchanged += result.unchanged;
      }
    }
  });
  terminal.answer({ source, ...changed });
  terminal.say(
    `${source}: ${formatCount(changed.added)} new, ${formatCount(changed.updated)} changed, ${formatCount(changed.unchanged)} unchanged`,
  );
  return signal.aborted ? 3 : 0;
}

async function aggregate({ values, terminal, signal }: VerbCall): Promise<ExitCode> {
  await using garner = await openForVerb(values, terminal);
  using profiles = closing(await openProfiles(garner));
  const { aggregates } = profiles;
  const items = await aggregates.catchUp(signal);
  const tightened = values.tighten === true ? await aggregates.tighten(signal) : 0;
  const nodes = [...listNodes(aggregates, [])];
  terminal.answer({
    items,
    tightened,
    groups: nodes.map(({ path, aggregate: { products, loose, attributes } }) => ({
      path,
      products,
      loose,
      attributes: attributes.size,
    })),
  });
  terminal.say(
    `${formatCount(items)} changed items taken in; ${formatCount(tightened)} groups gathered anew`,
  );
  for (const node of nodes) describeNode(node, terminal);
  return signal.aborted ? 3 : 0;
}

function* listNodes(aggregates: Profiles['aggregates'], path: readonly string[]): Generator<AggregateNode> {
  const node = aggregates.find(path);
  if (!node) return;
  yield node;
  for (const child of node.children) yield* listNodes(aggregates, child);
}

function describeNode(
  { path, aggregate: { products, loose, attributes } }: AggregateNode,
  terminal: Terminal,
): void {
  const name = path.length === 0 ? 'everything' : path.at(-1) || '(none)';
  terminal.say(
    `${'  '.repeat(path.length)}${name}: ${formatCount(products)} ${products === 1 ? 'product' : 'products'}, ${attributes.size} attributes${loose ? ' (loose)' : ''}`,
  );
}

function closing(profiles: Profiles): Profiles & Disposable {
  return { ...profiles, [Symbol.dispose]: () => profiles.close() };
}
