/** Records of a window, page by page, in harvest order over all formats. */
import type { HarvestContent, HarvestPosition, HarvestRecord } from '../../store/index.ts';
import type { WantedList } from './cut-windows.ts';
import { boundsOf, type ListWindow } from './window.ts';

const PAGE_RECORDS = 500;
/** Of content; larger records still come, one at a time. */
const PAGE_BYTES = 2 ** 20;

export interface ListedRecord extends HarvestRecord {
  /** As asked for; empty when nothing was, or when the record is deleted. */
  readonly bytes: Uint8Array;
}

export interface FormatRecord {
  readonly format: string;
  readonly record: ListedRecord;
}

type Content = Pick<HarvestContent, 'content' | 'facts'>;

/** Items, each once, as its indexed record shows it. */
export function listItems(list: WantedList, window: ListWindow): AsyncGenerator<ListedRecord> {
  return listPages(list, window, {}, undefined);
}

/** Where two formats of an item have the same moment, the order is that of `list.formats`. */
export async function* listRecords(
  list: WantedList,
  window: ListWindow,
  contentOf: (format: string) => Content,
): AsyncGenerator<FormatRecord> {
  const streams = (list.formats ?? []).map((format) => ({
    format,
    records: listPages(list, window, contentOf(format), format),
  }));
  try {
    const heads: { readonly format: string; record: ListedRecord | undefined }[] = [];
    for (const { format, records } of streams) heads.push({ format, record: await nextOf(records) });
    for (;;) {
      let least = -1;
      for (const [i, { record }] of heads.entries()) {
        const best = heads[least]?.record;
        if (record && (!best || comparePositions(record, best) < 0)) least = i;
      }
      const head = heads[least];
      const stream = streams[least];
      if (!head?.record || !stream) return;
      yield { format: head.format, record: head.record };
      head.record = await nextOf(stream.records);
    }
  } finally {
    for (const { records } of streams) await records.return(undefined);
  }
}

async function nextOf(records: AsyncGenerator<ListedRecord>): Promise<ListedRecord | undefined> {
  const { done, value } = await records.next();
  return done === true ? undefined : value;
}

const comparePositions = (a: HarvestPosition, b: HarvestPosition): number =>
  a.datestampAt - b.datestampAt || a.key - b.key;

async function* listPages(
  { harvest, scope, viewer }: WantedList,
  window: ListWindow,
  content: Content,
  format: string | undefined,
): AsyncGenerator<ListedRecord> {
  const { fromAt, after: start, upTo } = boundsOf(window);
  let after = start;
  for (;;) {
    const page = await harvest.listPage(
      {
        ...scope,
        ...content,
        ...(format !== undefined && { format }),
        fromAt,
        ...(upTo && { untilAt: upTo.datestampAt }),
        ...(after && { after }),
        limit: PAGE_RECORDS,
        maxBytes: PAGE_BYTES,
      },
      viewer,
    );
    for (const record of page.records) {
      if (upTo && comparePositions(record, upTo) > 0) return;
      yield { ...record, bytes: page.bytes.subarray(record.start, record.start + record.size) };
    }
    after = page.records.at(-1);
    if (!page.more || !after) return;
  }
}
