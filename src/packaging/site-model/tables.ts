/** The model as tables that people look at: pages, files, what is embedded, links, redirects. */
import { writeCsvRow } from '../../core/write-csv.ts';
import type { ModelFile } from './model-types.ts';
import type { PageRequest, SiteModel } from './site-model.ts';

export const SITE_TABLES = ['pages', 'files', 'embedded', 'links', 'redirects'] as const;
export type SiteTableName = (typeof SITE_TABLES)[number];

type Cell = string | number | undefined;

export interface TableRow {
  /** Where the table goes on after it. */
  readonly position: number;
  readonly cells: readonly Cell[];
}

interface SiteTable {
  readonly columns: readonly string[];
  readonly list: (model: SiteModel, request: PageRequest) => readonly TableRow[];
}

const time = (at: number | undefined): Cell => (at === undefined ? undefined : new Date(at).toISOString());

const FILE_COLUMNS = [
  'url',
  'title',
  'kind',
  'mediaType',
  'charset',
  'language',
  'size',
  'sha256',
  'status',
  'capturedAt',
  'depth',
  'archive',
  'offset',
  'problems',
];

const fileRow = (file: ModelFile): TableRow => ({
  position: file.key,
  cells: [
    file.url,
    file.title,
    file.kind,
    file.mediaType,
    file.charset,
    file.language,
    file.size,
    file.sha256,
    file.status,
    time(file.capturedAt),
    file.depth,
    file.stored?.file,
    file.stored?.offset,
    file.problems.map(({ message }) => message).join('; ') || undefined,
  ],
});

const TABLES: Readonly<Record<SiteTableName, SiteTable>> = {
  pages: {
    columns: FILE_COLUMNS,
    list: (model, request) => model.listFiles(request, 'page').map(fileRow),
  },
  files: {
    columns: FILE_COLUMNS,
    list: (model, request) => model.listFiles(request).map(fileRow),
  },
  embedded: {
    columns: ['page', 'url', 'kind', 'captured', 'via'],
    list: (model, request) =>
      model.listEmbedded(request).map(({ key, page, url, kind, fileKey, via }) => ({
        position: key,
        cells: [page, url, kind, fileKey === undefined ? 'no' : 'yes', via],
      })),
  },
  links: {
    columns: ['page', 'url', 'anchor', 'rel', 'scope', 'target', 'at', 'length'],
    list: (model, request) =>
      model.listLinks(request).map(({ key, page, url, anchor, rel, scope, target, at, length }) => ({
        position: key,
        cells: [page, url, anchor, rel, scope, target, at, length],
      })),
  },
  redirects: {
    columns: ['url', 'target', 'status', 'capturedAt', 'leadsTo'],
    list: (model, request) =>
      model.listRedirects(request).map(({ key, url, target, status, capturedAt, leadsTo }) => ({
        position: key,
        cells: [url, target, status, time(capturedAt), leadsTo],
      })),
  },
};

const CSV_ROWS = 500;

/** All of a table; the model stays open. */
export function* writeTableCsv(model: SiteModel, name: SiteTableName): Generator<string> {
  const { columns, list } = TABLES[name];
  yield writeCsvRow(columns);
  for (let after = 0; ; ) {
    const rows = list(model, { after, limit: CSV_ROWS });
    let text = '';
    for (const { cells } of rows) text += writeCsvRow(cells.map((cell) => cell?.toString()));
    if (text !== '') yield text;
    if (rows.length < CSV_ROWS) return;
    after = rows.at(-1)?.position ?? after;
  }
}

export interface TablePage {
  readonly rows: readonly Readonly<Record<string, string | number>>[];
  /** For `after`; absent at the end. */
  readonly next?: number;
}

export function readTable(model: SiteModel, name: SiteTableName, request: PageRequest): TablePage {
  const { columns, list } = TABLES[name];
  const found = list(model, request);
  const last = found.at(-1);
  return {
    rows: found.map(({ cells }) => {
      const row: Record<string, string | number> = {};
      for (const [index, column] of columns.entries()) {
        const cell = cells[index];
        if (cell !== undefined) row[column] = cell;
      }
      return row;
    }),
    ...(last && found.length === request.limit && { next: last.position }),
  };
}
