/** The source kind `csw`: what changed in a catalogue service, or everything that it holds. */
import { asGarnerError } from '../../core/errors.ts';
import type { Instant } from '../../core/model.ts';
import { systemClock } from '../../core/time.ts';
import type { HttpClient } from '../http/index.ts';
import { type PagedOrigin, positionOf, readPages, settlePages } from '../remote/harvest-pages.ts';
import { type HeldRun, holdRun } from '../run/hold-run.ts';
import { Intake, type IntakeDeps, type IntakeOptions, type IntakeSource } from '../run/intake.ts';
import type { ImportReport } from '../run/report.ts';
import { type CswCapabilities, chooseSchema, findModified, readCapabilities } from './capabilities.ts';
import { type CatalogueMemory, changesFrom, memoryEntries, recallCatalogue } from './changes.ts';
import { type CswQuery, countRecords } from './get-records.ts';
import { type CswPosition, readCatalogue } from './read-catalogue.ts';

export interface CswSource extends IntakeSource {
  readonly url: string;
  readonly outputSchema?: string;
  readonly typeNames: string;
  readonly cql?: string;
  readonly method?: 'post' | 'get';
  readonly pageSize: number;
  readonly fullEveryDays: number;
}

type CswDeps = IntakeDeps & { readonly client: HttpClient };

export async function harvestCsw(
  deps: CswDeps,
  source: CswSource,
  options: IntakeOptions = {},
): Promise<ImportReport> {
  return holdRun(deps, source.name, 'harvest', { resume: options.full !== true }, (run) =>
    new CswRun(deps, source, options, run).run(),
  );
}

export function planQuery(
  source: Pick<CswSource, 'url' | 'method' | 'outputSchema' | 'typeNames' | 'cql'>,
  capabilities: CswCapabilities,
): CswQuery {
  const method =
    source.method ??
    (capabilities.postUrl === undefined && capabilities.getUrl !== undefined ? 'get' : 'post');
  return {
    url: (method === 'post' ? capabilities.postUrl : capabilities.getUrl) ?? source.url,
    method,
    outputSchema: source.outputSchema ?? chooseSchema(capabilities),
    typeNames: source.typeNames,
    cql: source.cql,
  };
}

class CswRun {
  readonly #deps: CswDeps;
  readonly #source: CswSource;
  readonly #options: IntakeOptions;
  readonly #run: HeldRun;
  readonly #intake: Intake;
  readonly #startedAt: Instant;

  constructor(deps: CswDeps, source: CswSource, options: IntakeOptions, run: HeldRun) {
    this.#deps = deps;
    this.#source = source;
    this.#options = options;
    this.#run = run;
    this.#intake = new Intake(deps, source, options, run);
    this.#startedAt = (deps.clock ?? systemClock)();
  }

  async run(): Promise<ImportReport> {
    const { client, store } = this.#deps;
    const { name, url } = this.#source;
    const capabilities = await readCapabilities(client, url, this.#options.signal);
    const query = planQuery(this.#source, capabilities);
    const memory = await recallCatalogue(store.items, name, query);
    const position = positionOf<CswPosition>(this.#run.checkpoint);
    const changedSince = position ? position.changedSince : this.#planChanges(capabilities, memory);
    if (memory && changedSince) {
      const report = await this.#harvestChanges({ ...query, changedSince }, memory);
      if (report) return report;
    }
    return this.#harvestAll(query, position?.changedSince ? undefined : this.#run.checkpoint);
  }

  #planChanges(capabilities: CswCapabilities, memory: CatalogueMemory | undefined): CswQuery['changedSince'] {
    const property = findModified(capabilities, this.#source.typeNames);
    const day = changesFrom(memory, this.#source.fullEveryDays, this.#startedAt);
    if (this.#options.full === true || property === undefined || day === undefined) return undefined;
    return { property, day };
  }

  /** Undefined when all must be compared after all. */
  async #harvestChanges(query: CswQuery, memory: CatalogueMemory): Promise<ImportReport | undefined> {
    const { client } = this.#deps;
    const { signal } = this.#options;
    const { changedSince: _, ...everything } = query;
    const total = await countRecords(client, everything, signal);
    const changed = await this.#countChanges(query);
    // A catalogue that does not count cannot be checked; one that ignores the condition lists all.
    if (total === undefined || changed === undefined || changed >= total) return undefined;
    const end = await readPages(
      this.#intake,
      changed > 0 ? this.#origin(query) : { place: query.url, pages: nothing },
      this.#run.checkpoint,
    );
    if (end.kind === 'read' && total - (await this.#countLive()) !== memory.surplus) return undefined;
    const report = await settlePages(this.#intake, query.url, end, { changes: true });
    if (report.status === 'complete')
      await this.#remember(query, { ...memory, harvestedAt: this.#startedAt });
    return report;
  }

  /** Undefined also when the catalogue refuses the condition, whatever it announced. */
  async #countChanges(query: CswQuery): Promise<number | undefined> {
    try {
      return await countRecords(this.#deps.client, query, this.#options.signal);
    } catch (thrown) {
      const { code } = asGarnerError(thrown);
      if (code !== 'source.answer' && code !== 'http.status') throw thrown;
      return undefined;
    }
  }

  async #harvestAll(query: CswQuery, checkpoint: unknown): Promise<ImportReport> {
    const end = await readPages(this.#intake, this.#origin(query), checkpoint);
    const report = await settlePages(this.#intake, query.url, end);
    if (report.status !== 'complete' || end.kind !== 'read' || end.total === undefined) return report;
    const surplus = end.total - (await this.#countLive());
    const at = this.#startedAt;
    if (surplus >= 0) await this.#remember(query, { harvestedAt: at, comparedAt: at, surplus });
    return report;
  }

  #origin(query: CswQuery): PagedOrigin<CswPosition> {
    const { pageSize } = this.#source;
    const { signal } = this.#options;
    return {
      place: query.url,
      pages: (position) =>
        readCatalogue(this.#deps.client, query, { pageSize, from: position?.start ?? 1, signal }),
    };
  }

  async #countLive(): Promise<number> {
    const { items } = this.#deps.store;
    return (await items.countVanished(this.#source.name, this.#run.id, { partial: true })).live;
  }

  async #remember(query: CswQuery, memory: CatalogueMemory): Promise<void> {
    const readEntries = memoryEntries(query, memory);
    await this.#deps.store.items.commit({ source: this.#source.name, runId: this.#run.id, readEntries });
  }
}

async function* nothing(): AsyncGenerator<never> {}
