/** Pages of several stored formats as one list, in harvest order: for a prefix that is made of each of them. */
import type { Instant } from '../../core/model.ts';
import type { HarvestPage, HarvestPosition, HarvestRecord } from '../../store/index.ts';
import type { ItemForm } from './item-form.ts';

export interface FormPage {
  readonly form: ItemForm;
  readonly page: HarvestPage;
}

interface FormEntry extends FormPage {
  readonly record: HarvestRecord;
}

interface MergedPage {
  readonly entries: readonly FormEntry[];
  readonly more: boolean;
  readonly completeUntilAt: Instant;
}

const order = (a: HarvestPosition, b: HarvestPosition): number =>
  a.datestampAt - b.datestampAt || a.key - b.key;

/** Behind the end of a page that goes on, records of others must wait: some of its own may come before them. */
export function mergePages(pages: readonly FormPage[], limit: number): MergedPage {
  const ends = pages.flatMap(({ page }) => (page.more ? page.records.slice(-1) : []));
  const [end] = ends.toSorted(order);
  const all = pages
    .flatMap(({ form, page }) => page.records.map((record): FormEntry => ({ form, page, record })))
    .sort((a, b) => order(a.record, b.record));
  const entries: FormEntry[] = [];
  let more = pages.some(({ page }) => page.more);
  for (const entry of all) {
    const last = entries.at(-1);
    // An item that has several of the formats is listed once: live, if any of them is.
    if (last && order(last.record, entry.record) === 0) {
      if (last.record.status === 'deleted') entries[entries.length - 1] = entry;
      continue;
    }
    if (entries.length >= limit || (end && order(entry.record, end) > 0)) {
      more = true;
      break;
    }
    entries.push(entry);
  }
  return { entries, more, completeUntilAt: Math.min(...pages.map(({ page }) => page.completeUntilAt)) };
}
