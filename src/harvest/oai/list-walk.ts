/**
 * Walks one list to its end, whatever the provider does: follows tokens, notices loops, goes on by
 * datestamp where a token has died, halves the time around a page that always fails until only the record
 * that breaks it is left, and says which parts could not be got.
 */
import { asGarnerError, GarnerError } from '../../core/errors.ts';
import type { Instant } from '../../core/model.ts';
import { dateSpan, formatOai, type OaiGranularity } from '../../core/time.ts';
import type { Timing } from '../http/policy.ts';
import type { OaiAnswer, OaiConnection } from './connection.ts';
import type { OaiEvent } from './envelope.ts';
import { identify } from './identify.ts';
import { type ListSpec, type ListState, newProgress } from './list-state.ts';
import { ListTail, PageWatch, SeenPages } from './page-watch.ts';
import type { OaiHeader } from './record-piece.ts';
import { readHeader } from './record-piece.ts';
import type { RecordSink } from './record-sink.ts';
import { type DateWindow, granuleMs, listArguments, type OaiArguments, tokenArguments } from './request.ts';

export interface WalkDeps {
  readonly connection: OaiConnection;
  readonly sink: RecordSink;
  readonly timing: Timing;
  readonly signal: AbortSignal;
  /** After a page that is whole: commits it with the state. */
  readonly onPage: (state: ListState, records: number) => Promise<void>;
}

export interface WalkSettings {
  readonly list: ListSpec;
  readonly granularity: OaiGranularity;
  readonly earliestAt?: Instant;
  readonly feed: 'records' | 'identifiers';
}

/** `outage`: the provider as a whole does not answer; the state tells where to go on. */
export type WalkEnd =
  | { readonly kind: 'done'; readonly notes: readonly string[] }
  | { readonly kind: 'outage'; readonly error: GarnerError };

type PageResult =
  | { readonly kind: 'page'; readonly answer: OaiAnswer; readonly watch: PageWatch }
  | { readonly kind: 'nothing' }
  | { readonly kind: 'expired'; readonly error: GarnerError }
  | { readonly kind: 'failed'; readonly error: GarnerError }
  | { readonly kind: 'again' };

type Trouble = 'loop' | 'expired' | 'failed' | 'short';

const PAGE_TRIES = 3;
const FIRST_PAUSE_MS = 2000;
const MAX_EMPTY_PAGES = 100;
const MAX_RESTARTS = 2;
/** Halving thirty years down to a second takes thirty steps for each bad record. */
const MAX_SPLITS = 300;
const MAX_RESCUE_PAGES = 1000;
/** Where nobody tells how old the oldest record is. */
const FIRST_DAY = Date.UTC(1990, 0, 1);
/** Worth another try of the whole page; statuses were tried again by the client already. */
const PASSING: ReadonlySet<string> = new Set([
  'http.interrupted',
  'http.timeout',
  'http.encoding',
  'oai.response',
  'oai.truncated',
  'source.empty',
]);
/** Whoever answers so does not answer a smaller question either. */
const CLOSED_STATUSES: ReadonlySet<unknown> = new Set([401, 403, 404, 405, 410, 429, 503]);
const CLOSED_CODES: ReadonlySet<string> = new Set([
  'http.unreachable',
  'http.tls',
  'http.address',
  'http.redirect',
  'oai.response',
]);

const isClosed = ({ code, details }: GarnerError): boolean =>
  CLOSED_CODES.has(code) || (code === 'http.status' && CLOSED_STATUSES.has(details.status));

export class ListWalk {
  readonly #deps: WalkDeps;
  readonly #settings: WalkSettings;
  readonly #state: ListState;
  readonly #seen = new SeenPages();
  readonly #notes: string[] = [];
  #granularity: OaiGranularity;
  /** Of the window being read, and of the one that a tail goes on from. */
  #tail = new ListTail();
  #expected: ListTail | undefined;
  #newInTail = 0;

  constructor(deps: WalkDeps, settings: WalkSettings, state: ListState) {
    this.#deps = deps;
    this.#settings = settings;
    this.#state = state;
    this.#granularity = settings.granularity;
  }

