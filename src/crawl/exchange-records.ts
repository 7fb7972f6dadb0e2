/** The records of one exchange, and its line in the capture index. */

import { parseMediaType } from '../archive/content/media-type.ts';
import { sha1Base32 } from '../archive/digest.ts';
import {
  type HeaderList,
  headerValue,
  metadataRecord,
  newRecordId,
  REVISIT_PROFILES,
  type RecordContext,
  type RecordDraft,
  requestRecord,
  resourceRecord,
  responseRecord,
  revisitRecord,
  surtKey,
  type ThreadDraft,
  type WrittenRecord,
} from '../archive/index.ts';
import { GarnerError } from '../core/errors.ts';
import type { Instant } from '../core/model.ts';
import type { CaptureEntry } from '../store/captures.ts';
import type { FetchAnswer } from './fetch/answer.ts';
import type { Original } from './prior-capture.ts';
import type { UrlPlace } from './scope/scope.ts';

export interface ExchangeStory {
  readonly url: string;
  readonly via?: string;
  readonly place: UrlPlace;
  readonly answer: FetchAnswer;
  /** The payload is that of this capture, or has not changed since. */
  readonly repeats?: Original;
}

/**
 * Response or revisit first, then the request, which tells how the crawler came there in fields of our own.
 * A metadata record follows only where there is something odd to tell: for most exchanges it would cost more
 * than it says.
 */
export function draftExchange(story: ExchangeStory): readonly ThreadDraft[] {
  const { url, answer, repeats } = story;
  const recordId = newRecordId();
  const context: RecordContext = {
    targetUri: url,
    at: answer.startedAt,
    ...(answer.address !== undefined && { address: answer.address }),
  };
  const own: RecordContext = {
    ...context,
    recordId,
    protocols: answer.protocols,
    ...(answer.truncated && { truncated: answer.truncated }),
  };
  const main = repeats
    ? inMemory(
        revisitRecord(own, answer.responseHead, {
          profile: answer.status === 304 ? REVISIT_PROFILES.notModified : REVISIT_PROFILES.identicalPayload,
          targetUri: repeats.url,
          at: repeats.at,
          ...(repeats.recordId !== undefined && { recordId: repeats.recordId }),
          ...(repeats.digest !== undefined && { payloadDigest: labelled(repeats.digest) }),
        }),
      )
    : draftResponse(own, answer);
  return [
    main,
    inMemory(
      requestRecord(
        { ...context, recordId: newRecordId(), concurrentTo: [recordId], extra: wayOf(story) },
        { head: answer.requestHead },
      ),
    ),
    ...(answer.notes.length === 0
      ? []
      : [
          inMemory(
            metadataRecord(
              { targetUri: url, at: answer.startedAt, concurrentTo: [recordId] },
              answer.notes.map((note) => ['note', note]),
              recordId,
            ),
          ),
        ]),
  ];
}

function draftResponse(context: RecordContext, { responseHead: head, body }: FetchAnswer): ThreadDraft {
  const { bytes = Buffer.alloc(0), path } = body;
  const draft = responseRecord(context, { head, body: bytes });
  return { ...draft, block: path === undefined ? asBuffer(draft.block) : { head, path } };
}

const inMemory = (draft: RecordDraft): ThreadDraft => ({ ...draft, block: asBuffer(draft.block) });

function asBuffer(block: RecordDraft['block']): Buffer {
  if (Buffer.isBuffer(block)) return block;
  throw new GarnerError('internal.bug', 'a block that is a stream cannot go to another thread');
}

const labelled = (digest: string): string => (digest.includes(':') ? digest : `sha1:${digest}`);

/** Other tools pass over these fields (ISO 28500 §4). */
function wayOf({ via, place, answer }: ExchangeStory): HeaderList {
  return [
    ...(via === undefined ? [] : [['Garner-Via', via] as const]),
    ['Garner-Hops', hopsText(place)],
    ['Garner-Fetch-Ms', String(Math.round(answer.durationMs))],
  ];
}

/** One letter for each step, as Heritrix has it: L link, E embedded, R redirect. */
const hopsText = ({ depth, chain, redirects }: UrlPlace): string =>
  'L'.repeat(Math.min(depth, 50)) + 'E'.repeat(chain) + 'R'.repeat(redirects) || 'seed';

export function indexEntry(story: ExchangeStory, written: WrittenRecord): CaptureEntry {
  const { url, answer, repeats } = story;
  const mediaType = parseMediaType(headerValue(answer.headers, 'Content-Type'))?.essence;
  const location = headerValue(answer.headers, 'Location');
  const digest = repeats?.digest ?? answer.body.sha1;
  return {
    urlKey: surtKey(url),
    url,
    at: written.at,
    type: written.type,
    status: answer.status,
    ...(mediaType !== undefined && { mediaType }),
    digest,
    ...(answer.status >= 300 &&
      answer.status < 400 &&
      location !== undefined && { redirect: URL.parse(location, url)?.href ?? location }),
    contentLength: repeats ? 0 : answer.body.size,
    recordId: written.recordId,
    file: written.file,
    offset: written.offset,
    length: written.length,
    ...(repeats && {
      refersTo: {
        url: repeats.url,
        at: repeats.at,
        ...(repeats.recordId !== undefined && { recordId: repeats.recordId }),
      },
    }),
  };
}

/** Something that the crawler made itself: a picture of a page. */
export interface ResourceStory {
  readonly url: string;
  readonly at: Instant;
  readonly mediaType: string;
  readonly body: Buffer;
}

export const draftResource = ({ url, at, mediaType, body }: ResourceStory): ThreadDraft =>
  inMemory(resourceRecord({ targetUri: url, at }, mediaType, body));

export function resourceEntry({ url, mediaType, body }: ResourceStory, written: WrittenRecord): CaptureEntry {
  const { at, type, recordId, file, offset, length } = written;
  const place = { recordId, file, offset, length };
  return {
    urlKey: surtKey(url),
    url,
    at,
    type,
    mediaType,
    digest: sha1Base32(body),
    contentLength: body.length,
    ...place,
  };
}
