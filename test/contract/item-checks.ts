/** Common words of the contract suites of items and runs. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ANONYMOUS, type Viewer } from '../../src/core/access.ts';
import type { ItemRef } from '../../src/core/model.ts';
import type { ListedRecord, RecordPageRequest } from '../../src/store/index.ts';
import { type Bench, type OpenStore, openBench, type StoreUnderTest } from './store-fixture.ts';

export const text = (bytes: Uint8Array | undefined): string | undefined =>
  bytes && Buffer.from(bytes).toString();

export const at = (identifier: string, source = 'samples'): ItemRef => ({ source, identifier });

export const withCode =
  (code: string) =>
  (error: unknown): boolean => {
    assert.ok(error instanceof Error && 'code' in error, String(error));
    assert.equal(error.code, code);
    return true;
  };

/** The whole list, in pages. */
export async function listAll(
  { items }: StoreUnderTest,
  request: Partial<RecordPageRequest> = {},
  viewer: Viewer = ANONYMOUS,
  limit = 1000,
): Promise<ListedRecord[]> {
  const all: ListedRecord[] = [];
  for (;;) {
    const last = all.at(-1);
    const page = await items.listRecords(
      { ...request, limit, ...(last && { after: { datestampAt: last.datestampAt, key: last.key } }) },
      viewer,
    );
    all.push(...page);
    if (page.length < limit) return all;
  }
}

/** Identifiers, the deleted ones with a minus. */
export const names = (records: readonly ListedRecord[]): string[] =>
  records.map(({ identifier, status }) => (status === 'live' ? identifier : `-${identifier}`));

export type Check = (title: string, body: (bench: Bench) => Promise<Bench | undefined>) => void;

/** Every test ends with a look at the whole store: nothing may be left half done. */
export const checks =
  (open: OpenStore): Check =>
  (title, body) => {
    void test(title, async () => {
      const first = await openBench(open);
      let last = first;
      try {
        last = (await body(first)) ?? first;
        assert.deepEqual(await last.store.admin.verify(), []);
      } finally {
        await last.close();
      }
    });
  };
