import { resolve } from 'node:path';
import type { Garner } from '../../app.ts';
import { OPERATOR } from '../../core/access.ts';
import { writeRule } from '../../core/access-match.ts';
import { findFinished, hasCandidate, isCandidateAddress, openTopicRuns } from '../../discover/index.ts';
import { createExtraction } from '../../harvest/extract-record.ts';
import { type Explanation, explainMatch } from '../../query/explain.ts';
import { parseQuery } from '../../query/parse.ts';
import type { ListedProblem, StoredItem } from '../../store/index.ts';
import { onePositional } from '../find-item.ts';
import { openForVerb } from '../open.ts';
import { formatCount } from '../terminal.ts';
import { textOption, type Verb } from '../verb.ts';

export const explainVerb: Verb = {
  name: 'explain',
  summary: 'why is a record missing, or not found by a query?',
  usage: 'explain IDENTIFIER|FILE [--query QUERY]',
  options: {
    query: {
      type: 'string',
      value: 'QUERY',
      help: 'which parts of this query the record matches, and which not',
    },
  },
  examples: [
    'garner explain oai:example.org:42',
    'garner explain broken/record.xml',
    'garner explain my-id --query "title:ice date:2004"',
  ],
  async run({ positionals, values, terminal }) {
    const name = onePositional(positionals, 'identifier or file', this.usage);
    const query = textOption(values, 'query');
    await using garner = await openForVerb(values, terminal);
    const items = await findItems(garner, name);
    const problems = await findProblems(garner, name);
    const explained = await Promise.all(
      items.map(async (item) => ({
        item,
        ...(query !== undefined && { match: await explainQuery(garner, item, query) }),
      })),
    );
    const listing = topicsWith(garner, name);
    terminal.answer({ name, items: explained, problems, topics: listing });

    for (const { item, match } of explained) {
      for (const line of describeItem(item)) terminal.say(line);
      if (match) for (const line of describeMatch(match)) terminal.say(`  ${line}`);
    }
    for (const problem of problems) terminal.say(describeProblem(problem));
    for (const acronym of listing)
      terminal.say(`in the list of ${acronym}: garner topics why ${acronym} ${name}`);
    if (items.length === 0 && problems.length === 0 && listing.length === 0) {
      terminal.say(
        `Nothing is known of "${name}": no source delivered it, and no run reported a problem with it.`,
      );
      for (const source of await garner.store.items.listSources()) {
        const [run] = await garner.store.runs.listRuns({ source: source.name, limit: 1 });
        const last = run
          ? `last run ${run.id}: ${run.status}${run.message ? ` (${run.message})` : ''}`
          : 'never ran';
        terminal.say(`  ${source.name}: ${formatCount(source.liveItems)} items, ${last}`);
      }
    }
    return items.some((item) => item.status === 'live') ? 0 : 1;
  },
};

/** Topics whose newest list has the address. */
function topicsWith({ topics, config }: Garner, address: string): string[] {
  if (!isCandidateAddress(address)) return [];
  const runs = openTopicRuns(config.data);
  return [...topics.keys()].filter((acronym) => {
    const list = findFinished(runs, acronym);
    return list !== undefined && hasCandidate(list, address);
  });
}

async function findItems(garner: Garner, name: string): Promise<readonly StoredItem[]> {
  const items = await garner.store.items.findItemsByIdentifier(name, OPERATOR);
  if (items.length > 0) return items;
  const item = await garner.store.items.findItemByOaiIdentifier(name, OPERATOR);
  return item ? [item] : [];
}

async function findProblems(garner: Garner, name: string): Promise<readonly ListedProblem[]> {
  const limit = 20;
  // Reports name files as the run was given them: by the path in the config, which is absolute, or as typed.
  for (const filter of [
    { identifier: name },
    { where: name },
    { where: resolve(name).replaceAll('\\', '/') },
  ]) {
    const problems = await garner.store.runs.listProblems({ ...filter, limit });
    if (problems.length > 0) return problems;
  }
  return [];
}

function describeItem(item: StoredItem): string[] {
  const deleted = item.records.find((record) => record.status === 'deleted');
  return [
    `${item.identifier} in source ${item.source}${item.title ? `: ${item.title}` : ''}`,
    item.status === 'live'
      ? `  is in the index as ${item.schema}, with the fields ${Object.keys(item.fields).join(', ') || '(none)'}`
      : `  was deleted${deleted ? ` at ${new Date(deleted.datestampAt).toISOString()}` : ''}; garner history shows by which run`,
    `  first seen ${new Date(item.firstSeenAt).toISOString()}, ${item.records.map((record) => `${record.format} version ${record.version}`).join(', ')}`,
    `  readable by: ${item.access.public ? 'everyone' : writeRule(item.access)}`,
    ...(item.views.length > 0 ? [`  in views: ${item.views.join(', ')}`] : []),
    ...(item.sets.length > 0 ? [`  in sets: ${item.sets.join(', ')}`] : []),
  ];
}

function describeProblem(problem: ListedProblem): string {
  const place = problem.where ? ` ${problem.where}${problem.line ? `:${problem.line}` : ''}` : '';
  return `run ${problem.runId} reported${place}: ${problem.message} [${problem.code}]`;
}

/** The words are not stored: they are made again from the raw bytes, as extraction made them. */
async function explainQuery(
  garner: Garner,
  item: StoredItem,
  query: string,
): Promise<Explanation | undefined> {
  const content = await garner.store.items.findContent(item, {}, OPERATOR);
  if (!content) return undefined;
  const extract = createExtraction({ formats: garner.formats, validation: 'report' });
  const { record } = extract({
    bytes: content.bytes,
    syntax: garner.formats.find(content.format)?.syntax ?? 'xml',
    where: item.identifier,
    line: 1,
    format: content.format,
    fallbackIdentifier: item.identifier,
  });
  if (!record) return undefined;
  const newest = Math.max(...item.records.map((state) => state.datestampAt));
  return explainMatch(
    parseQuery(query, garner.catalogue),
    {
      ...record.document,
      source: item.source,
      id: item.identifier,
      sets: item.sets,
      views: item.views,
      schema: content.format,
      updatedAt: newest,
    },
    garner.formats.fieldSpecs(),
  );
}

function describeMatch(explanation: Explanation, depth = 0): string[] {
  const line = `${'  '.repeat(depth)}${explanation.matches ? '✓' : '✗'} ${explanation.clause}`;
  return [line, ...explanation.children.flatMap((child) => describeMatch(child, depth + 1))];
}
