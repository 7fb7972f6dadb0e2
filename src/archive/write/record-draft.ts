/** Records before they are written: WARC 1.1 (ISO 28500:2017), made by one function per type. */
import { randomUUID } from 'node:crypto';
import type { Instant } from '../../core/model.ts';
import type { HeaderList } from '../read/header-list.ts';

export type BlockSource = Buffer | AsyncIterable<Uint8Array>;

export interface RecordDraft {
  readonly type: WarcType;
  /** `<urn:uuid:…>`. */
  readonly recordId: string;
  readonly at: Instant;
  /** The named fields of its type, in order; digests and lengths are added by the writer. */
  readonly fields: HeaderList;
  readonly contentType?: string;
  readonly block: BlockSource;
  /** Where in the block the payload begins; absent when the record has none of its own. */
  readonly payloadOffset?: number;
}

export type WarcType =
  | 'warcinfo'
  | 'request'
  | 'response'
  | 'metadata'
  | 'resource'
  | 'revisit'
  | 'conversion';

/** ISO 28500:2017 §6.7. */
export const REVISIT_PROFILES = {
  identicalPayload: 'http://netpreserve.org/warc/1.1/revisit/identical-payload-digest',
  notModified: 'http://netpreserve.org/warc/1.1/revisit/server-not-modified',
} as const;

export const newRecordId = (): string => `<urn:uuid:${randomUUID()}>`;

/** What may be said of any record that belongs to a URL. */
export interface RecordContext {
  readonly targetUri: string;
  readonly at: Instant;
  readonly recordId?: string;
  readonly address?: string;
  /** Records of the same exchange. */
  readonly concurrentTo?: readonly string[];
  readonly warcinfoId?: string;
  /** `h2`, `tls/1.3`: how it came, when the stored HTTP header was put together from another form. */
  readonly protocols?: readonly string[];
  /** `length`, `time`, `disconnect` or `unspecified`: why the block is not all there was. */
  readonly truncated?: string;
  readonly extra?: HeaderList;
}

function contextFields(context: RecordContext): [string, string][] {
  const fields: [string, string][] = [['WARC-Target-URI', context.targetUri]];
  if (context.address !== undefined) fields.push(['WARC-IP-Address', context.address]);
  for (const id of context.concurrentTo ?? []) fields.push(['WARC-Concurrent-To', id]);
  for (const protocol of context.protocols ?? []) fields.push(['WARC-Protocol', protocol]);
  if (context.warcinfoId !== undefined) fields.push(['WARC-Warcinfo-ID', context.warcinfoId]);
  if (context.truncated !== undefined) fields.push(['WARC-Truncated', context.truncated]);
  return [...fields, ...(context.extra ?? []).map(([name, value]): [string, string] => [name, value])];
}

/** The header section of an HTTP message, ended by its empty line. */
export function writeHttpHead(startLine: string, headers: HeaderList): Buffer {
  const lines = headers.map(([name, value]) => (name === '' ? value : `${name}: ${value}`));
  return Buffer.from(`${[startLine, ...lines].join('\r\n')}\r\n\r\n`, 'latin1');
}

function draft(
  type: WarcType,
  context: RecordContext,
  rest: Omit<RecordDraft, 'type' | 'recordId' | 'at'>,
): RecordDraft {
  return { type, recordId: context.recordId ?? newRecordId(), at: context.at, ...rest };
}

/** An HTTP message as block: head and body, one after the other. */
function messageBlock(head: Buffer, body: BlockSource): BlockSource {
  if (Buffer.isBuffer(body)) return body.length === 0 ? head : Buffer.concat([head, body]);
  return (async function* () {
    yield head;
    yield* body;
  })();
}

export function responseRecord(
  context: RecordContext,
  message: { head: Buffer; body: BlockSource },
): RecordDraft {
  return draft('response', context, {
    fields: contextFields(context),
    contentType: 'application/http; msgtype=response',
    block: messageBlock(message.head, message.body),
    payloadOffset: message.head.length,
  });
}

export function requestRecord(
  context: RecordContext,
  message: { head: Buffer; body?: BlockSource },
): RecordDraft {
  return draft('request', context, {
    fields: contextFields(context),
    contentType: 'application/http; msgtype=request',
    block: messageBlock(message.head, message.body ?? Buffer.alloc(0)),
    payloadOffset: message.head.length,
  });
}

export function resourceRecord(context: RecordContext, mediaType: string, body: BlockSource): RecordDraft {
  return draft('resource', context, {
    fields: contextFields(context),
    contentType: mediaType,
    block: body,
    payloadOffset: 0,
  });
}

/** `refersTo`: the record that is described; `fields` are written as `application/warc-fields`. */
export function metadataRecord(context: RecordContext, fields: HeaderList, refersTo?: string): RecordDraft {
  return draft('metadata', context, {
    fields: [
      ...contextFields(context),
      ...(refersTo === undefined ? [] : [['WARC-Refers-To', refersTo] as const]),
    ],
    contentType: 'application/warc-fields',
    block: writeWarcFields(fields),
  });
}

export interface RevisitOf {
  readonly profile: (typeof REVISIT_PROFILES)[keyof typeof REVISIT_PROFILES];
  readonly recordId?: string;
  readonly targetUri: string;
  readonly at: Instant;
  /** Of the payload that is not repeated, with its label. */
  readonly payloadDigest?: string;
}

/** The block is the new answer's header, without a body. */
export function revisitRecord(context: RecordContext, head: Buffer, of: RevisitOf): RecordDraft {
  const fields = contextFields(context);
  fields.push(['WARC-Profile', of.profile]);
  if (of.recordId !== undefined) fields.push(['WARC-Refers-To', of.recordId]);
  fields.push(['WARC-Refers-To-Target-URI', of.targetUri], ['WARC-Refers-To-Date', writeWarcDate(of.at)]);
  if (of.payloadDigest !== undefined) fields.push(['WARC-Payload-Digest', of.payloadDigest]);
  return draft('revisit', context, {
    fields,
    contentType: 'application/http; msgtype=response',
    block: head,
  });
}

/** First in every file, and about all that follow. */
export function warcinfoRecord(at: Instant, filename: string, fields: HeaderList): RecordDraft {
  return {
    type: 'warcinfo',
    recordId: newRecordId(),
    at,
    fields: [['WARC-Filename', filename]],
    contentType: 'application/warc-fields',
    block: writeWarcFields(fields),
  };
}

const writeWarcFields = (fields: HeaderList): Buffer =>
  Buffer.from(fields.map(([name, value]) => `${name}: ${oneLine(value)}\r\n`).join(''));

/** WARC 1.1 allows fractions of a second; whole seconds are written without. */
export function writeWarcDate(at: Instant): string {
  return new Date(at).toISOString().replace('.000Z', 'Z');
}

/** A value that came from outside must not start a header line of its own. */
export const oneLine = (value: string): string => value.replace(/[\r\n]+/g, ' ');
