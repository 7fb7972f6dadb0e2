/** Compares a record with the digests in its header. */
import { createHash, type Hash } from 'node:crypto';
import { type Digest, digestHex, parseDigest } from '../digest.ts';
import { newBodyReport, payloadAtOnce } from '../http/decode-body.ts';
import type { ArchiveRecord } from './archive-record.ts';

const FIELDS = ['WARC-Block-Digest', 'WARC-Payload-Digest'] as const;

export interface DigestVerdict {
  readonly field: (typeof FIELDS)[number];
  readonly declared: string;
  /** `unknown`: an algorithm or encoding we do not know, or nothing here to compare with (a revisit's payload). */
  readonly result: 'right' | 'wrong' | 'unknown';
  /**
   * A payload digest is right over the body as stored or without its transfer coding: the standard leaves
   * it open, and crawlers differ.
   */
  readonly over?: 'block' | 'body' | 'payload';
}

/** Of a record whose block is in memory. */
export function checkDigests(record: ArchiveRecord): readonly DigestVerdict[] {
  const block = record.whole;
  if (!block) return [];
  return listDeclared(record).map(({ field, declared, digest }): DigestVerdict => {
    if (!digest) return { field, declared, result: 'unknown' };
    const same = (bytes: Buffer): boolean => digestHex(digest.algorithm, bytes) === digest.hex;
    if (field === 'WARC-Block-Digest') {
      return { field, declared, result: same(block) ? 'right' : 'wrong', over: 'block' };
    }
    const body = block.subarray(record.http?.bodyOffset ?? 0);
    if (same(body)) return { field, declared, result: 'right', over: 'body' };
    const payload = payloadAtOnce(record.http?.headers ?? [], body, newBodyReport());
    const right = payload !== undefined && payload !== body && same(payload);
    return { field, declared, result: right ? 'right' : 'wrong', over: right ? 'payload' : 'body' };
  });
}

export interface DigestCheck {
  /** Every part of the block, in order. */
  update(bytes: Buffer): void;
  finish(): readonly DigestVerdict[];
}

/** Of a block that streams by: over the block and the body as stored. */
export function createDigestCheck(record: ArchiveRecord): DigestCheck {
  const checks = listDeclared(record).map(({ field, declared, digest }) => ({
    field,
    declared,
    digest,
    hash: digest && createHash(digest.algorithm),
    skip: field === 'WARC-Block-Digest' ? 0 : (record.http?.bodyOffset ?? 0),
  }));
  return {
    update(bytes) {
      for (const check of checks) {
        if (bytes.length > check.skip) check.hash?.update(bytes.subarray(check.skip));
        check.skip = Math.max(0, check.skip - bytes.length);
      }
    },
    finish: () =>
      checks.map(({ field, declared, digest, hash }): DigestVerdict => {
        if (!digest || !hash) return { field, declared, result: 'unknown' };
        return { field, declared, result: isEqual(hash, digest) ? 'right' : 'wrong' };
      }),
  };
}

const isEqual = (hash: Hash, digest: Digest): boolean => hash.digest('hex') === digest.hex;

function listDeclared(record: ArchiveRecord) {
  return FIELDS.flatMap((field) => {
    const declared = record.header(field);
    if (declared === undefined) return [];
    // A revisit's payload is that of another record.
    const checkable = field === 'WARC-Block-Digest' || record.type !== 'revisit';
    return [{ field, declared, digest: checkable ? parseDigest(declared) : undefined }];
  });
}
