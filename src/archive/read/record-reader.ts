/** Cuts the decompressed bytes of an archive into records, and finds the way back after damage. */
import type { ByteSource } from '../bytes/byte-source.ts';
import { ArchiveRecord } from './archive-record.ts';
import { Cursor } from './cursor.ts';
import { checkDigests, createDigestCheck } from './digest-check.ts';
import type { ArchiveEvent, Damage, DamageReason, StoredAt } from './events.ts';
import { gzipPieces } from './gzip-pieces.ts';
import { gzipPiecesAhead } from './gzip-pieces-ahead.ts';
import { headerEnd } from './header-list.ts';
import { type Member, type PieceEvent, plainPieces } from './pieces.ts';
import { parseArcHead, parseWarcHead, type RecordHead } from './record-head.ts';
import { findStart, formAt, type RecordForm, START_BYTES } from './record-start.ts';
import { type Packing, sniffPacking } from './sniff.ts';
import { endsAt, takeBlock } from './take-block.ts';
import { zstdPieces } from './zstd-pieces.ts';

export interface ReadOptions {
  /** Where in the file to begin: at a record, or at the member that holds one. */
  readonly start?: number;
  /** Where in that member's decompressed bytes the first record begins. */
  readonly inner?: number;
  /** Decompress in a thread of its own: quicker where a large file is read whole. Gzip files only. */
  readonly ahead?: boolean;
  /** Compare every record with the digests of its header. */
  readonly verify?: boolean;
  /** Blocks larger than this are streams, to be read before the next record is asked for. */
  readonly wholeBytes?: number;
}

const WHOLE_BYTES = 16 << 20;
const HEAD_LIMIT = 1 << 20;
const STREAM_HEAD_BYTES = 64 * 1024;
const STREAM_PART_BYTES = 256 * 1024;

interface Place {
  readonly member: Member;
  readonly inner: number;
}

const OPEN_PIECES: Readonly<
  Record<Packing, (source: ByteSource, start: number) => AsyncGenerator<PieceEvent>>
> = {
  plain: plainPieces,
  gzip: gzipPieces,
  zstd: zstdPieces,
};

export async function openRecordReader(source: ByteSource, options: ReadOptions = {}): Promise<RecordReader> {
  const start = options.start ?? 0;
  const packing = await sniffPacking(source, start);
  const threaded = options.ahead && packing === 'gzip' && source.path !== undefined;
  const cursor = new Cursor(threaded ? gzipPiecesAhead(source, start) : OPEN_PIECES[packing](source, start));
  for (let skip = options.inner ?? 0; skip > 0 && (await cursor.enter()); ) {
    const step = Math.min(skip, cursor.unread);
    cursor.advance(step);
    skip -= step;
  }
  return new RecordReader(source, cursor, options);
}

export class RecordReader {
  readonly #source: ByteSource;
  readonly #verify: boolean;
  readonly #wholeBytes: number;
  #cursor: Cursor;
  readonly #damages: Damage[] = [];
  #form: RecordForm | undefined;
  /** Reported already. */
  #unevenMember: Member | undefined;
  /** Finishes the record whose block is a stream. */
  #finish: (() => Promise<void>) | undefined;

  constructor(source: ByteSource, cursor: Cursor, options: ReadOptions) {
    this.#source = source;
    this.#cursor = cursor;
    this.#verify = options.verify ?? false;
    this.#wholeBytes = options.wholeBytes ?? WHOLE_BYTES;
  }

