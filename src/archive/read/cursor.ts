/** A place in the decompressed bytes of an archive, moving forward from piece to piece. */
import type { Damage } from './events.ts';
import type { Member, Piece, PieceEvent } from './pieces.ts';
import { formAt } from './record-start.ts';

/** Why there are no more bytes for now: the next member starts a record, a member broke off, or the file ended. */
export type Stop = 'member' | 'broken' | 'end';

interface Mark {
  /** Where in `bytes` the member begins; negative when that was long ago. */
  readonly index: number;
  readonly member: Member;
}

const NOTHING = Buffer.alloc(0);

export class Cursor {
  /** Unread from `at` on. */
  bytes: Buffer = NOTHING;
  at = 0;
  readonly #pieces: AsyncIterator<PieceEvent>;
  #marks: Mark[] = [];
  #next: Piece | undefined;
  #ended = false;
  #damages: Damage[] = [];

  constructor(pieces: AsyncIterator<PieceEvent>) {
    this.#pieces = pieces;
  }

  get unread(): number {
    return this.bytes.length - this.at;
  }

  /** Damages of the compression that were met since the last call. */
  takeDamages(): readonly Damage[] {
    const damages = this.#damages;
    if (damages.length > 0) this.#damages = [];
    return damages;
  }

  /** The member of the next unread byte (or of the last read one), and the distance from its beginning. */
  place(): { readonly member: Member; readonly inner: number } {
    const mark = this.#marks[0];
    return mark
      ? { member: mark.member, inner: this.at - mark.index }
      : { member: { offset: 0, compressed: false }, inner: 0 };
  }

  advance(count: number): void {
    this.at += count;
    while (this.#marks.length > 1 && (this.#marks[1]?.index ?? 0) <= this.at) this.#marks.shift();
  }

  /** Goes to the bytes of the next member or piece once all are read. False at the end of the file. */
  async enter(): Promise<boolean> {
    while (this.unread === 0) {
      const stop = await this.#pull();
      if (stop === 'end') return false;
      if (this.#next) this.#append([this.#next]);
      this.#next = undefined;
    }
    return true;
  }

  /** Until so many bytes are unread. A member that does not start a record goes on with the one before. */
  async fill(count: number): Promise<Stop | undefined> {
    if (this.unread >= count) return undefined;
    const more: Piece[] = [];
    let have = this.unread;
    let stop: Stop | undefined;
    while (have < count) {
      stop = await this.#pull();
      const next = this.#next;
      if (!next) break;
      if (next.first && formAt(next.bytes)) {
        stop = 'member';
        break;
      }
      stop = undefined;
      more.push(next);
      have += next.bytes.length;
      this.#next = undefined;
    }
    if (more.length > 0) this.#append(more);
    return stop;
  }

  /** Stops the pieces' generator. */
  async close(): Promise<void> {
    await this.#pieces.return?.();
  }

  async #pull(): Promise<Stop | undefined> {
    if (this.#next) return undefined;
    if (this.#ended) return 'end';
    const { done, value } = await this.#pieces.next();
    if (done) {
      this.#ended = true;
      return 'end';
    }
    if (value.kind === 'damage') {
      this.#damages.push(value);
      return 'broken';
    }
    this.#next = value;
    return undefined;
  }

  #append(pieces: readonly Piece[]): void {
    const kept = this.unread;
    const current = this.#marks[0];
    this.#marks = current ? this.#marks.map(({ index, member }) => ({ index: index - this.at, member })) : [];
    let length = kept;
    for (const { first, member, bytes } of pieces) {
      if (first) this.#marks.push({ index: length, member });
      length += bytes.length;
    }
    const [only] = pieces;
    this.bytes =
      kept === 0 && pieces.length === 1 && only
        ? only.bytes
        : Buffer.concat([this.bytes.subarray(this.at), ...pieces.map(({ bytes }) => bytes)], length);
    this.at = 0;
    this.advance(0);
  }
}
