/**
 * Project records as a table: a row of a CSV file becomes a DIF record. The first line names the columns; cells with
 * several values divide them by `|`. Which column becomes what is told in docs/guide/project-records.md.
 */
import { type CsvRow, parseCsv } from '../../core/parse-csv.ts';
import { dateSpan, normaliseDate } from '../../core/time.ts';
import { type DifRecord, writeDif9 } from '../../formats/dif-write.ts';

/** Other names that the columns go by. */
const NAMES: Readonly<Record<string, readonly string[]>> = {
  entry_id: ['entry_id'],
  title: ['title', 'entry_title'],
  summary: ['summary', 'abstract', 'description'],
  topic: ['topic', 'acronym', 'project'],
  topic_title: ['topic_title', 'project_title'],
  parent: ['parent', 'parent_dif', 'collection'],
  creator: ['creator', 'author', 'investigator'],
  parameters: ['parameters', 'science_keywords'],
  iso_topic: ['iso_topic', 'iso_topic_category'],
  keywords: ['keywords', 'subject'],
  instrument: ['instrument', 'sensor'],
  platform: ['platform', 'source_name'],
  start: ['start', 'start_date'],
  stop: ['stop', 'stop_date', 'end', 'end_date'],
  west: ['west'],
  south: ['south'],
  east: ['east'],
  north: ['north'],
  place: ['place', 'location'],
  rights: ['rights', 'use_constraints'],
  language: ['language'],
  center: ['center', 'data_center', 'publisher'],
  url: ['url', 'link'],
};

export type TableRow =
  | { readonly line: number; readonly bytes: Uint8Array }
  | { readonly line: number; readonly problem: string };

/** Whether the first line is that of such a table: an identifier, a title, and what divides them. */
export function isRecordTable(head: string): boolean {
  const [first = ''] = head.replace(/^\uFEFF/, '').split(/[\r\n]/, 1);
  if (!/[,;\t]/.test(first) || !/[\r\n]/.test(head)) return false;
  const columns = findColumns(parseCsv(first)[0]);
  return columns.has('entry_id') && columns.has('title');
}

export function* readTable(text: string): Generator<TableRow> {
  const [header, ...rows] = parseCsv(text);
  const columns = findColumns(header);
  for (const { line, cells } of rows) {
    const cell = (name: string): string => (cells[columns.get(name) ?? -1] ?? '').trim();
    const problem = checkRow(cell);
    if (problem !== undefined) yield { line, problem };
    else yield { line, bytes: Buffer.from(writeDif9(toRecord(cell))) };
  }
}

function findColumns(header: CsvRow | undefined): Map<string, number> {
  const written = (header?.cells ?? []).map((cell) =>
    cell
      .trim()
      .toLowerCase()
      .replace(/[\s-]+/g, '_'),
  );
  return new Map(
    Object.entries(NAMES).flatMap(([name, known]) => {
      const place = written.findIndex((column) => known.includes(column));
      return place < 0 ? [] : [[name, place] as const];
    }),
  );
}

type Cell = (name: string) => string;
const SIDES = ['west', 'south', 'east', 'north'] as const;

function checkRow(cell: Cell): string | undefined {
  for (const name of ['entry_id', 'title']) if (cell(name) === '') return `the column ${name} is empty`;
  for (const name of ['start', 'stop'])
    if (cell(name) !== '' && !readDate(cell(name))) return `${name}: "${cell(name)}" is no date`;
  const sides = SIDES.filter((name) => cell(name) !== '');
  if (sides.length > 0 && sides.length < SIDES.length) return 'west, south, east and north go together';
  const wrong = sides.find((name) => !Number.isFinite(Number(cell(name))));
  return wrong === undefined ? undefined : `${wrong}: "${cell(wrong)}" is no number`;
}

const readDate = (written: string): string | undefined =>
  dateSpan(written) ? written : normaliseDate(written);

function toRecord(cell: Cell): DifRecord {
  const list = (name: string): string[] =>
    cell(name)
      .split('|')
      .map((value) => value.trim())
      .filter((value) => value !== '');
  const [start, stop] = [readDate(cell('start')), readDate(cell('stop'))];
  const longName = cell('topic_title');
  return {
    entryId: cell('entry_id'),
    title: cell('title'),
    summary: cell('summary') || cell('title'),
    creators: list('creator'),
    parameters: list('parameters'),
    isoTopics: list('iso_topic'),
    keywords: list('keywords'),
    instruments: list('instrument'),
    platforms: list('platform'),
    ...(start !== undefined && { start }),
    ...(stop !== undefined && { stop }),
    ...(cell('west') !== '' && {
      box: {
        west: Number(cell('west')),
        south: Number(cell('south')),
        east: Number(cell('east')),
        north: Number(cell('north')),
      },
    }),
    places: list('place'),
    projects: list('topic').map((shortName) => ({ shortName, ...(longName !== '' && { longName }) })),
    rights: cell('rights'),
    languages: list('language'),
    ...(cell('center') !== '' && { dataCenter: { name: cell('center') } }),
    urls: list('url').map((url) => ({ url })),
    parent: cell('parent'),
  };
}
