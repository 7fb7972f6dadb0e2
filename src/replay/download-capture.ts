/** One capture as a file to keep: bytes without codings, never as something that a browser would run. */
import { surtKey } from '../archive/index.ts';
import { captureSpan, openCapture } from '../archive/items/index.ts';
import type { Viewer } from '../core/access.ts';
import { GarnerError } from '../core/errors.ts';
import type { GarnerStore, StoredCapture } from '../store/index.ts';

export interface CaptureDownload {
  readonly capture: StoredCapture;
  /** Letters, digits and few signs. */
  readonly fileName: string;
  readonly mediaType: string | undefined;
  readonly bytes: AsyncGenerator<Uint8Array>;
}

/** The capture nearest to `time` (digits or ISO date; absent: the newest); `item.unknown` when there is none. */
export async function downloadCapture(
  deps: { readonly store: Pick<GarnerStore, 'captures'>; readonly dataFolder: string },
  asked: { readonly url: string; readonly time?: string | undefined; readonly source?: string | undefined },
  viewer: Viewer,
): Promise<CaptureDownload> {
  const { store, dataFolder } = deps;
  const span = asked.time === undefined ? undefined : captureSpan(asked.time);
  if (asked.time !== undefined && !span)
    throw new GarnerError('request.invalid', 'at: a time of 4 to 14 digits, or an ISO date');
  const capture = await store.captures.findClosest(
    surtKey(asked.url),
    span?.start ?? Number.MAX_SAFE_INTEGER,
    viewer,
    asked.source === undefined ? {} : { sources: [asked.source] },
  );
  if (!capture) throw new GarnerError('item.unknown', `there is no capture of ${asked.url}`);
  const { record } = await openCapture({ captures: store.captures, dataFolder }, capture, viewer);
  return {
    capture,
    fileName: fileNameOf(capture),
    mediaType: capture.mediaType,
    bytes: closing(record.contentStream(), () => record.close()),
  };
}

async function* closing(
  bytes: AsyncGenerator<Uint8Array>,
  close: () => Promise<void>,
): AsyncGenerator<Uint8Array> {
  try {
    yield* bytes;
  } finally {
    await close();
  }
}

function fileNameOf({ url }: StoredCapture): string {
  const last =
    URL.parse(url)
      ?.pathname.split('/')
      .findLast((part) => part !== '') ?? '';
  return (
    last
      .replace(/[^\w.-]+/g, '_')
      .replace(/^\.+/, '')
      .slice(-100) || 'capture'
  );
}
