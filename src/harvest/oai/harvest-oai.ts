/** The source kind `oai`: brings a source up to date with an OAI-PMH provider. */
import { asGarnerError, GarnerError } from '../../core/errors.ts';
import type { Log } from '../../core/log.ts';
import type { Instant } from '../../core/model.ts';
import { dateSpan, type OaiGranularity } from '../../core/time.ts';
import { webCapture } from '../../formats/web-capture.ts';
import type { GarnerStore } from '../../store/index.ts';
import { createHttpClient, type HttpClient, type HttpPolicy } from '../http/index.ts';
import { type Timing, timingOf } from '../http/policy.ts';
import type { Ingest } from '../ingest.ts';
import { createBoundClient } from '../remote/bound-client.ts';
import { type HeldRun, holdRun } from '../run/hold-run.ts';
import type { IntakeOptions } from '../run/intake.ts';
import { judgeMissing } from '../run/losses.ts';
import type { ImportReport } from '../run/report.ts';
import { judgeVanished, type Verdict } from '../run/vanished.ts';
import { type OaiCheckpoint, parseCheckpoint, planDigest } from './checkpoint.ts';
import { createOaiConnection, type OaiConnection } from './connection.ts';
import { type CaptureArchive, DidlCaptures } from './didl/index.ts';
import { identify, type OaiIdentity } from './identify.ts';
import { askForLosses } from './known-losses.ts';
import {
  gapLosses,
  type ListMemory,
  readMemory,
  rememberComparison,
  rememberList,
  type SourceMemory,
} from './list-memory.ts';
import { type ListSpec, type ListState, newListState } from './list-state.ts';
import { ListWalk, type WalkEnd } from './list-walk.ts';
import { RecordLine } from './record-line.ts';
import { RecordSink } from './record-sink.ts';
import { type DateWindow, granuleMs } from './request.ts';
import { type OaiSource, planLists } from './source.ts';
import type { StageTimes } from './stage-times.ts';
import { readStaticList } from './static-list.ts';

export interface OaiDeps {
  readonly store: Pick<GarnerStore, 'items' | 'runs'>;
  readonly ingest: Ingest;
  readonly formats: { find(name: string): object | undefined };
  readonly policy: HttpPolicy;
  /** For sources whose records are files in DIDL. */
  readonly archive?: CaptureArchive;
  readonly log?: Log;
}

export interface OaiReport extends ImportReport {
  readonly stages: Readonly<StageTimes>;
}

const DAY_MS = 86_400_000;

export async function harvestOai(
  deps: OaiDeps,
  source: OaiSource,
  options: IntakeOptions = {},
): Promise<OaiReport> {
  const lists = planLists(source, (name) => deps.formats.find(name) !== undefined);
  const client = createHttpClient(deps.policy);
  const stages: StageTimes = { fetchMs: 0, cutMs: 0, extractMs: 0, commitMs: 0 };
  try {
    const report = await holdRun(deps, source.name, 'harvest', { resume: 'unfinished' }, async (run) => {
      const signal = AbortSignal.any([run.lost, ...(options.signal ? [options.signal] : [])]);
      const captures = lists.some((list) => list.captures)
        ? await openCaptures(deps, source, signal)
        : undefined;
      try {
        return await new OaiHarvest(
          { ...deps, client, captures, signal },
          source,
          lists,
          options,
          run,
          stages,
        ).run();
      } finally {
        await captures?.close();
      }
    });
    return { ...report, stages };
  } finally {
    client.close();
  }
}

/** A source may have lists of both kinds; a batch is of one list. */
const besideCaptures = (ingest: Ingest, captures: DidlCaptures): Ingest => ({
  extract: (pieces) => (pieces[0]?.format === webCapture.name ? captures : ingest).extract(pieces),
  close: () => ingest.close(),
});

async function openCaptures(
  { archive, store, policy }: OaiDeps,
  source: OaiSource,
  signal: AbortSignal,
): Promise<DidlCaptures> {
  if (!archive) throw new GarnerError('internal.bug', 'there is no archive for the captures of the source');
  return DidlCaptures.open({
    ...archive,
    items: store.items,
    source: source.name,
    baseUrl: source.url,
    clock: timingOf(policy).clock,
    signal,
    ...(source.references === 'fetch' && { client: createBoundClient(policy, source.url) }),
  });
}

/** Why a run is not complete. */
interface Flaw {
  readonly code: GarnerError['code'];
  readonly message: string;
}

