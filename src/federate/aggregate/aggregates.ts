/**
 * Aggregates of everything that the public may read, kept up to date with the store: what changed since the
 * last time is asked for as a harvester would, so that the commits of other processes are seen as well, and
 * a restart goes on where the last process ended.
 */
import { ANONYMOUS } from '../../core/access.ts';
import type { Fields } from '../../core/model.ts';
import type { GarnerStore, HarvestPage, HarvestPosition } from '../../store/index.ts';
import type { ItemAttribute } from '../profile/item-attributes.ts';
import type { ItemMeaning } from '../profile/item-meaning.ts';
import { Aggregate } from './aggregate.ts';
import { type GroupedItem, type GroupPath, groupOf, groupQuery } from './grouping.ts';
import { AggregateState, type Group } from './state.ts';

export interface AggregatesOptions {
  readonly dataFolder: string;
  readonly meaning: Pick<ItemMeaning, 'attributesOf' | 'lower'>;
  /** Whatever the meaning depends on: when it changes, everything is gathered anew. */
  readonly digest: string;
  /** From the root down; see `grouping.ts`. */
  readonly levels: readonly string[];
  readonly valueLimit: number;
}

/** Of a group, or of a group of groups. */
export interface AggregateNode {
  readonly path: GroupPath;
  readonly number: number;
  readonly aggregate: Aggregate;
  /** Paths of what it is made of; none for a group of products. */
  readonly children: readonly GroupPath[];
}

/** So many at a time that whoever serves beside it hardly notices. */
const PAGE = 500;
const LONG_PAGE = 2000;
/** By these it is seen whether anything was taken in anywhere. */
const LAST_RUNS = 20;

export class Aggregates {
  readonly levels: readonly string[];
  readonly #store: Pick<GarnerStore, 'harvest' | 'search' | 'runs'>;
  readonly #meaning: AggregatesOptions['meaning'];
  readonly #limit: number;
  readonly #state: AggregateState;
  #nodes = new Map<string, AggregateNode>();
  #nodesSeq = -1;
  #checkedRuns = '';
  #isCurrent = false;

  constructor(store: Pick<GarnerStore, 'harvest' | 'search' | 'runs'>, options: AggregatesOptions) {
    const { dataFolder, meaning, digest, levels, valueLimit } = options;
    this.#store = store;
    this.levels = levels;
    this.#limit = valueLimit;
    this.#meaning = meaning;
    const settings = JSON.stringify([levels, valueLimit, digest]);
    this.#state = new AggregateState(dataFolder, valueLimit, settings);
  }

  /**
   * Takes in what changed in the store; gives how many items that were. Groups that lost a product are gathered
   * anew at once: it may have become hidden, and then nothing may tell its values any more.
   */
  async catchUp(signal?: AbortSignal): Promise<number> {
    const changed = await this.#takeChanges(signal);
    const missed = await this.#takeMissed(signal);
    await this.#gatherLoose(({ shrunk }) => shrunk, signal);
    if (!signal?.aborted) this.#isCurrent = true;
    return changed + missed;
  }

  /** Whether everything was taken in since this process began. */
  get isCurrent(): boolean {
    return this.#isCurrent;
  }

  /** Whether anything was ever taken in, by whatever process. */
  get hasBegun(): boolean {
    return this.#state.position !== undefined;
  }

