/** Exchanges on their way into the archive: written once, and what is known already only referred to. */
import type { ContentReading } from '../archive/content/index.ts';
import { GarnerError } from '../core/errors.ts';
import type { CaptureEntry } from '../store/captures.ts';
import type { CommitCycle } from './commit-cycle.ts';
import type { CrawlerParts, Effect } from './crawler-parts.ts';
import {
  draftExchange,
  draftResource,
  type ExchangeStory,
  indexEntry,
  type ResourceStory,
  resourceEntry,
} from './exchange-records.ts';
import type { FetchAnswer } from './fetch/answer.ts';
import { PRIORITIES } from './frontier/host-queue.ts';
import { type Original, originalOf, type PriorCapture } from './prior-capture.ts';
import { crawlKey, hostKey } from './scope/canonical.ts';
import type { UrlPlace } from './scope/scope.ts';

const MAX_REMEMBERED_DIGESTS = 200_000;
/** Smaller payloads are worth less than the trouble of a revisit of another URL. */
const SHARED_PAYLOAD_BYTES = 512;

export interface KeptExchange extends Omit<ExchangeStory, 'repeats'> {
  /** What the source held of the URL before. */
  readonly prior?: PriorCapture | undefined;
  /** What was read of it, for the item. */
  readonly reading?: ContentReading | undefined;
}

export class ExchangeKeeper {
  readonly #parts: Pick<CrawlerParts, 'source' | 'frontier' | 'writer' | 'captures'>;
  readonly #cycle: CommitCycle;
  readonly #digests = new Map<string, Original>();
  readonly #hostCaptures = new Map<string, number>();
  /** Whether the source had captures before this process began. */
  #hasPast = false;

  constructor(parts: Pick<CrawlerParts, 'source' | 'frontier' | 'writer' | 'captures'>, cycle: CommitCycle) {
    this.#parts = parts;
    this.#cycle = cycle;
  }

  async start(): Promise<void> {
    const { captures, source } = this.#parts;
    this.#hasPast = (await captures.listFiles(source)).length > 0;
  }

  get hasPast(): boolean {
    return this.#hasPast;
  }

  get hostCaptures(): ReadonlyMap<string, number> {
    return this.#hostCaptures;
  }

  /** Writes it; the effect makes it known. */
  async keep({ prior, reading, ...exchange }: KeptExchange): Promise<Effect> {
    const { answer } = exchange;
    const repeats = await this.#findOriginal(answer, prior);
    const story: ExchangeStory = { ...exchange, ...(repeats && { repeats }) };
    const written = await this.#parts.writer.append(...draftExchange(story));
    answer.body.discard();
    const [main] = written;
    if (!main) throw new GarnerError('internal.bug', 'a capture was written without a record');
    const entry = indexEntry(story, main);
    const end = Math.max(...written.map(({ offset, length }) => offset + length));
    return () => {
      this.#captured(story, entry, end);
      if (reading && !repeats) this.#cycle.keepReading(entry, reading);
    };
  }

  /** Something that the crawler made itself. */
  async keepResource(story: ResourceStory): Promise<Effect> {
    const [main] = await this.#parts.writer.append(draftResource(story));
    if (!main) throw new GarnerError('internal.bug', 'a resource was written without a record');
    return () => this.#recordEntry(resourceEntry(story, main), main.offset + main.length);
  }

  /** Fetched by the way: a link to it is no reason to fetch it again. */
  noteDone(url: URL, place: UrlPlace): void {
    const { frontier } = this.#parts;
    const key = crawlKey(url);
    // What waits in a queue stays there: its own visit is due.
    if (frontier.find(key)) return;
    const priority = PRIORITIES.requisite;
    const row = frontier.add({ key, url: url.href, host: hostKey(url), place, priority });
    frontier.finish(row.id, 'done', {});
  }

  #captured({ url, answer, repeats }: ExchangeStory, entry: CaptureEntry, end: number): void {
    const { tallies } = this.#parts.frontier;
    this.#recordEntry(entry, end);
    tallies.add('bytes', answer.body.size + answer.responseHead.length);
    if (repeats) {
      tallies.add('revisits');
      tallies.add('saved', answer.status === 304 ? (repeats.size ?? 0) : answer.body.size);
    } else if (answer.status === 200 && !answer.truncated) {
      this.#remember(answer, entry);
    }
    if (answer.truncated) tallies.add(`truncated ${answer.truncated}`);
    const { host } = new URL(url);
    this.#hostCaptures.set(host, (this.#hostCaptures.get(host) ?? 0) + 1);
  }

  #remember({ body }: FetchAnswer, { url, at, recordId }: CaptureEntry): void {
    if (this.#digests.size >= MAX_REMEMBERED_DIGESTS) this.#digests.clear();
    const original = { url, at, digest: body.sha1, size: body.size };
    this.#digests.set(body.sha1, { ...original, ...(recordId !== undefined && { recordId }) });
  }

  #recordEntry(entry: CaptureEntry, end: number): void {
    const { frontier } = this.#parts;
    this.#cycle.add(entry);
    if (entry.file !== undefined) frontier.addToFile(entry.file, end);
    frontier.tallies.add('captures');
  }

  async #findOriginal(answer: FetchAnswer, prior: PriorCapture | undefined): Promise<Original | undefined> {
    const { captures, source } = this.#parts;
    const { size, sha1 } = answer.body;
    if (answer.status === 304) return prior?.original;
    if (answer.status !== 200 || answer.truncated || size === 0) return undefined;
    if (prior?.original.digest === sha1) return prior.original;
    if (size < SHARED_PAYLOAD_BYTES) return undefined;
    const known = this.#digests.get(sha1);
    if (known || !this.#hasPast) return known;
    const stored = await captures.findByDigest(source, sha1);
    return stored && originalOf(stored);
  }
}