  async run(): Promise<WalkEnd> {
    const state = this.#state;
    while (state.windows.length > 0) {
      this.#deps.signal.throwIfAborted();
      const result = await this.#readPage();
      if (result.kind === 'again') continue;
      if (result.kind === 'nothing') this.#endWindow();
      else if (result.kind === 'page') {
        const trouble = await this.#takePage(result);
        if (trouble) await this.#recover(trouble, undefined);
      } else if (isClosed(result.error)) return { kind: 'outage', error: result.error };
      else if (!(await this.#recover(result.kind, result.error)))
        return { kind: 'outage', error: result.error };
    }
    return { kind: 'done', notes: this.#notes };
  }

  get #verb(): 'ListRecords' | 'ListIdentifiers' {
    return this.#settings.feed === 'records' ? 'ListRecords' : 'ListIdentifiers';
  }

  get #granuleMs(): number {
    return granuleMs(this.#granularity);
  }

  get #pageArguments(): OaiArguments {
    const { token, windows } = this.#state;
    if (token !== undefined) return tokenArguments(this.#verb, token);
    return listArguments(this.#verb, this.#settings.list, windows[0] ?? {}, this.#granularity);
  }

  /** One page, tried as often as makes sense. While bad records are being closed in on, patience is short. */
  async #readPage(): Promise<PageResult> {
    const halving = this.#state.splits > 0;
    const tries = halving ? 1 : PAGE_TRIES;
    for (let attempt = 1; ; attempt++) {
      const watch = new PageWatch(this.#state.window, this.#granuleMs, this.#expected);
      const answer = await this.#ask(this.#pageArguments, watch, halving ? 2 : undefined).catch(
        (error: unknown) => this.#asFailure(error),
      );
      const result: PageResult = 'kind' in answer ? answer : this.#judge(answer, watch);
      if (result.kind !== 'failed' || !PASSING.has(result.error.code) || attempt >= tries) return result;
      await this.#deps.timing.sleep(FIRST_PAUSE_MS * 2 ** (attempt - 1), this.#deps.signal);
    }
  }

  /** What goes wrong between us and the provider; everything else is thrown on. */
  #asFailure(thrown: unknown): Extract<PageResult, { kind: 'failed' }> {
    this.#deps.signal.throwIfAborted();
    const error = asGarnerError(thrown);
    if (!/^(?:http|oai|xml)\.|^source\.empty$/.test(error.code)) throw thrown;
    return { kind: 'failed', error };
  }

  async #ask(
    args: OaiArguments,
    watch: PageWatch | undefined,
    attempts: number | undefined,
  ): Promise<OaiAnswer> {
    const { connection, signal, timing } = this.#deps;
    const headers: OaiHeader[] = [];
    const answer = await connection.read(
      args,
      async (event, url) => {
        const header = await this.#takeEvent(event, url, timing.clock());
        if (!header) return;
        watch?.note(header);
        if (event.kind === 'element') headers.push(header);
      },
      {
        signal,
        ...(this.#state.rawToken && { rawToken: true }),
        ...(attempts !== undefined && { attempts }),
      },
    );
    if (watch) for (const header of headers) await this.#fetchOrMiss(header);
    return answer;
  }

  async #fetchOrMiss(header: OaiHeader): Promise<void> {
    if (await this.#fetchRecord(header)) return;
    const at = header.datestamp === undefined ? undefined : dateSpan(header.datestamp)?.startAt;
    const window = at === undefined ? {} : { fromAt: at, untilAt: at };
    const message = `${this.#listName}: ${header.identifier} could not be got`;
    this.#state.gaps.push({ ...window, code: 'oai.gap', message });
  }

  async #takeEvent(event: OaiEvent, url: string, now: Instant): Promise<OaiHeader | undefined> {
    const { sink } = this.#deps;
    if (event.kind === 'record') {
      await sink.record(event.record, url, now);
      return event.record.header;
    }
    if (event.kind === 'problem') {
      const { code, message, line } = event;
      sink.problem({ code, message, where: url, line });
      return undefined;
    }
    if (event.parent !== 'ListIdentifiers') return undefined;
    const header = readHeader(event.element);
    sink.header(header);
    return header;
  }