class OaiHarvest {
  readonly #deps: OaiDeps;
  readonly #source: OaiSource;
  readonly #lists: readonly ListSpec[];
  readonly #options: IntakeOptions;
  readonly #run: HeldRun;
  readonly #stages: StageTimes;
  readonly #timing: Timing;
  readonly #signal: AbortSignal;
  readonly #connection: OaiConnection;
  readonly #line: RecordLine;
  readonly #plan: string;
  readonly #startedAt: Instant;
  readonly #notes: string[] = [];
  #flaw: Flaw | undefined;
  #checkpoint: OaiCheckpoint;
  #committed = 0;
  #problems = 0;

  constructor(
    deps: OaiDeps & {
      readonly client: HttpClient;
      readonly captures: DidlCaptures | undefined;
      readonly signal: AbortSignal;
    },
    source: OaiSource,
    lists: readonly ListSpec[],
    options: IntakeOptions,
    run: HeldRun,
    stages: StageTimes,
  ) {
    this.#deps = deps;
    this.#source = source;
    this.#lists = lists;
    this.#options = options;
    this.#run = run;
    this.#stages = stages;
    this.#timing = timingOf(deps.policy);
    this.#startedAt = this.#timing.clock();
    const { captures, ingest } = deps;
    this.#signal = deps.signal;
    this.#connection = createOaiConnection(
      deps.client,
      source.url,
      stages,
      captures && { through: captures.through },
    );
    this.#line = new RecordLine(
      { items: deps.store.items, ingest: captures ? besideCaptures(ingest, captures) : ingest, stages },
      { source: source.name, runId: run.id },
      (records, problems) => {
        this.#committed += records;
        this.#problems += problems.length;
        for (const { code, message, where, line } of problems)
          deps.log?.('run.problem', {
            source: source.name,
            runId: run.id,
            code,
            message,
            ...(where !== undefined && { where }),
            ...(line !== undefined && { line }),
          });
        this.#tellProgress();
      },
    );
    this.#plan = planDigest(source, lists);
    this.#checkpoint = { plan: this.#plan, full: false, list: 0, pages: 0, records: 0, flawed: 0 };
  }

  async run(): Promise<ImportReport> {
    const resumed = parseCheckpoint(this.#run.checkpoint, this.#plan);
    try {
      const identity = await identify(this.#connection);
      const { items } = this.#deps.store;
      const memory = await readMemory(items, this.#source.name, this.#source.url, this.#lists);
      const full = identity.isStatic || this.#mustListAll(identity, memory);
      this.#checkpoint = resumed && (resumed.full || !full) ? resumed : { ...this.#checkpoint, full };
      if (!(await this.#walkLists(identity, memory))) return this.#unfinished();
      if (!this.#checkpoint.full) await this.#askAgain(identity);
      return await this.#settle();
    } catch (thrown) {
      await this.#line.finish();
      this.#run.lost.throwIfAborted();
      if (this.#options.signal?.aborted) return this.#report('interrupted', {});
      const error = asGarnerError(thrown);
      if (!/^(?:http|oai)\.|^source\.empty$/.test(error.code)) throw thrown;
      this.#flaw = error;
      return this.#unfinished();
    }
  }

  #mustListAll({ deletedRecord }: OaiIdentity, { lists, comparedAt }: SourceMemory): boolean {
    if (this.#options.full || lists.every(({ harvestedAt }) => harvestedAt === undefined)) return true;
    const { fullEveryDays } = this.#source;
    if (deletedRecord === 'persistent' || fullEveryDays === 0) return false;
    return comparedAt === undefined || this.#timing.clock() - comparedAt >= fullEveryDays * DAY_MS;
  }

  /** False when the provider stopped answering; the checkpoint says where. */
  async #walkLists(identity: OaiIdentity, memory: SourceMemory): Promise<boolean> {
    for (let index = this.#checkpoint.list; index < this.#lists.length; index++) {
      const list = this.#lists[index] as ListSpec;
      const known = memory.lists[index] ?? { gaps: [] };
      const granularity = known.dayStamps ? 'YYYY-MM-DD' : this.#granularityOf(identity);
      const state =
        (index === this.#checkpoint.list && this.#checkpoint.state) ||
        newListState(this.#windowsOf(known, granularity));
      const sink = new RecordSink(this.#line, list, this.#source.url);
      const startedAt = performance.now();
      const fetchedBefore = this.#stages.fetchMs;
      const waitedBefore = this.#line.waitedMs;
      const end = await this.#walkOne({ list, state, sink, identity, granularity });
      this.#stages.cutMs +=
        performance.now() -
        startedAt -
        (this.#stages.fetchMs - fetchedBefore) -
        (this.#line.waitedMs - waitedBefore);
      if (end.kind === 'outage') {
        this.#flaw = end.error;
        await sink.flush();
        await this.#line.finish();
        return false;
      }
      await this.#endList(index, state, sink, end, known);
    }
    await this.#line.finish();
    return true;
  }

  /** A list of changes does not tell again what was lost from an earlier one. */
  async #askAgain(identity: OaiIdentity): Promise<void> {
    const granularity = this.#granularityOf(identity);
    for (const { set: _, ...list } of new Map(this.#lists.map((one) => [one.prefix, one])).values()) {
      const sink = new RecordSink(this.#line, list, this.#source.url);
      const found = await askForLosses(
        { connection: this.#connection, sink, timing: this.#timing, signal: this.#signal },
        this.#deps.store.runs,
        { source: this.#source.name, runId: this.#run.id, list, sets: this.#source.sets, granularity },
      );
      await sink.flush({ found });
    }
    await this.#line.finish();
  }

  #granularityOf(identity: OaiIdentity): OaiGranularity {
    const { granularity } = this.#source;
    if (granularity === undefined) return identity.granularity;
    return granularity === 'day' ? 'YYYY-MM-DD' : 'YYYY-MM-DDThh:mm:ssZ';
  }

  /** All; or the gaps of last time and what changed since, with one granule of overlap. */
  #windowsOf({ harvestedAt, gaps }: ListMemory, granularity: OaiGranularity): DateWindow[] {
    const { from, until } = this.#source;
    const firstAt = from === undefined ? undefined : dateSpan(from)?.startAt;
    const lastAt = until === undefined ? undefined : dateSpan(until)?.startAt;
    const limits = {
      ...(firstAt !== undefined && { fromAt: firstAt }),
      ...(lastAt !== undefined && { untilAt: lastAt }),
    };
    if (this.#checkpoint.full || harvestedAt === undefined) return [limits];
    const since = harvestedAt - granuleMs(granularity);
    return [...gaps, { ...limits, fromAt: Math.max(since, firstAt ?? since) }];
  }

  async #walkOne(of: {
    list: ListSpec;
    state: ListState;
    sink: RecordSink;
    identity: OaiIdentity;
    granularity: OaiGranularity;
  }): Promise<WalkEnd> {
    const { list, state, sink, identity, granularity } = of;
    const onPage = (after: ListState, records: number) => this.#commitPage(sink, after, records);
    const deps = {
      connection: this.#connection,
      sink,
      timing: this.#timing,
      signal: this.#signal,
      onPage,
    };
    if (identity.isStatic) return readStaticList(deps, list, state);
    const { earliestAt } = identity;
    const { feed } = this.#source;
    try {
      return await new ListWalk(
        deps,
        { list, granularity, feed, ...(earliestAt !== undefined && { earliestAt }) },
        state,
      ).run();
    } catch (thrown) {
      const error = asGarnerError(thrown);
      if (error.code !== 'oai.error') throw thrown;
      // Refused for good: the other lists may still be harvested.
      state.gaps.push({ code: error.code, message: error.message });
      sink.problem({ code: error.code, message: error.message, where: this.#source.url });
      delete state.firstResponseAt;
      this.#flaw ??= error;
      return { kind: 'done', notes: [] };
    }
  }

  async #commitPage(sink: RecordSink, state: ListState, records: number): Promise<void> {
    const { pages, records: before } = this.#checkpoint;
    const total = state.window.size;
    this.#checkpoint = {
      ...this.#checkpoint,
      pages: pages + 1,
      records: before + records,
      // A copy: the walk goes on with its own while this one waits for its commit.
      state: structuredClone(state),
      ...(total !== undefined && { total }),
    };
    await sink.flush({ checkpoint: this.#checkpoint });
  }

  async #endList(
    index: number,
    state: ListState,
    sink: RecordSink,
    end: Extract<WalkEnd, { kind: 'done' }>,
    known: ListMemory,
  ): Promise<void> {
    this.#notes.push(...end.notes);
    const { state: _, ...rest } = this.#checkpoint;
    const flawed = rest.flawed + (state.gaps.length > 0 ? 1 : 0);
    this.#checkpoint = { ...rest, list: index + 1, flawed };
    const [gap] = state.gaps;
    if (gap) this.#flaw ??= { code: 'oai.gap', message: gap.message };
    // A list that gave nothing where all was asked for is no place to go on from.
    const nothing = state.firstResponseAt === undefined || (this.#checkpoint.full && state.received === 0);
    const readEntries =
      nothing || state.firstResponseAt === undefined
        ? []
        : rememberList(
            this.#source.url,
            this.#lists[index] as ListSpec,
            { harvestedAt: state.firstResponseAt, dayStamps: state.dayStamps ?? known.dayStamps ?? false },
            state.gaps,
            known.gaps,
          );
    const losses = gapLosses(this.#lists[index] as ListSpec, state.gaps, known.gaps);
    await sink.flush({ checkpoint: this.#checkpoint, readEntries, ...losses });
  }

  /** Everything was listed that could be. */
  async #settle(): Promise<ImportReport> {
    const { flawed, records, full } = this.#checkpoint;
    const { items, runs } = this.#deps.store;
    const { name, url } = this.#source;
    const whole = full && flawed === 0 && records > 0;
    const missing = await runs.settleLosses(name, this.#run.id, {
      lists: this.#lists.map(({ prefix }) => prefix),
      whole: whole && 'all',
    });
    const verdict = await this.#judge();
    const compared = full && verdict.complete && flawed === 0;
    if (compared && verdict.mayDelete) {
      const { deleted } = await items.deleteVanished(name, this.#run.id);
      this.#line.counts.deleted += deleted;
    }
    await items.commit({
      source: name,
      runId: this.#run.id,
      checkpoint: null,
      ...(compared && { readEntries: [rememberComparison(url, this.#startedAt)] }),
    });
    if (!verdict.complete) return this.#report('incomplete', verdict);
    if (records + this.#committed === 0 && flawed === this.#lists.length)
      return this.#report('failed', this.#flaw ?? {});
    const { complete, ...why } = judgeMissing(name, missing);
    // What a part of the list lacks is told by what was wrong with it.
    if (!complete) return this.#report('incomplete', this.#flaw ?? why);
    return this.#report('complete', this.#noted(why.message));
  }

  /** Whether what a full list did not have may be deleted. */
  async #judge(): Promise<Verdict> {
    const { full, flawed, records } = this.#checkpoint;
    const fine: Verdict = { mayDelete: false, complete: true };
    if (!full || flawed > 0) return fine;
    const { name, url, maxDeleteShare, until } = this.#source;
    const { vanished, live } = await this.#deps.store.items.countVanished(name, this.#run.id);
    if (until !== undefined && records > 0) return fine;
    return judgeVanished({
      vanished,
      live,
      maxDeleteShare,
      force: this.#options.force === true,
      emptyOrigins: records === 0 ? [url] : [],
      noun: 'record',
      unlisted: [],
      // Those of records that could not be read are known, and stay.
      keptOut: 0,
    });
  }

  #noted(accepted: string | undefined): { message?: string } {
    const notes = [...new Set(this.#notes), ...(accepted === undefined ? [] : [accepted])];
    return notes.length > 0 ? { message: notes.join('; ') } : {};
  }

  /** The provider does not answer: whatever came is kept, and the next run goes on from there. */
  #unfinished(): ImportReport {
    const flaw = this.#flaw ?? { code: 'oai.gap' as const, message: 'the provider did not answer' };
    const nothing = flaw.code !== 'source.empty' && this.#checkpoint.records === 0 && this.#committed === 0;
    return this.#report(nothing ? 'failed' : 'incomplete', flaw);
  }

  #report(status: ImportReport['status'], { code, message }: Partial<Flaw>): ImportReport {
    const seconds = (this.#timing.clock() - this.#startedAt) / 1000;
    return {
      runId: this.#run.id,
      status,
      ...(code && { code }),
      ...(message !== undefined && { message }),
      counts: this.#line.counts,
      entriesSeen: this.#checkpoint.pages,
      bytesRead: 0,
      records: this.#checkpoint.records,
      committed: this.#committed,
      problems: this.#problems,
      entriesUnchanged: 0,
      entriesSkipped: 0,
      seconds,
      recordsPerSecond: seconds > 0 ? Math.round(this.#committed / seconds) : 0,
    };
  }

  #tellProgress(): void {
    const { pages, records, total } = this.#checkpoint;
    this.#options.onProgress?.({
      entriesSeen: pages,
      bytesRead: 0,
      records,
      committed: this.#committed,
      problems: this.#problems,
      ...(total !== undefined && { expected: total }),
    });
  }
}
