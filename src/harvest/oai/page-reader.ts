/** One page of a list: asked for, tried again, and judged, whether it is a page, an end or a failure. */
import { asGarnerError, GarnerError } from '../../core/errors.ts';
import type { Instant } from '../../core/model.ts';
import { dateSpan, type OaiGranularity } from '../../core/time.ts';
import type { OaiAnswer } from './connection.ts';
import type { OaiEvent } from './envelope.ts';
import { type ListSpec, type ListState, listName } from './list-state.ts';
import { type ListTail, PageWatch } from './page-watch.ts';
import { type OaiHeader, readHeader } from './record-piece.ts';
import { granuleMs, listArguments, type OaiArguments, tokenArguments } from './request.ts';
import { type FetchDeps, fetchRecord } from './single-records.ts';

export interface PageSettings {
  readonly list: ListSpec;
  readonly granularity: OaiGranularity;
  /** `headers`: identifiers alone are wanted, and no records. */
  readonly feed: 'records' | 'identifiers' | 'headers';
}

/** `again`: the same page is to be asked for in another way. */
export type PageResult =
  | { readonly kind: 'page'; readonly answer: OaiAnswer; readonly watch: PageWatch }
  | { readonly kind: 'nothing'; readonly answer: OaiAnswer }
  | { readonly kind: 'expired'; readonly error: GarnerError }
  | { readonly kind: 'failed'; readonly error: GarnerError }
  | { readonly kind: 'again' };

const PAGE_TRIES = 3;
const FIRST_PAUSE_MS = 2000;
/** Worth another try of the whole page; statuses were tried again by the client already. */
const PASSING: ReadonlySet<string> = new Set([
  'http.interrupted',
  'http.timeout',
  'http.encoding',
  'oai.response',
  'oai.truncated',
  'source.empty',
]);

export class PageReader {
  /** Days instead of seconds once the provider has refused those. */
  granularity: OaiGranularity;
  readonly #deps: FetchDeps;
  readonly #settings: PageSettings;
  readonly #state: ListState;
  readonly #notes: string[];

  constructor(deps: FetchDeps, settings: PageSettings, state: ListState, notes: string[]) {
    this.#deps = deps;
    this.#settings = settings;
    this.#state = state;
    this.#notes = notes;
    this.granularity = state.dayStamps ? 'YYYY-MM-DD' : settings.granularity;
  }

  get #verb(): 'ListRecords' | 'ListIdentifiers' {
    return this.#settings.feed === 'records' ? 'ListRecords' : 'ListIdentifiers';
  }

  get granuleMs(): number {
    return granuleMs(this.granularity);
  }

  get #pageArguments(): OaiArguments {
    const { token, windows, prefixedToken } = this.#state;
    const { prefix } = this.#settings.list;
    if (token !== undefined)
      return [
        ...tokenArguments(this.#verb, token),
        ...(prefixedToken ? [['metadataPrefix', prefix] as const] : []),
      ];
    return listArguments(this.#verb, this.#settings.list, windows[0] ?? {}, this.granularity);
  }

  /**
   * Tried as often as makes sense; while bad records are being closed in on, patience is short. `expected`:
   * what the page should begin with.
   */
  async read(expected: ListTail | undefined): Promise<PageResult> {
    const halving = this.#state.splits > 0;
    const tries = halving ? 1 : PAGE_TRIES;
    for (let attempt = 1; ; attempt++) {
      const watch = new PageWatch(this.#state.window, this.granuleMs, expected);
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
    if (watch && this.#settings.feed === 'identifiers')
      // One that cannot be got is remembered by its name.
      for (const header of headers) await fetchRecord(this.#deps, this.#settings.list.prefix, header);
    return answer;
  }

  /** What has no name can be asked for by its date only; without one, with all that it came with. */
  #leaveNameless(header: OaiHeader | undefined, what: string): void {
    const at = header?.datestamp === undefined ? undefined : dateSpan(header.datestamp)?.startAt;
    const { fromAt, untilAt } = this.#state.windows[0] ?? {};
    const window =
      at === undefined
        ? { ...(fromAt !== undefined && { fromAt }), ...(untilAt !== undefined && { untilAt }) }
        : { fromAt: at, untilAt: at };
    const message = `${listName(this.#settings.list)}${at === undefined ? '' : `, ${header?.datestamp}`}: ${what}`;
    this.#state.gaps.push({ ...window, code: 'oai.gap', message });
  }

  async #takeEvent(event: OaiEvent, url: string, now: Instant): Promise<OaiHeader | undefined> {
    const { sink } = this.#deps;
    if (event.kind === 'record') {
      const { header } = event.record;
      if (header.identifier === undefined) this.#leaveNameless(header, 'a record has no identifier');
      await sink.record(event.record, url, now);
      return header;
    }
    if (event.kind === 'problem') {
      const { code, message, line, header } = event;
      const problem = { code, message, where: url, line };
      if (header?.identifier === undefined) {
        this.#leaveNameless(header, message);
        sink.problem(problem);
      } else sink.miss(header, problem);
      return header;
    }
    if (event.parent !== 'ListIdentifiers') return undefined;
    const header = readHeader(event.element);
    sink.header(header);
    return header;
  }

  #judge(answer: OaiAnswer, watch: PageWatch): PageResult {
    const { errors, complete, verbs } = answer.summary;
    const [first] = errors;
    if (first && watch.records === 0) return this.#judgeError(first.code, first.message, answer);
    if (!complete)
      return failed('oai.truncated', `the answer ends in the middle, after ${watch.records} records`);
    if (!verbs.includes(this.#verb)) return failed('oai.response', `the answer has no ${this.#verb}`);
    return { kind: 'page', answer, watch };
  }

  #judgeError(code: string, message: string, answer: OaiAnswer): PageResult {
    const state = this.#state;
    const error = new GarnerError(
      'oai.error',
      `the provider says ${code || 'error'}${message && `: ${message}`}`,
      {
        details: { code, message },
      },
    );
    if (code === 'noRecordsMatch') return { kind: 'nothing', answer };
    if (state.token !== undefined) {
      // Some servers want tokens as they wrote them, or have escaped them once already.
      if (!state.rawToken && state.token !== encodeURIComponent(state.token)) {
        state.rawToken = true;
        return { kind: 'again' };
      }
      delete state.rawToken;
      if (code === 'badArgument' && !state.prefixedToken) {
        state.prefixedToken = true;
        return { kind: 'again' };
      }
      delete state.prefixedToken;
      return code === 'badResumptionToken' || code === 'badArgument'
        ? { kind: 'expired', error }
        : { kind: 'failed', error };
    }
    const [window] = state.windows;
    const dated = window?.fromAt !== undefined || window?.untilAt !== undefined;
    if (code === 'badArgument' && dated && !state.noDates) {
      if (this.granularity === 'YYYY-MM-DDThh:mm:ssZ') this.granularity = 'YYYY-MM-DD';
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
}

const failed = (code: 'oai.truncated' | 'oai.response', message: string): PageResult => ({
  kind: 'failed',
  error: new GarnerError(code, message),
});