  #judge(answer: OaiAnswer, watch: PageWatch): PageResult {
    const { errors, complete, verbs } = answer.summary;
    const [first] = errors;
    if (first && watch.records === 0) return this.#judgeError(first.code, first.message);
    if (!complete)
      return failed('oai.truncated', `the answer ends in the middle, after ${watch.records} records`);
    if (!verbs.includes(this.#verb)) return failed('oai.response', `the answer has no ${this.#verb}`);
    return { kind: 'page', answer, watch };
  }

  #judgeError(code: string, message: string): PageResult {
    const state = this.#state;
    const error = new GarnerError(
      'oai.error',
      `the provider says ${code || 'error'}${message && `: ${message}`}`,
      {
        details: { code, message },
      },
    );
    if (code === 'noRecordsMatch') return { kind: 'nothing' };
    if (state.token !== undefined) {
      // Some servers want tokens as they wrote them, or have escaped them once already.
      if (!state.rawToken && state.token !== encodeURIComponent(state.token)) {
        state.rawToken = true;
        return { kind: 'again' };
      }
      return code === 'badResumptionToken' || code === 'badArgument'
        ? { kind: 'expired', error }
        : { kind: 'failed', error };
    }
    const [window] = state.windows;
    const dated = window?.fromAt !== undefined || window?.untilAt !== undefined;
    if (code === 'badArgument' && dated && !state.noDates) {
      if (this.#granularity === 'YYYY-MM-DDThh:mm:ssZ') this.#granularity = 'YYYY-MM-DD';
      else {
        this.#notes.push('the provider refuses dates: everything was listed');
        state.noDates = true;
        state.windows = [{}];
      }
      return { kind: 'again' };
    }
    if (/^(?:badArgument|badVerb|cannotDisseminateFormat|noSetHierarchy|noMetadataFormats)$/.test(code))
      throw error;
    return { kind: 'failed', error };
  }

  /** Adds the page to what is known; says what is wrong with the list, if anything is. */
  async #takePage({ answer, watch }: Extract<PageResult, { kind: 'page' }>): Promise<Trouble | undefined> {
    const state = this.#state;
    const { window } = state;
    const { token } = answer.summary;
    const asked = state.token;
    state.firstResponseAt ??= this.#serverTime(answer);
    const repeated = watch.records > 0 && this.#seen.isRepeated(watch.fingerprint(), window);
    if (!repeated) this.#count(watch);
    if (token?.completeListSize !== undefined) window.size = token.completeListSize;
    if (repeated) return 'loop';
    if (!token?.text) {
      const short = window.size !== undefined && window.count < window.size && !state.windows[0]?.tail;
      if (short) return 'short';
      this.#endWindow();
      await this.#deps.onPage(state, watch.records);
      return undefined;
    }
    if (watch.records === 0 && (token.text === asked || window.emptyPages > MAX_EMPTY_PAGES)) return 'loop';
    state.token = token.text;
    await this.#deps.onPage(state, watch.records);
    return undefined;
  }

