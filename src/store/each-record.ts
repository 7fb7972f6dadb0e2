/** All records of a format as they are now, page by page, in harvest order. */
import type { Viewer } from '../core/access.ts';
import type { ItemStore, ListedRecord } from './items.ts';

const PAGE = 500;

export async function* eachRecord(
  items: Pick<ItemStore, 'listRecords'>,
  wanted: { readonly format: string; readonly source?: string },
  viewer: Viewer,
): AsyncGenerator<ListedRecord> {
  for (let after: ListedRecord | undefined; ; ) {
    const page = await items.listRecords(
      { ...wanted, open: true, limit: PAGE, ...(after && { after }) },
      viewer,
    );
    yield* page;
    after = page.at(-1);
    if (page.length < PAGE) return;
  }
}
