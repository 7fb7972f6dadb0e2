/** A catalogue's records page by page; around those that it cannot write. */
import { createHash } from 'node:crypto';
import { asGarnerError, type GarnerError } from '../../core/errors.ts';
import type { RecordProblem } from '../../core/model.ts';
import type { HttpClient } from '../http/index.ts';
import type { HarvestPage } from '../remote/harvest-pages.ts';
import { type CswPage, type CswQuery, getRecords } from './get-records.ts';

/** So many single records in a row may fail before the catalogue itself counts as broken. */
const MAX_LOST_IN_A_ROW = 10;

/** In which list, and where in it. */
export interface CswPosition {
  readonly start: number;
  readonly changedSince?: NonNullable<CswQuery['changedSince']>;
}

interface CatalogueReading {
  readonly pageSize: number;
  /** Position of the first record, from 1. */
  readonly from: number;
  readonly signal: AbortSignal | undefined;
}

/** All records that the query finds, from a position on. */
export async function* readCatalogue(
  client: HttpClient,
  query: CswQuery,
  { pageSize, from, signal }: CatalogueReading,
): AsyncGenerator<HarvestPage<CswPosition>> {
  const { changedSince } = query;
  const placeAt = (start: number): CswPosition => ({ start, ...(changedSince && { changedSince }) });
  let start = from;
  let size = pageSize;
  let lostInARow = 0;
  let lastDigest = '';
  let total: number | undefined;
  for (;;) {
    let page: CswPage;
    try {
      page = await getRecords(client, query, start, size, signal);
    } catch (thrown) {
      const error = asGarnerError(thrown);
      // A page that always fails has a record that the catalogue cannot write: looked for by halves.
      if (!mayBeOneRecord(error) || (size === 1 && (total === undefined || lostInARow >= MAX_LOST_IN_A_ROW)))
        throw thrown;
      if (size > 1) {
        // At the start one record is enough to tell a broken catalogue from a broken record.
        size = total === undefined ? 1 : Math.ceil(size / 2);
        continue;
      }
      lostInARow++;
      yield { ...skipRecord(query.url, start, error, total), next: placeAt(start + 1) };
      start++;
      if (total !== undefined && start > total) return;
      continue;
    }
    total = page.matched ?? total;
    const count = page.pieces.length;
    const digest = digestOf(page);
    const repeated = count > 0 && digest === lastDigest;
    lastDigest = digest;
    const next = start + count + page.problems.length;
    const ended = isLast(page, next, total);
    yield {
      pieces: repeated ? [] : page.pieces,
      problems: page.problems,
      bytes: page.bytes,
      lost: page.problems.length,
      ...(total !== undefined && { total }),
      ...(!ended && !repeated && { next: placeAt(next) }),
      ...(repeated && {
        cut: {
          code: 'source.answer',
          message: `the catalogue gives the same records again at position ${start}; the rest could not be got`,
        },
      }),
    };
    if (ended || repeated) return;
    start = next;
    size = Math.min(pageSize, size * 2);
    lostInARow = 0;
  }
}

function digestOf({ pieces }: CswPage): string {
  const digest = createHash('sha256');
  for (const { bytes } of pieces) digest.update(bytes);
  return digest.digest('hex');
}

/** The position of the next page is counted here: `nextRecord` is too often wrong. */
function isLast(page: CswPage, next: number, total: number | undefined): boolean {
  if (page.pieces.length + page.problems.length === 0) return true;
  // Where the catalogue counts, its count decides; else its word that there is no next one.
  if (total !== undefined && total > 0) return next > total;
  return page.nextRecord === 0;
}

function mayBeOneRecord(error: GarnerError): boolean {
  if (error.code === 'source.answer') return true;
  return error.code === 'http.status' && Number(error.details.status) >= 500;
}

function skipRecord(
  url: string,
  position: number,
  error: GarnerError,
  total: number | undefined,
): HarvestPage<CswPosition> {
  const problem: RecordProblem = {
    code: error.code,
    message: `record ${position} of the catalogue could not be got: ${error.message}`,
    where: `${url}#${position}`,
  };
  return {
    pieces: [],
    problems: [problem],
    bytes: 0,
    lost: 1,
    ...(total !== undefined && { total }),
  };
}