  #count(watch: PageWatch): void {
    const { window } = this.#state;
    window.page++;
    window.count += watch.records;
    window.emptyPages = watch.records === 0 ? window.emptyPages + 1 : 0;
    if (window.page > 1)
      window.fullPage = window.fullPage === -1 || window.fullPage === window.lastPage ? window.lastPage : 0;
    window.lastPage = watch.records;
    window.ordered = watch.ordered;
    if (watch.lastAt !== undefined) window.lastAt = watch.lastAt;
    for (const { identifier, at } of watch.headers) this.#tail.note(identifier, at);
    this.#newInTail += watch.newRecords;
  }

  /** The server's own clock if it tells it; never later than ours, so that nothing falls between. */
  #serverTime({ summary, dateAt }: OaiAnswer): Instant {
    const now = this.#deps.timing.clock();
    const told = summary.responseDate === undefined ? undefined : dateSpan(summary.responseDate)?.startAt;
    return Math.min(told ?? dateAt ?? now, now);
  }

  #endWindow(): void {
    this.#state.windows.shift();
    this.#restartWindow();
    this.#expected = undefined;
  }

  #restartWindow(): void {
    delete this.#state.token;
    this.#state.window = newProgress();
    this.#seen.clear();
    this.#tail = new ListTail();
    this.#newInTail = 0;
  }

  /** False when the provider does not answer at all any more. */
  async #recover(trouble: Trouble, error: GarnerError | undefined): Promise<boolean> {
    const state = this.#state;
    const [window = {}] = state.windows;
    if (trouble !== 'failed' && this.#isProvenComplete(trouble)) {
      this.#endWindow();
      return true;
    }
    if (this.#goOnByDate(window)) return true;
    if (trouble === 'short') {
      const { count, size } = state.window;
      this.#leaveGap(window, 'oai.count', `the list ends after ${count} of ${size} records`);
      return true;
    }
    if (trouble === 'expired' && state.restarts < MAX_RESTARTS) {
      state.restarts++;
      this.#restartWindow();
      return true;
    }
    if (error && !(await this.#isAlive())) return false;
    const reason = error?.message ?? 'the provider gives the same page again and again';
    await this.#halve(window, trouble === 'loop' ? 'oai.loop' : 'oai.gap', reason);
    return true;
  }

  /**
   * Whether a list that does not end as it should has given everything: it came to the announced size;
   * its last page was shorter than all before; or what was asked for again had nothing new.
   */
  #isProvenComplete(trouble: Trouble): boolean {
    const [current] = this.#state.windows;
    const { window } = this.#state;
    const note = (how: string) => {
      this.#notes.push(`the list did not end as it should; ${how}`);
      return true;
    };
    if (current?.tail)
      return this.#newInTail === 0 && note('asked from its last date on, it had nothing new');
    if (trouble === 'short') return false;
    if (window.size !== undefined && window.count >= window.size)
      return note(`all ${window.size} announced records came`);
    if (window.page > 1 && window.fullPage > 0 && window.lastPage < window.fullPage)
      return note('its last page was shorter than the others');
    return false;
  }

  /** A new list from the newest datestamp on, if that leads forward. */
  #goOnByDate(window: DateWindow): boolean {
    const state = this.#state;
    const { lastAt, ordered } = state.window;
    if (state.noDates || lastAt === undefined || !ordered) return false;
    if (window.fromAt !== undefined && lastAt <= window.fromAt) return false;
    if (lastAt > this.#deps.timing.clock() + this.#granuleMs) return false;
    state.windows[0] = {
      fromAt: lastAt,
      ...(window.untilAt !== undefined && { untilAt: window.untilAt }),
      tail: true,
    };
    const tail = this.#tail;
    this.#restartWindow();
    this.#expected = tail;
    return true;
  }

  /** Two halves in the place of a window that fails; the last record standing is got by itself or given up. */
  async #halve(window: DateWindow, code: 'oai.loop' | 'oai.gap', reason: string): Promise<void> {
    const state = this.#state;
    const granule = this.#granuleMs;
    const now = this.#deps.timing.clock();
    const fromAt = window.fromAt ?? this.#settings.earliestAt ?? FIRST_DAY;
    const untilAt = window.untilAt ?? Math.max(now, state.firstResponseAt ?? now);
    if (state.noDates || state.splits >= MAX_SPLITS) {
      this.#leaveGap(window, code, reason);
      return;
    }
    if (untilAt - fromAt < granule) {
      await this.#rescue(window, code, reason);
      return;
    }
    state.splits++;
    const middleAt = fromAt + Math.floor((untilAt - fromAt) / 2 / granule) * granule;
    state.windows.splice(
      0,
      1,
      // Before the first date there should be nothing; if there is, it is asked for as well.
      {
        ...(window.fromAt !== undefined && { fromAt }),
        ...(middleAt === fromAt && { fromAt }),
        untilAt: middleAt,
      },
      { fromAt: middleAt + granule, ...(window.untilAt !== undefined && { untilAt }) },
    );
    this.#restartWindow();
    this.#expected = undefined;
  }

  #leaveGap(window: DateWindow, code: string, message: string): void {
    const { fromAt, untilAt } = window;
    const shown = (at: Instant | undefined) => (at === undefined ? '…' : formatOai(at, this.#granularity));
    const what = `${this.#listName} from ${shown(fromAt)} until ${shown(untilAt)}: ${message}`;
    this.#state.gaps.push({
      ...(fromAt !== undefined && { fromAt }),
      ...(untilAt !== undefined && { untilAt }),
      code,
      message: what,
    });
    this.#deps.sink.problem({ code, message: what });
    this.#endWindow();
  }

  get #listName(): string {
    const { prefix, set } = this.#settings.list;
    return set === undefined ? prefix : `${prefix} of set ${set}`;
  }

  async #isAlive(): Promise<boolean> {
    try {
      await identify(this.#deps.connection);
      return true;
    } catch (error) {
      this.#deps.signal.throwIfAborted();
      if (asGarnerError(error).code === 'internal.bug') throw error;
      return false;
    }
  }

  /** One granule in which a page fails: identifiers first, then each record by itself. */
  async #rescue(window: DateWindow, code: 'oai.loop' | 'oai.gap', reason: string): Promise<void> {
    const headers = new Map<string, OaiHeader>();
    try {
      await this.#listHeaders(window, headers);
    } catch (error) {
      this.#deps.signal.throwIfAborted();
      this.#leaveGap(window, code, `${reason}; ${asGarnerError(error).message}`);
      return;
    }
    const lost: string[] = [];
    for (const header of headers.values())
      if (!(await this.#fetchRecord(header))) lost.push(header.identifier ?? '');
    if (lost.length > 0)
      this.#leaveGap(window, 'oai.gap', `could not be got: ${lost.slice(0, 10).join(', ')}`);
    else this.#endWindow();
    await this.#deps.onPage(this.#state, headers.size);
  }

  async #listHeaders(window: DateWindow, headers: Map<string, OaiHeader>): Promise<void> {
    let args = listArguments('ListIdentifiers', this.#settings.list, window, this.#granularity);
    for (let page = 0; page < MAX_RESCUE_PAGES; page++) {
      const before = headers.size;
      const { summary } = await this.#deps.connection.read(
        args,
        (event) => {
          if (event.kind !== 'element' || event.parent !== 'ListIdentifiers') return;
          const header = readHeader(event.element);
          this.#deps.sink.header(header);
          if (header.identifier !== undefined) headers.set(header.identifier, header);
        },
        { signal: this.#deps.signal },
      );
      const token = summary.token?.text;
      if (summary.errors[0] && summary.errors[0].code !== 'noRecordsMatch' && headers.size === 0)
        throw new GarnerError('oai.error', `the provider says ${summary.errors[0].code}`);
      if (!token || headers.size === before) return;
      args = tokenArguments('ListIdentifiers', token);
    }
  }

  /** By GetRecord; false, with a problem, when it cannot be got. */
  async #fetchRecord({ identifier, deleted }: OaiHeader): Promise<boolean> {
    if (identifier === undefined || deleted) return true;
    const { sink } = this.#deps;
    const fail = (message: string) => {
      sink.problem({ code: 'oai.gap', message: `GetRecord: ${message}`, identifier });
      return false;
    };
    let found = false;
    try {
      const { summary } = await this.#deps.connection.read(
        [
          ['verb', 'GetRecord'],
          ['identifier', identifier],
          ['metadataPrefix', this.#settings.list.prefix],
        ],
        async (event, url) => {
          if (event.kind !== 'record') return;
          found = true;
          await sink.record(event.record, url, this.#deps.timing.clock());
        },
        { signal: this.#deps.signal, attempts: 2 },
      );
      if (found) return true;
      return fail(summary.errors[0]?.code ?? 'there is no record in the answer');
    } catch (error) {
      this.#deps.signal.throwIfAborted();
      const { code, message } = asGarnerError(error);
      if (code === 'internal.bug' || code.startsWith('store.')) throw error;
      return fail(message);
    }
  }
}

const failed = (code: 'oai.truncated' | 'oai.response', message: string): PageResult => ({
  kind: 'failed',
  error: new GarnerError(code, message),
});