  async #takeChanges(signal: AbortSignal | undefined): Promise<number> {
    let taken = 0;
    while (!signal?.aborted) {
      const from = this.#state.position;
      const page = await this.#store.harvest.listPage(
        { content: 'fields', limit: PAGE, ...(from && { after: from }) },
        ANONYMOUS,
      );
      const last = page.records.at(-1);
      if (!last) break;
      const moved = this.#state.change(from, () => {
        this.#takeIn(page);
        return { datestampAt: last.datestampAt, key: last.key };
      });
      if (moved) taken += page.records.length;
      if (moved && !page.more) break;
    }
    return taken;
  }

  /**
   * New items may be stamped in the past (files of a folder), behind the place that is reached. Whether there are
   * such is seen by counting, whenever a run changed something.
   */
  async #takeMissed(signal: AbortSignal | undefined): Promise<number> {
    const { harvest, runs } = this.#store;
    const from = this.#state.position;
    const lastRuns = JSON.stringify(await runs.listRuns({ limit: LAST_RUNS }));
    if (!from || lastRuns === this.#checkedRuns) return 0;
    const range = { untilAt: from.datestampAt };
    const listed = await harvest.countRecords(range, ANONYMOUS);
    const known = this.#state.countKnown();
    if (listed === known) this.#checkedRuns = lastRuns;
    // Fewer: some have changed again, and are looked at with these changes.
    if (listed <= known) return 0;
    let taken = 0;
    let after: HarvestPosition | undefined;
    let more = true;
    while (more && !signal?.aborted) {
      const request = { ...range, limit: LONG_PAGE, ...(after && { after }) };
      const headers = await harvest.listPage(request, ANONYMOUS);
      if (headers.records.some(({ key }) => !this.#state.knows(key))) {
        const page = await harvest.listPage({ ...request, content: 'fields' }, ANONYMOUS);
        const isMine = this.#state.change(from, () => {
          const records = page.records.filter(({ key }) => !this.#state.knows(key));
          this.#takeIn({ ...page, records });
          taken += records.length;
          return undefined;
        });
        if (!isMine) break;
      }
      after = headers.records.at(-1);
      more = headers.more;
    }
    return taken;
  }

  /** Gathers loose groups anew. */
  async tighten(signal?: AbortSignal): Promise<number> {
    return this.#gatherLoose(({ loose }) => loose, signal);
  }

  async #gatherLoose(isMeant: (aggregate: Aggregate) => boolean, signal?: AbortSignal): Promise<number> {
    const meant = this.#state.groups().filter(({ aggregate }) => isMeant(aggregate));
    for (const { path } of meant) {
      if (signal?.aborted) break;
      await this.#gatherAnew(path);
    }
    return meant.length;
  }

  /** Counts all changes of what is gathered. */
  get version(): number {
    return this.#state.seq;
  }

  /** Undefined when there is no such group. The root is always there. */
  find(path: GroupPath): AggregateNode | undefined {
    return this.#currentNodes().get(JSON.stringify(path));
  }

  /** The root and all groups, in no order. */
  list(): AggregateNode[] {
    return [...this.#currentNodes().values()];
  }

  #currentNodes(): ReadonlyMap<string, AggregateNode> {
    if (this.#nodesSeq !== this.#state.seq) {
      this.#nodesSeq = this.#state.seq;
      this.#nodes = this.#gatherNodes();
    }
    return this.#nodes;
  }

  /** Where an item belongs. */
  pathOf(item: GroupedItem & { readonly fields: Fields }): GroupPath {
    return groupOf(this.levels, item, this.#meaning.attributesOf(item));
  }

  numberOf(path: GroupPath): number | undefined {
    return this.#state.numberOf(path);
  }

  close(): void {
    this.#state.close();
  }

  #takeIn({ records, bytes }: HarvestPage): void {
    const text = new TextDecoder();
    for (const { source, identifier, format, status, key, start, size } of records) {
      const known = this.#state.groupOfProduct(key);
      if (status === 'deleted' || format === undefined) {
        if (known) this.#remove(key, known);
        else this.#state.putProduct(key);
        continue;
      }
      const fields =
        size === 0 ? {} : (JSON.parse(text.decode(bytes.subarray(start, start + size))) as Fields);
      const attributes = this.#meaning.attributesOf({ identifier, format, fields });
      const group = this.#state.openGroup(groupOf(this.levels, { source, identifier, format }, attributes));
      if (known === group) {
        group.aggregate.widen(attributes);
        group.aggregate.loose = true;
        continue;
      }
      if (known) this.#remove(key, known);
      this.#add(key, group, attributes);
    }
  }

  #add(key: number, group: Group, attributes: ReadonlyMap<string, ItemAttribute>): void {
    group.aggregate.add(attributes);
    this.#state.putProduct(key, group);
  }

  #remove(key: number, { path }: Group): void {
    const { aggregate } = this.#state.openGroup(path);
    this.#state.putProduct(key);
    aggregate.products--;
    aggregate.loose = true;
    aggregate.shrunk = true;
    if (aggregate.products === 0) this.#state.emptyGroup(path);
  }

  /** As the store is now: changes that are not taken in yet only make the group loose again. */
  async #gatherAnew(path: GroupPath): Promise<void> {
    const from = this.#state.position;
    const members: { key: number; attributes: Map<string, ItemAttribute> }[] = [];
    const { query, ...scope } = groupQuery(this.levels, path);
    const lowered = this.#meaning.lower(query);
    let after: string | undefined;
    do {
      const answer = await this.#store.search.search(
        {
          ...scope,
          query: lowered,
          sort: { by: 'updated', direction: 'asc' },
          limit: LONG_PAGE,
          ...(after !== undefined && { after }),
        },
        ANONYMOUS,
      );
      for (const { key, source, identifier, schema, fields } of answer.hits) {
        const attributes = this.#meaning.attributesOf({ identifier, format: schema, fields });
        const own = groupOf(this.levels, { source, identifier, format: schema }, attributes);
        if (JSON.stringify(own) === JSON.stringify(path)) members.push({ key, attributes });
      }
      after = answer.next;
    } while (after !== undefined);
    this.#state.change(from, () => {
      const group = this.#state.emptyGroup(path);
      for (const { key, attributes } of members) {
        const elsewhere = this.#state.groupOfProduct(key);
        if (elsewhere) this.#remove(key, elsewhere);
        this.#add(key, group, attributes);
      }
      return undefined;
    });
  }

  #gatherNodes(): Map<string, AggregateNode> {
    const children = new Map<string, Map<string, GroupPath>>();
    const aggregates = new Map<string, Aggregate>([['[]', new Aggregate(this.#limit)]]);
    for (const { path, aggregate } of this.#state.groups()) {
      for (let length = path.length; length >= 0; length--) {
        const name = JSON.stringify(path.slice(0, length));
        const gathered = aggregates.get(name) ?? new Aggregate(this.#limit);
        gathered.join(aggregate);
        aggregates.set(name, gathered);
        if (length === path.length) continue;
        const below = children.get(name) ?? new Map<string, GroupPath>();
        const child = path.slice(0, length + 1);
        below.set(JSON.stringify(child), child);
        children.set(name, below);
      }
    }
    return new Map(
      [...aggregates].map(([name, aggregate]) => {
        const path = JSON.parse(name) as GroupPath;
        const number = this.#state.numberOf(path) ?? 0;
        return [name, { path, number, aggregate, children: [...(children.get(name)?.values() ?? [])] }];
      }),
    );
  }
}
