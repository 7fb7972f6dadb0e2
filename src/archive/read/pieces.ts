/** Decompressed bytes on their way from the file to the record parser, and which member each came from. */
import type { ByteSource } from '../bytes/byte-source.ts';
import type { Damage } from './events.ts';

/** One gzip member or zstd frame; a file without compression is a single one. */
export interface Member {
  readonly offset: number;
  readonly compressed: boolean;
  /** Bytes in the file; known with the last piece. */
  length?: number;
}

export interface Piece {
  readonly kind: 'piece';
  readonly bytes: Buffer;
  readonly member: Member;
  /** Begins its member. */
  readonly first: boolean;
}

/** After a damage nothing more comes of the member before it. */
export type PieceEvent = Piece | Damage;

const PLAIN_PIECE = 1 << 20;

export async function* plainPieces(source: ByteSource, start: number): AsyncGenerator<PieceEvent> {
  const member: Member = { offset: start, compressed: false };
  for (let position = start; ; ) {
    const bytes = await source.read(position, PLAIN_PIECE);
    if (bytes.length === 0) return;
    yield { kind: 'piece', bytes, member, first: position === start };
    position += bytes.length;
  }
}
