/**
 * Walks one list to its end, whatever the provider does: follows tokens, notices loops, goes on by
 * datestamp where a token has died, halves the time around a page that always fails until only the record
 * that breaks it is left, and says which parts could not be got.
 */
import { asGarnerError, type GarnerError } from '../../core/errors.ts';
import type { Instant } from '../../core/model.ts';
import { dateSpan, formatOai } from '../../core/time.ts';
import type { OaiAnswer } from './connection.ts';
import { identify } from './identify.ts';
import { type ListState, type ListWindow, listName, newProgress } from './list-state.ts';
import { PageReader, type PageResult, type PageSettings } from './page-reader.ts';
import { ListTail, type PageWatch, SeenPages } from './page-watch.ts';
import type { DateWindow } from './request.ts';
import { type FetchDeps, fetchRecord, type HeaderList, listHeaders } from './single-records.ts';

export interface WalkDeps extends FetchDeps {
  /** After a page that is whole: commits it with the state. */
  readonly onPage: (state: ListState, records: number) => Promise<void>;
}

export interface WalkSettings extends PageSettings {
  readonly earliestAt?: Instant;
}

/** `outage`: the provider as a whole does not answer; the state tells where to go on. */
export type WalkEnd =
  | { readonly kind: 'done'; readonly notes: readonly string[] }
  | { readonly kind: 'outage'; readonly error: GarnerError };

type Trouble = 'loop' | 'expired' | 'failed' | 'short';

