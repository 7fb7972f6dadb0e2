/** What was archived of a page or file, without the codings of its transfer. */
import { surtKey } from '../../archive/index.ts';
import { type CaptureAccess, openCapture } from '../../archive/items/index.ts';
import { fileOf } from '../../archive/items/safe-name.ts';
import type { Viewer } from '../../core/access.ts';
import type { FieldValue } from '../../core/model.ts';
import type { GarnerStore, Hit, StoredCapture } from '../../store/index.ts';
import type { ProductForm } from './product.ts';

interface CaptureDeps {
  readonly store: Pick<GarnerStore, 'captures'>;
  /** Of the archive files. */
  readonly dataFolder?: string;
}

/** Undefined when the capture, or its content, is not here. */
export async function captureForm(
  { store: { captures }, dataFolder }: CaptureDeps,
  { source, identifier, fields, updatedAt }: Hit,
  viewer: Viewer,
): Promise<ProductForm | undefined> {
  if (dataFolder === undefined) return undefined;
  const url = textOf(fields.link) ?? identifier;
  const capturedAt = Date.parse(textOf(fields.captured) ?? '');
  const at = Number.isNaN(capturedAt) ? updatedAt : capturedAt;
  const capture = await captures.findClosest(surtKey(url), at, viewer, { sources: [source] });
  if (capture?.file === undefined) return undefined;
  const mediaType = textOf(fields.mediaType) ?? capture.mediaType ?? 'application/octet-stream';
  return {
    fileName: fileOf(url, mediaType),
    mediaType,
    ...(capture.digest !== undefined && { tag: capture.digest.replace(/[^\w-]/g, '') }),
    modifiedAt: capture.at,
    open: () => readContent({ captures, dataFolder }, capture, viewer),
  };
}

const textOf = (values: readonly FieldValue[] = []): string | undefined =>
  values.find((value) => typeof value === 'string');

async function* readContent(
  access: CaptureAccess,
  capture: StoredCapture,
  viewer: Viewer,
): AsyncGenerator<Uint8Array> {
  const { record } = await openCapture(access, capture, viewer);
  try {
    yield* record.contentStream();
  } finally {
    await record.close();
  }
}
