/** Small stores, records and a clock for the contract suites. */

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { FieldSpec, Instant } from '../../src/core/model.ts';
import type { ExtractedRecord } from '../../src/harvest/extract-record.ts';
import { joinWords } from '../../src/query/join-words.ts';
import type {
  HarvestStore,
  IncomingRecord,
  ItemStore,
  RunStore,
  StoreAdmin,
  StoreSetup,
} from '../../src/store/index.ts';

export interface StoreUnderTest {
  readonly items: ItemStore;
  readonly harvest: HarvestStore;
  readonly runs: RunStore;
  readonly admin: StoreAdmin;
  close(): Promise<void>;
}

export type OpenStore = (setup: StoreSetup, clock: () => Instant) => Promise<StoreUnderTest>;

const field = (name: string, more: Partial<FieldSpec> = {}): FieldSpec => ({
  name,
  type: 'text',
  label: name,
  stored: true,
  indexed: true,
  tokenised: true,
  stemmed: false,
  facet: false,
  weight: 1,
  ...more,
});

export const FIELDS: readonly FieldSpec[] = [
  field('title'),
  field('keyword', { type: 'string', tokenised: false, facet: true }),
  field('abstract', { stored: false }),
  field('year', { type: 'number', tokenised: false }),
];

/** A record whose words are those of its title and text. */
export function makeRecord(
  identifier: string,
  text: string,
  more: Partial<ExtractedRecord> & { keyword?: readonly string[]; abstract?: string } = {},
): ExtractedRecord {
  const { keyword, abstract, ...rest } = more;
  return {
    identifier,
    format: 'plain',
    raw: Buffer.from(`<r>${text}</r>`),
    document: {
      fields: {
        title: [text],
        ...(keyword && { keyword }),
        ...(abstract && { abstract: [abstract] }),
      },
      words: {
        title: joinWords([text]),
        ...(abstract && { abstract: joinWords([abstract]) }),
        '': joinWords(keyword ?? []),
      },
    },
    ...rest,
  };
}

export interface Bench {
  readonly folder: string;
  readonly store: StoreUnderTest;
  readonly setup: StoreSetup;
  /** The store's time; starts at a whole second. */
  readonly now: () => Instant;
  /** Lets so many seconds pass. */
  readonly wait: (seconds: number) => void;
  /** The same folder again, with another setup. */
  reopen(changes?: Partial<StoreSetup>): Promise<Bench>;
  close(): Promise<void>;
}

export async function openBench(open: OpenStore, changes: Partial<StoreSetup> = {}): Promise<Bench> {
  const folder = await mkdtemp(join(tmpdir(), 'garner-store-'));
  let now = Math.floor(Date.now() / 1000) * 1000;
  const start = async (setup: StoreSetup): Promise<Bench> => {
    const store = await open(setup, () => now);
    return {
      folder,
      store,
      setup,
      now: () => now,
      wait: (seconds) => {
        now += seconds * 1000;
      },
      reopen: async (more = {}) => {
        await store.close();
        return start({ ...setup, ...more });
      },
      close: async () => {
        await store.close();
        await rm(folder, { recursive: true, force: true });
      },
    };
  };
  return start({
    folder,
    fields: FIELDS,
    sources: [
      { name: 'samples', access: { public: true } },
      { name: 'others', access: { public: true } },
    ],
    views: [],
    repositoryIdentifier: 'example.org',
    ...changes,
  });
}

/** Takes records in as one complete run; gives the commit's result. */
export async function importRecords(
  { items, runs }: StoreUnderTest,
  source: string,
  records: readonly IncomingRecord[],
) {
  const { id } = await runs.startRun(source, 'import');
  const result = await items.commit({ source, runId: id, records });
  await runs.finishRun(id, 'complete');
  return result;
}