const MAX_EMPTY_PAGES = 100;
const MAX_RESTARTS = 2;
/** In order over so many pages, a list is in order. */
const ORDERED_PAGES = 10;
/** Halving thirty years down to a second takes thirty steps for each bad record. */
const MAX_SPLITS = 300;
/** Where nobody tells how old the oldest record is. */
const FIRST_DAY = Date.UTC(1990, 0, 1);
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
  readonly #reader: PageReader;
  /** Of the window being read, and of the one that a tail goes on from. */
  #tail = new ListTail();
  #expected: ListTail | undefined;
  #newInTail = 0;
  /** Records on the fullest page so far: a list with fewer has no second page. */
  #largestPage = 0;

  constructor(deps: WalkDeps, settings: WalkSettings, state: ListState) {
    this.#deps = deps;
    this.#settings = settings;
    this.#state = state;
    this.#reader = new PageReader(deps, settings, state, this.#notes);
  }

  async run(): Promise<WalkEnd> {
    const state = this.#state;
    while (state.windows.length > 0) {
      this.#deps.signal.throwIfAborted();
      const result = await this.#reader.read(this.#expected);
      if (result.kind === 'again') continue;
      if (result.kind === 'nothing') {
        // Nothing new since then: the next harvest may begin later.
        if (state.windows[0]?.fromAt !== undefined) state.firstResponseAt ??= this.#serverTime(result.answer);
        this.#endWindow();
      } else if (result.kind === 'page') {
        const trouble = await this.#takePage(result);
        if (trouble) await this.#recover(trouble, undefined);
      } else if (isClosed(result.error)) return { kind: 'outage', error: result.error };
      else if (!(await this.#recover(result.kind, result.error)))
        return { kind: 'outage', error: result.error };
    }
    return { kind: 'done', notes: this.#notes };
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
    this.#state.received += watch.records;
    window.emptyPages = watch.records === 0 ? window.emptyPages + 1 : 0;
    if (window.page > 1)
      window.fullPage = window.fullPage === -1 || window.fullPage === window.lastPage ? window.lastPage : 0;
    window.lastPage = watch.records;
    this.#largestPage = Math.max(this.#largestPage, watch.records);
    window.ordered = watch.ordered;
    if (watch.lastAt !== undefined) window.lastAt = watch.lastAt;
    for (const { identifier, at } of watch.headers) this.#tail.note(identifier, at);
    this.#newInTail += watch.newRecords;
    if (this.#state.split) this.#state.split.count += watch.records;
    if (watch.dayStamps) {
      this.#state.dayStamps = true;
      this.#reader.granularity = 'YYYY-MM-DD';
    }
  }

  /** The server's own clock if it tells it; never later than ours, so that nothing falls between. */
  #serverTime({ summary, dateAt }: OaiAnswer): Instant {
    const now = this.#deps.timing.clock();
    const told = summary.responseDate === undefined ? undefined : dateSpan(summary.responseDate)?.startAt;
    return Math.min(told ?? dateAt ?? now, now);
  }

  #endWindow(): void {
    const { windows } = this.#state;
    const [ended, next] = windows;
    if (ended?.tail && next?.proof && (next.proof.size ?? Infinity) <= next.proof.have + this.#newInTail)
      windows.splice(1, 1);
    windows.shift();
    this.#restartWindow();
    this.#expected = undefined;
    this.#countParts();
  }

  /** Where dates are not understood, the parts of a list that was halved may be empty, one like the other. */
  #countParts(): void {
    const { split, windows, gaps } = this.#state;
    if (!split || windows.length > split.after) return;
    delete this.#state.split;
    const { window, size, count } = split;
    if (count < size && gaps.length === split.gaps)
      this.#noteGap(window, 'oai.count', `asked for by dates it has ${count} of ${size} records`);
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
    if (!window.proof && this.#goOnByDate(window, trouble)) return true;
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
  #goOnByDate(window: ListWindow, trouble: Trouble): boolean {
    const state = this.#state;
    const { lastAt, ordered } = state.window;
    if (state.noDates || lastAt === undefined || !ordered) return false;
    if (window.fromAt !== undefined && lastAt <= window.fromAt) return false;
    if (lastAt > this.#deps.timing.clock() + this.#reader.granuleMs) return false;
    const next = {
      fromAt: lastAt,
      ...(window.untilAt !== undefined && { untilAt: window.untilAt }),
      tail: true,
    };
    state.windows.splice(0, window.tail ? 2 : 1, next, ...this.#proofOf(window, trouble, lastAt));
    const tail = this.#tail;
    this.#restartWindow();
    this.#expected = tail;
    return true;
  }

  /** What is to be asked for again before the date from which a list goes on. */
  #proofOf(window: ListWindow, trouble: Trouble, lastAt: Instant): ListWindow[] {
    const { windows, window: progress } = this.#state;
    const [, following] = windows;
    const earlier = window.tail ? following : undefined;
    // The window behind a tail is another one's, unless it is its proof.
    const kept = earlier && !earlier.proof ? [earlier] : [];
    const known = earlier?.proof;
    const isSure = trouble === 'short' || progress.page >= ORDERED_PAGES;
    if (isSure && !known) return kept;
    const have = (known?.have ?? 0) + (window.tail ? this.#newInTail : progress.count);
    const size = known?.size ?? (window.tail ? undefined : progress.size);
    const fromAt = known ? earlier?.fromAt : window.fromAt;
    return [
      {
        ...(fromAt !== undefined && { fromAt }),
        untilAt: isSure ? (earlier?.untilAt ?? lastAt) : lastAt,
        proof: { have, ...(size !== undefined && { size }) },
      },
      ...kept,
    ];
  }

  /** Two halves in the place of a window that fails; the last record standing is got by itself or given up. */
  async #halve(window: ListWindow, code: 'oai.loop' | 'oai.gap', reason: string): Promise<void> {
    const state = this.#state;
    const granule = this.#reader.granuleMs;
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
    const { size } = state.window;
    if (size !== undefined)
      state.split ??= { window, size, after: state.windows.length - 1, gaps: state.gaps.length, count: 0 };
    const strict = window.proof ? { proof: { have: 0 } } : {};
    const middleAt = fromAt + Math.floor((untilAt - fromAt) / 2 / granule) * granule;
    state.windows.splice(
      0,
      1,
      // Before the first date there should be nothing; if there is, it is asked for as well.
      {
        ...(window.fromAt !== undefined && { fromAt }),
        ...(middleAt === fromAt && { fromAt }),
        untilAt: middleAt,
        ...strict,
      },
      { fromAt: middleAt + granule, ...(window.untilAt !== undefined && { untilAt }), ...strict },
    );
    this.#restartWindow();
    this.#expected = undefined;
  }

  #leaveGap(window: DateWindow, code: string, message: string): void {
    this.#noteGap(window, code, message);
    this.#endWindow();
  }

  #noteGap(window: DateWindow, code: string, message: string): void {
    const { fromAt, untilAt } = window;
    const shown = (at: Instant | undefined) =>
      at === undefined ? '…' : formatOai(at, this.#reader.granularity);
    const what = `${listName(this.#settings.list)} from ${shown(fromAt)} until ${shown(untilAt)}: ${message}`;
    this.#state.gaps.push({
      ...(fromAt !== undefined && { fromAt }),
      ...(untilAt !== undefined && { untilAt }),
      code,
      message: what,
    });
    this.#deps.sink.problem({ code, message: what });
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
    const { list } = this.#settings;
    let headers: HeaderList['headers'];
    let cut: string | undefined;
    try {
      ({ headers, cut } = await listHeaders(this.#deps, list, window, this.#reader.granularity));
    } catch (error) {
      this.#deps.signal.throwIfAborted();
      this.#leaveGap(window, code, `${reason}; ${asGarnerError(error).message}`);
      return;
    }
    const lost: string[] = [];
    const wanted = this.#settings.feed === 'headers' ? [] : headers.values();
    for (const header of wanted)
      if (!(await fetchRecord(this.#deps, list.prefix, header))) lost.push(header.identifier ?? '');
    if (this.#state.split) this.#state.split.count += headers.size;
    const missing = [
      ...(lost.length > 0 ? [`could not be got: ${lost.slice(0, 10).join(', ')}`] : []),
      ...(cut === undefined || this.#countInside(window, headers) < this.#largestPage ? [] : [cut]),
    ];
    if (missing.length > 0) this.#leaveGap(window, 'oai.gap', missing.join('; '));
    else this.#endWindow();
    this.#state.received += headers.size;
    await this.#deps.onPage(this.#state, headers.size);
  }

  /** Tokens of some providers forget the window; what they bring from elsewhere says nothing about it. */
  #countInside({ fromAt = 0, untilAt = Infinity }: DateWindow, headers: HeaderList['headers']): number {
    const endAt = untilAt + this.#reader.granuleMs;
    return [...headers.values()].filter(({ datestamp = '' }) => {
      const at = dateSpan(datestamp)?.startAt;
      return at === undefined || (at >= fromAt && at < endAt);
    }).length;
  }
}
