/** A table as CSV and as a JSON list of objects. */
import { GarnerError } from '../../core/errors.ts';
import { parseCsv } from '../../core/parse-csv.ts';
import { writeCsvRow } from '../../core/write-csv.ts';
import { parseJson } from '../../formats/extract-json.ts';
import type { Converter } from './converter.ts';

export const csvJsonConverter: Converter = {
  name: 'csv-json',
  targets: (mediaType) =>
    mediaType === 'text/csv' ? ['application/json'] : mediaType === 'application/json' ? ['text/csv'] : [],
  convert: async (bytes, { to }) =>
    Buffer.from(to === 'text/csv' ? writeTable(parseJson(bytes)) : `${JSON.stringify(readTable(bytes))}\n`),
};

/** Values stay texts: `007` is no number. */
export function readTable(bytes: Uint8Array): Readonly<Record<string, string>>[] {
  const [header, ...rows] = parseCsv(decode(bytes));
  const names = header?.cells ?? [];
  const twice = names.find((name, i) => names.indexOf(name) !== i);
  if (twice !== undefined)
    throw new GarnerError('product.conversion', `the table has two columns "${twice}"`);
  return rows.map(({ cells }) => Object.fromEntries(names.map((name, i) => [name, cells[i] ?? ''])));
}

function decode(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    // Spreadsheets of old write Latin-1, of which every byte is a character.
    return new TextDecoder('windows-1252').decode(bytes);
  }
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The columns are those of all rows, in the order in which they appear. */
export function writeTable(value: unknown): string {
  if (!Array.isArray(value) || !value.every(isObject))
    throw new GarnerError('product.conversion', 'only a list of objects can be a table');
  const rows: readonly Readonly<Record<string, unknown>>[] = value;
  const names = [...new Set(rows.flatMap((row) => Object.keys(row)))];
  return [names, ...rows.map((row) => names.map((name) => writeCell(row[name])))].map(writeCsvRow).join('');
}

function writeCell(value: unknown): string {
  if (value === undefined || value === null) return '';
  return typeof value === 'string' ? value : JSON.stringify(value);
}
