/** Names of the files of a series: a template with `{prefix}`, `{timestamp}` and `{serial}`. */
import type { Instant } from '../../core/model.ts';

export const NAME_TEMPLATE = '{prefix}-{timestamp}-{serial}';

export interface FileSeries {
  readonly template: string;
  readonly prefix: string;
  /** `.warc.gz` or `.warc`. */
  readonly suffix: string;
}

const SERIAL_DIGITS = 5;

/** `20261115083000`. */
export const timestamp14 = (at: Instant): string =>
  new Date(at).toISOString().replace(/\D/g, '').slice(0, 14);

export function fileName({ template, prefix, suffix }: FileSeries, at: Instant, serial: number): string {
  const values: Readonly<Record<string, string>> = {
    prefix,
    timestamp: timestamp14(at),
    serial: String(serial).padStart(SERIAL_DIGITS, '0'),
  };
  return template.replace(/\{(\w+)\}/g, (whole, name: string) => values[name] ?? whole) + suffix;
}

/** The names of the series among those of a folder, oldest first, with their serial numbers. */
export function listSeries(series: FileSeries, names: readonly string[]): { name: string; serial: number }[] {
  const patterns: Readonly<Record<string, string>> = {
    prefix: escapePattern(series.prefix),
    timestamp: '\\d{14}',
    serial: `(?<serial>\\d{${SERIAL_DIGITS},})`,
  };
  const body = series.template
    .split(/(\{\w+\})/)
    .map((part) => patterns[part.slice(1, -1)] ?? escapePattern(part))
    .join('');
  const pattern = new RegExp(`^${body}${escapePattern(series.suffix)}$`);
  return names
    .flatMap((name) => {
      const match = pattern.exec(name);
      return match ? [{ name, serial: Number(match.groups?.serial ?? 0) }] : [];
    })
    .sort((a, b) => a.serial - b.serial || (a.name < b.name ? -1 : 1));
}

const escapePattern = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|-]/g, '\\$&');
