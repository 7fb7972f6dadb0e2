/** Captures in the formats of mod_oai, as published files have them: http_header and oai_didl of one answer. */
import { createHash } from 'node:crypto';
import { UNPACK_LIMITS } from '../../archive/index.ts';
import { findOwnCapture, type OpenedCapture, openCapture } from '../../archive/items/index.ts';
import type { Viewer } from '../../core/access.ts';
import { asGarnerError } from '../../core/errors.ts';
import { OAI_DIDL } from '../../formats/didl/didl.ts';
import { writeFileDidl } from '../../formats/didl/web-file.ts';
import { toDublinCore } from '../../formats/dublin-core.ts';
import { createJsonExtractor, parseJson } from '../../formats/extract-json.ts';
import {
  HEADER_ORIGIN,
  HTTP_HEADER,
  type HttpHeader,
  presentableHeaders,
  writeHttpHeader,
} from '../../formats/http-header.ts';
import { type WebCapture, webCapture } from '../../formats/web-capture.ts';
import type { GarnerStore } from '../../store/index.ts';
import type { FormRecord, ItemForm } from '../oai/item-form.ts';

export interface CaptureFormDeps {
  readonly store: Pick<GarnerStore, 'captures'>;
  readonly dataFolder: string;
  /** Larger answers are carried by their address only. */
  readonly maxValueBytes: number;
}

const LIMITS = { ...UNPACK_LIMITS, maxBytes: Number.MAX_SAFE_INTEGER };

export function createCaptureForms(deps: CaptureFormDeps): readonly ItemForm[] {
  const extract = createJsonExtractor(webCapture);
  const base = { madeOf: webCapture.name, content: 'raw' } as const;
  const open = (record: FormRecord, viewer: Viewer) => openOwn(deps, record, viewer);
  return [
    {
      ...HTTP_HEADER,
      ...base,
      fits: isOfAnswer,
      render: async (record, viewer) => {
        const opened = await open(record, viewer);
        await opened?.record.close();
        return writeHttpHeader(headersOf(captureIn(record), opened));
      },
    },
    {
      ...OAI_DIDL,
      ...base,
      fits: isOfAnswer,
      render: async (record, viewer) => {
        const capture = captureIn(record);
        const opened = await open(record, viewer);
        const content = opened && (await readContent(opened, deps.maxValueBytes));
        const { mediaType = capture.added.contentType ?? 'application/octet-stream' } = capture.described;
        return writeFileDidl({
          url: capture.url,
          mediaType,
          fixity: content && { size: content.size, sha256: content.sha256 },
          ...(content?.bytes && { bytes: one(content.bytes) }),
          // The content is given without its codings.
          headers: headersOf(capture, opened).filter(([name]) => !/^content-encoding$/i.test(name)),
          dublinCore: toDublinCore(webCapture, extract(capture).fields),
          reference: true,
        });
      },
    },
  ];
}

const captureIn = ({ bytes }: FormRecord): WebCapture => parseJson(bytes) as WebCapture;

/** Not of what came without an HTTP message (`dns:`, `file:` …). */
const isOfAnswer = (record: FormRecord): boolean => captureIn(record).added.status !== undefined;

/** Undefined when the archive file is not here any more, or cannot be read. */
async function openOwn(
  { store, dataFolder }: CaptureFormDeps,
  record: FormRecord,
  viewer: Viewer,
): Promise<OpenedCapture | undefined> {
  const capture = await findOwnCapture(store, record.source, captureIn(record), viewer);
  if (!capture) return undefined;
  try {
    return await openCapture({ captures: store.captures, dataFolder }, capture, viewer);
  } catch (thrown) {
    if (!isUnreadable(thrown)) throw thrown;
    return undefined;
  }
}

interface ReadContent {
  readonly size: number;
  /** Hex. */
  readonly sha256: string;
  /** Absent when there are too many. */
  readonly bytes?: Uint8Array | undefined;
}

async function readContent({ record }: OpenedCapture, maxBytes: number): Promise<ReadContent | undefined> {
  const digest = createHash('sha256');
  let held: Uint8Array[] | undefined = [];
  let size = 0;
  try {
    for await (const piece of record.contentStream(LIMITS)) {
      digest.update(piece);
      size += piece.length;
      if (size > maxBytes) held = undefined;
      held?.push(Buffer.from(piece));
    }
    return { size, sha256: digest.digest('hex'), bytes: held && Buffer.concat(held) };
  } catch (thrown) {
    if (!isUnreadable(thrown)) throw thrown;
    return undefined;
  } finally {
    await record.close();
  }
}

const isUnreadable = (thrown: unknown): boolean => /^(?:archive|source)\./.test(asGarnerError(thrown).code);

function headersOf({ added }: WebCapture, opened: OpenedCapture | undefined): HttpHeader[] {
  if (opened?.http) return [...presentableHeaders(opened.http.headers), [HEADER_ORIGIN, 'archived']];
  return [
    ...(added.contentType === undefined ? [] : ([['Content-Type', added.contentType]] as const)),
    ...(added.contentLength === undefined
      ? []
      : ([['Content-Length', String(added.contentLength)]] as const)),
    [HEADER_ORIGIN, 'computed'],
  ];
}

async function* one(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes;
}
