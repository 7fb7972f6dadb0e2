/** Topics: from the config and from its CSV file, with their queries. */
import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import type { Config } from '../../core/config.ts';
import { type ConfigMistake, configError } from '../../core/config-mistakes.ts';
import { findAcronymClash } from '../../core/config-references.ts';
import { isName } from '../../core/identifiers.ts';
import { parseCsv } from '../../core/parse-csv.ts';

/** What engines are asked. */
export interface TopicQuestion {
  readonly acronym: string;
  readonly title: string;
  /** At least one. */
  readonly queries: readonly string[];
  /** Names of engines; absent: all. */
  readonly engines?: readonly string[];
  readonly depth: number;
}

export interface Topic extends TopicQuestion {
  /** So many of the heaviest are crawled where no marks tell more. */
  readonly top: number;
  readonly crawl: Config['discover']['crawl'];
  readonly schedule?: string;
}

/** By acronym. Throws `config.invalid` with the line of every mistake in the file. */
export function readTopics(config: Config): ReadonlyMap<string, Topic> {
  const topics = new Map<string, Topic>();
  for (const [acronym, topic] of Object.entries(config.topics)) {
    const { title, query, queries, engines, depth, top, crawl, schedule } = topic;
    const fill = (text: string) => fillQuery(text, acronym, title);
    topics.set(acronym, {
      ...usual(config),
      acronym,
      title,
      queries: [...new Set([fill(query ?? config.discover.query), ...queries.map(fill)])],
      ...(engines && { engines }),
      ...(depth !== undefined && { depth }),
      ...(top !== undefined && { top }),
      ...(crawl && { crawl }),
      ...(schedule !== undefined && { schedule }),
    });
  }
  if (config.topicsFile !== undefined) addFromFile(topics, config.topicsFile, config);
  return topics;
}

/** What holds for topics that say nothing else. */
const usual = ({ discover: { depth, top, crawl, schedule } }: Config) => ({
  depth,
  top,
  crawl,
  ...(schedule !== undefined && { schedule }),
});

function fillQuery(template: string, acronym: string, title: string): string {
  return template.replaceAll('{title}', title).replaceAll('{acronym}', acronym).replace(/\s+/g, ' ').trim();
}

const COLUMNS = ['acronym', 'title', 'query'] as const;

function addFromFile(topics: Map<string, Topic>, file: string, config: Config): void {
  const where = basename(file);
  const mistakes: ConfigMistake[] = [];
  const mistake = (line: number, message: string) => {
    mistakes.push({ where, place: { line, column: 1 }, keyPath: '', message });
  };
  const [header, ...rows] = parseCsv(readFile(file));
  const names = (header?.cells ?? []).map((cell) => cell.trim().toLowerCase());
  for (const column of ['acronym', 'title'])
    if (!names.includes(column)) mistake(1, `there is no column ${column}; the first line names the columns`);
  if (mistakes.length === 0)
    for (const { line, cells } of rows) {
      const [acronym = '', title = '', query = ''] = COLUMNS.map((column) =>
        (cells[names.indexOf(column)] ?? '').trim(),
      );
      const wrong = checkRow(acronym, title, topics, config);
      if (wrong !== undefined) mistake(line, wrong);
      else
        topics.set(acronym, {
          acronym,
          title,
          queries: [fillQuery(query || config.discover.query, acronym, title)],
          ...usual(config),
        });
    }
  if (mistakes.length > 0) throw configError(mistakes);
}

function checkRow(
  acronym: string,
  title: string,
  topics: ReadonlyMap<string, Topic>,
  config: Config,
): string | undefined {
  if (acronym === '') return 'the acronym is missing';
  if (!isName(acronym))
    return `${acronym} is no name for a set: letters, digits, - and _, a letter or digit first`;
  if (title === '') return `${acronym} has no title`;
  const clash = findAcronymClash(acronym, topics.keys(), config);
  return clash && `${acronym}: ${clash}`;
}

function readFile(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (cause) {
    throw configError([
      { where: basename(file), keyPath: 'topicsFile', message: `cannot be read: ${String(cause)}` },
    ]);
  }
}
