/**
 * A dictionary as a table: one row per element and version, one column per attribute. Cells of lists have
 * ` | ` between entries and ` = ` between an entry and what belongs to it; `\` stands before a literal `|`, `=` or `\`.
 */
import { nearestNames } from '../../core/nearest.ts';
import { type CsvRow, parseCsv } from '../../core/parse-csv.ts';
import { writeCsvRow } from '../../core/write-csv.ts';
import {
  ATTRIBUTES,
  type Attribute,
  type AttributeEntry,
  attributeEntries,
  attributeValue,
} from './attributes.ts';
import {
  type DataDictionary,
  type DictionaryMistake,
  invalidDictionary,
  readDictionary,
} from './dictionary.ts';

const OWN_COLUMNS = ['dictionary', 'dictionaryTitle'] as const;
const COLUMNS: readonly string[] = [...OWN_COLUMNS, ...ATTRIBUTES.map(({ key }) => key)];

export function writeCsvDictionary({ identifier, title, elements }: DataDictionary): string {
  const rows = elements.map((element) => [
    identifier,
    title,
    ...ATTRIBUTES.map((attribute) => writeCell(attribute, attributeEntries(element, attribute))),
  ]);
  return [COLUMNS, ...rows].map((row) => writeCsvRow(row.map(guard))).join('');
}

/** `writeCsvRow` puts a quote before what a spreadsheet would run; quotes that were there are doubled. */
const guard = (cell: string): string => (/^'[=+\-@']/.test(cell) ? `'${cell}` : cell);
const unguard = (cell: string): string => (/^'[=+\-@']/.test(cell) ? cell.slice(1) : cell);

function writeCell({ form }: Attribute, entries: readonly AttributeEntry[]): string {
  if (form === 'text' || form === 'count') return entries[0]?.text ?? '';
  return entries
    .map(({ text, beside }) => [text, ...(beside === undefined ? [] : [beside])].map(escapeEntry).join(' = '))
    .join(' | ');
}

const escapeEntry = (text: string): string => text.replace(/[|=\\]/g, '\\$&');

export function readCsvDictionary(bytes: Uint8Array): DataDictionary {
  const [header, ...rows] = parseCsv(decode(bytes));
  if (!header) throw invalidDictionary([{ message: 'the table is empty', place: undefined }]);
  const columns = readHeader(header);
  const read = rows.map(({ line, cells }) => {
    const byColumn = new Map(columns.map((column, i) => [column, unguard(cells[i]?.trim() ?? '')]));
    const extra = cells.slice(columns.length).find((cell) => cell.trim() !== '');
    return { line, byColumn, extra };
  });
  const [first] = read;
  const mistakes: DictionaryMistake[] = [];
  for (const { line, byColumn, extra } of read) {
    if (extra !== undefined)
      mistakes.push({ message: `"${extra}" is behind the last column`, place: `line ${line}` });
    for (const column of OWN_COLUMNS)
      if (byColumn.get(column) !== first?.byColumn.get(column))
        mistakes.push({ message: `${column} must be the same in all rows`, place: `line ${line}` });
  }
  if (mistakes.length > 0) throw invalidDictionary(mistakes);
  const value = {
    identifier: first?.byColumn.get('dictionary') ?? '',
    title: first?.byColumn.get('dictionaryTitle') || first?.byColumn.get('dictionary') || '',
    elements: read.map(({ byColumn }) => toElement(byColumn)),
  };
  return readDictionary(value, ([, index]) =>
    typeof index === 'number' ? `line ${read[index]?.line ?? index + 2}` : undefined,
  );
}

function decode(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch (error) {
    throw invalidDictionary([{ message: `not UTF-8: ${String(error)}`, place: undefined }]);
  }
}

/** Columns may stand in any order; the name and definition must be there, the rest may be absent. */
function readHeader({ line, cells }: CsvRow): string[] {
  const columns = cells.map((cell) => cell.trim());
  const mistakes = columns.flatMap((column, i) => {
    const place = `line ${line}`;
    if (columns.indexOf(column) < i) return [{ message: `the column ${column} stands twice`, place }];
    if (COLUMNS.includes(column)) return [];
    const near = nearestNames(column, COLUMNS);
    const hint = near.length > 0 ? `; did you mean ${near.join(' or ')}?` : '';
    return [{ message: `there is no column "${column}"${hint}`, place }];
  });
  for (const needed of ['dictionary', 'name', 'definition'])
    if (!columns.includes(needed))
      mistakes.push({ message: `the column ${needed} is missing`, place: `line ${line}` });
  if (mistakes.length > 0) throw invalidDictionary(mistakes);
  return columns;
}

function toElement(cells: ReadonlyMap<string, string>): Record<string, unknown> {
  return Object.fromEntries(
    ATTRIBUTES.flatMap((attribute) => {
      const cell = cells.get(attribute.key);
      if (cell === undefined || cell === '') return [];
      const isList = attribute.form === 'texts' || attribute.form === 'pairs';
      return [
        [attribute.key, attributeValue(attribute, isList ? readList(attribute, cell) : [{ text: cell }])],
      ];
    }),
  );
}

function readList({ form }: Attribute, cell: string): AttributeEntry[] {
  return split(cell, '|').map((entry) => {
    const [text = '', ...more] = form === 'pairs' ? split(entry, '=') : [entry];
    return {
      text: unescapeEntry(text),
      ...(more.length > 0 && { beside: unescapeEntry(more.join('=')) }),
    };
  });
}

/** At separators without a backslash before them; the pieces stay escaped. */
function split(text: string, separator: '|' | '='): string[] {
  const pieces = [''];
  for (const [piece] of text.matchAll(/\\[\s\S]|[\s\S]/g))
    if (piece === separator) pieces.push('');
    else pieces.push((pieces.pop() ?? '') + piece);
  return pieces;
}

const unescapeEntry = (text: string): string => text.trim().replace(/\\([|=\\])/g, '$1');
