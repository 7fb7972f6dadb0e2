/** Answers of the CDX server API, line by line. */
import type { Viewer } from '../../core/access.ts';
import type { CaptureIndex, CaptureQuery, StoredCapture } from '../../store/captures.ts';
import { columnOf, timestampOf } from './cdx-fields.ts';
import { type CdxRequest, writeResumeKey } from './cdx-request.ts';

const PAGE = 2000;
/** So many lines are looked at for one answer; then it ends with a key to go on with. */
const MAX_SEEN = 500_000;

export interface CdxAnswer {
  readonly captures: readonly StoredCapture[];
  /** Set when there may be more. */
  readonly resumeKey?: string;
}

export async function answerCdx(
  index: Pick<CaptureIndex, 'list'>,
  request: CdxRequest,
  viewer: Viewer,
): Promise<CdxAnswer> {
  const { limit, closestAt } = request;
  const wanted = limit > 0 && closestAt === undefined ? limit : Number.POSITIVE_INFINITY;
  const found: StoredCapture[] = [];
  let after = request.after;
  let seen = 0;
  let last: string | undefined;
  for (;;) {
    const page = await index.list(pageOf(request, after), viewer);
    for (const capture of page) {
      after = capture;
      if (!request.filters.every(({ field, negated, test }) => test(columnOf(capture, field)) !== negated))
        continue;
      const group = groupOf(capture, request);
      if (group !== undefined && group === last) continue;
      last = group;
      found.push(capture);
      if (found.length >= wanted) return finish(found, request, capture);
    }
    seen += page.length;
    if (page.length < PAGE) return finish(found, request, undefined);
    if (seen >= MAX_SEEN) return finish(found, request, after);
  }
}

function pageOf(request: CdxRequest, after: CaptureQuery['after']): CaptureQuery {
  const { urlKey, match, sources, fromAt, untilAt, order } = request;
  return {
    urlKey,
    match,
    ...(sources && { sources }),
    ...(fromAt !== undefined && { fromAt }),
    ...(untilAt !== undefined && { untilAt }),
    ...(order === 'descending' && { reverse: true }),
    ...(after && { after }),
    limit: PAGE,
  };
}

/** Neighbours with the same text are one line. */
function groupOf(capture: StoredCapture, { collapse }: CdxRequest): string | undefined {
  if (collapse.length === 0) return undefined;
  return collapse.map(({ field, length }) => columnOf(capture, field).slice(0, length)).join(' ');
}

function finish(
  found: StoredCapture[],
  { limit, closestAt }: CdxRequest,
  more: NonNullable<CaptureQuery['after']> | undefined,
): CdxAnswer {
  if (closestAt !== undefined)
    found.sort((a, b) => Math.abs(a.at - closestAt) - Math.abs(b.at - closestAt) || a.at - b.at);
  const captures = limit < 0 ? found.slice(limit) : found.slice(0, limit);
  return { captures, ...(more && { resumeKey: writeResumeKey(more) }) };
}

export function writeCdxAnswer(
  { captures, resumeKey }: CdxAnswer,
  { fields, output, showResumeKey }: CdxRequest,
): { readonly type: string; readonly body: string } {
  const key = showResumeKey ? resumeKey : undefined;
  const rows = captures.map((capture) => fields.map((field) => columnOf(capture, field)));
  if (output === 'json') {
    // The first row names the columns; an empty row stands before the key.
    const lines = captures.length === 0 ? [] : [fields, ...rows, ...(key === undefined ? [] : [[], [key]])];
    return {
      type: 'application/json; charset=utf-8',
      body: `[${lines.map((line) => JSON.stringify(line)).join(',\n')}]\n`,
    };
  }
  const lines =
    output === 'cdxj'
      ? captures.map((capture) => cdxjLine(capture, fields))
      : rows.map((row) => row.join(' '));
  const body = [...lines, ...(key === undefined ? [] : ['', key])];
  return {
    type: output === 'cdxj' ? 'text/x-cdxj; charset=utf-8' : 'text/plain; charset=utf-8',
    body: body.length === 0 ? '' : `${body.join('\n')}\n`,
  };
}

function cdxjLine(capture: StoredCapture, fields: CdxRequest['fields']): string {
  const facts = fields
    .filter((field) => field !== 'urlkey' && field !== 'timestamp')
    .map((field) => [CDXJ_NAMES[field] ?? field, columnOf(capture, field)] as const)
    .filter(([, value]) => value !== '-');
  return `${capture.urlKey} ${timestampOf(capture.at)} ${JSON.stringify(Object.fromEntries(facts))}`;
}

const CDXJ_NAMES: Readonly<Record<string, string>> = {
  original: 'url',
  mimetype: 'mime',
  statuscode: 'status',
};