  /** Undefined at the end. Reads a streamed block to its end first, if that was not done. */
  async next(): Promise<ArchiveEvent | undefined> {
    await this.#finish?.();
    while (true) {
      const damage = this.#damages.shift();
      if (damage) return damage;
      this.#damages.push(...this.#cursor.takeDamages());
      if (this.#damages.length > 0) continue;
      if (!(await this.#passNewlines())) {
        this.#damages.push(...this.#cursor.takeDamages());
        if (this.#damages.length === 0) return undefined;
        continue;
      }
      const record = await this.#readRecord();
      if (record) return record;
    }
  }

  async close(): Promise<void> {
    await this.#cursor.close();
  }

  /** To the next byte that is no newline; false when there is none. */
  async #passNewlines(): Promise<boolean> {
    const cursor = this.#cursor;
    while (await cursor.enter()) {
      this.#stepOverNewlines();
      if (cursor.unread > 0) return true;
    }
    return false;
  }

  #stepOverNewlines(): void {
    const { bytes, at } = this.#cursor;
    let end = at;
    while (bytes[end] === 0x0a || bytes[end] === 0x0d) end++;
    if (end > at) this.#cursor.advance(end - at);
  }

  async #readRecord(): Promise<ArchiveRecord | undefined> {
    const cursor = this.#cursor;
    let form = formAt(cursor.bytes, cursor.at);
    if (!form && cursor.unread < START_BYTES) {
      await cursor.fill(START_BYTES);
      form = formAt(cursor.bytes, cursor.at);
    }
    const place = cursor.place();
    if (!form) {
      await this.#passJunk(place, 'junk', 'no record starts here');
      return undefined;
    }
    this.#form = form;
    const { head, complete } = await this.#readHead(form);
    if (!head) {
      cursor.advance(1);
      await this.#passJunk(place, 'header', 'the header of a record has no end');
      return undefined;
    }
    const stored = storedAt(place);
    if (!complete) {
      this.#report(place, 'truncated', 'the file ends inside the header of a record');
      return new ArchiveRecord(head, stored, { head: Buffer.alloc(0) }, true);
    }
    const length = head.contentLength;
    const left = place.member.compressed
      ? Infinity
      : this.#source.size - place.member.offset - cursor.place().inner;
    if (length !== undefined && Math.min(length, left) > this.#wholeBytes) {
      return this.#streamRecord(head, place, stored, length);
    }
    const { bytes, truncated, problem } = await takeBlock(cursor, form, length, this.#wholeBytes);
    if (problem) this.#report(place, problem.reason, problem.message);
    this.#stepOverNewlines();
    await this.#measure(place, stored);
    const record = new ArchiveRecord(head, stored, { head: bytes }, truncated);
    if (this.#verify) record.verdicts = checkDigests(record);
    return record;
  }

  /** Undefined when no end of the header is in sight. */
  async #readHead(form: RecordForm): Promise<{ head: RecordHead | undefined; complete: boolean }> {
    const cursor = this.#cursor;
    while (true) {
      const { bytes, at } = cursor;
      const end = form === 'warc' ? headerEnd(bytes, at) : bytes.indexOf(0x0a, at) + 1;
      if (end > 0) {
        const head = parseHead(form, bytes, at, end);
        cursor.advance(end - at);
        return { head, complete: true };
      }
      if (cursor.unread > HEAD_LIMIT) return { head: undefined, complete: false };
      if (await cursor.fill(cursor.unread * 2 + 1)) {
        // As far as it goes; what fill added since is searched once more above.
        if (headerEnd(cursor.bytes, cursor.at) > 0) continue;
        const head = parseHead(form, cursor.bytes, cursor.at, cursor.bytes.length);
        cursor.advance(cursor.unread);
        return { head, complete: false };
      }
    }
  }

  async #streamRecord(
    head: RecordHead,
    place: Place,
    stored: StoredAt,
    length: number,
  ): Promise<ArchiveRecord> {
    const cursor = this.#cursor;
    const blockPlace = cursor.place();
    await cursor.fill(STREAM_HEAD_BYTES);
    const first = cursor.bytes.subarray(cursor.at, cursor.at + Math.min(length, cursor.unread));
    cursor.advance(first.length);
    let remaining = length - first.length;
    let checked: ReturnType<typeof createDigestCheck> | undefined;
    const rest = async function* (): AsyncGenerator<Buffer> {
      while (remaining > 0) {
        if (cursor.unread === 0) await cursor.fill(Math.min(remaining, STREAM_PART_BYTES));
        if (cursor.unread === 0) return;
        const part = cursor.bytes.subarray(cursor.at, cursor.at + Math.min(remaining, cursor.unread));
        cursor.advance(part.length);
        remaining -= part.length;
        checked?.update(part);
        yield part;
      }
    };
    const stream = rest();
    const record = new ArchiveRecord(head, stored, { head: first, rest: stream });
    if (this.#verify) {
      checked = createDigestCheck(record);
      checked.update(first);
    }
    this.#finish = async () => {
      this.#finish = undefined;
      // A reader that stopped early closed its own stream; what it left is passed over here.
      for await (const _ of stream);
      for await (const _ of rest());
      record.truncated = remaining > 0;
      if (checked) record.verdicts = checked.finish();
      await this.#afterStream(head, place, blockPlace, stored, remaining);
    };
    return record;
  }

  async #afterStream(
    head: RecordHead,
    place: Place,
    blockPlace: Place,
    stored: StoredAt,
    missing: number,
  ): Promise<void> {
    if (missing === 0 && (await endsAt(this.#cursor, head.format, 0)) !== 'elsewhere') {
      this.#stepOverNewlines();
      await this.#measure(place, stored);
      return;
    }
    if (place.member.compressed) {
      this.#report(place, missing > 0 ? 'truncated' : 'length', 'a large block does not end where it says');
      return;
    }
    // The block may have swallowed records: they are looked for once more, from its beginning.
    await this.#cursor.close();
    const from = blockPlace.member.offset + blockPlace.inner;
    this.#cursor = new Cursor(plainPieces(this.#source, from));
    await this.#cursor.enter();
    const message = `a block said to have ${head.contentLength} bytes does not end there`;
    if (await this.#findNext()) this.#report(place, 'length', message);
    else this.#report(place, missing > 0 ? 'truncated' : 'length', message);
  }

  /** To the next start of a record; false when the file ends first. */
  async #findNext(): Promise<boolean> {
    const cursor = this.#cursor;
    while (true) {
      const bytes = cursor.bytes.subarray(cursor.at);
      const found = this.#form
        ? findStart(bytes, 0, this.#form)
        : (findStart(bytes, 0, 'warc') ?? findStart(bytes, 0, 'arc'));
      if (found) {
        cursor.advance(found.at);
        return true;
      }
      // A start may lie across the end of these bytes; one that a byte before them ends a line is kept, too.
      cursor.advance(Math.max(0, cursor.unread - START_BYTES));
      const stop = await cursor.fill(cursor.unread + STREAM_PART_BYTES);
      if (!stop || cursor.unread > bytes.length) continue;
      cursor.advance(cursor.unread);
      if (!(await cursor.enter())) return false;
      if (formAt(cursor.bytes, cursor.at)) return true;
    }
  }

  async #passJunk(place: Place, reason: DamageReason, message: string): Promise<void> {
    await this.#findNext();
    const end = this.#cursor.place();
    const skipped = place.member.compressed
      ? end.member.offset - place.member.offset
      : end.member.offset + end.inner - place.member.offset - place.inner;
    this.#damages.push({
      kind: 'damage',
      reason,
      ...storedAt(place),
      ...(skipped > 0 && { skipped }),
      message,
    });
  }

  #report(place: Place, reason: DamageReason, message: string): void {
    this.#damages.push({ kind: 'damage', reason, ...storedAt(place), message });
  }

  /** How many bytes of the file the record takes, if it does not share a member with another one. */
  async #measure(place: Place, stored: StoredAt): Promise<void> {
    const cursor = this.#cursor;
    const here = cursor.place();
    if (!place.member.compressed) {
      stored.length = here.inner - place.inner;
      return;
    }
    if (place.inner > 0) {
      this.#reportPacking(place.member, 'several records share one compressed member');
      return;
    }
    if (cursor.unread === 0 && here.member.length === undefined) await cursor.fill(1);
    const { member, inner } = cursor.place();
    if (cursor.unread === 0 && member.length !== undefined) {
      stored.length = member.offset + member.length - place.member.offset;
    } else if (inner === 0 && member !== place.member) {
      stored.length = member.offset - place.member.offset;
    }
    if (here.member !== place.member && here.inner > 0)
      this.#reportPacking(place.member, 'a record is spread over several members');
  }

  /** Once per member. */
  #reportPacking(member: Member, message: string): void {
    if (this.#unevenMember === member) return;
    this.#unevenMember = member;
    this.#report({ member, inner: 0 }, 'packing', message);
  }
}

function parseHead(form: RecordForm, bytes: Buffer, start: number, end: number): RecordHead | undefined {
  return form === 'warc'
    ? parseWarcHead(bytes.toString('utf8', start, end))
    : parseArcHead(bytes.toString('utf8', start, end).trimEnd());
}

function storedAt({ member, inner }: Place): StoredAt {
  if (!member.compressed) return { offset: member.offset + inner };
  return inner === 0 ? { offset: member.offset } : { offset: member.offset, inner };
}
