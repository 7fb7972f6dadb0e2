/** A capture as a directory: the page, and what it needs to be seen as near to it in time as there is. */
import { CONTENT_LIMITS, isRequisite, readContent } from '../../archive/content/index.ts';
import { surtKey, UNPACK_LIMITS } from '../../archive/index.ts';
import { type CaptureAccess, openCapture } from '../../archive/items/index.ts';
import { fileOf } from '../../archive/items/safe-name.ts';
import type { Viewer } from '../../core/access.ts';
import { asGarnerError } from '../../core/errors.ts';
import type { CaptureIndex, StoredCapture } from '../../store/index.ts';

export interface DirectoryFile {
  readonly name: string;
  /** As the page has it: the capture's own may differ in letter case or a trailing slash. */
  readonly url: string;
  readonly capture: StoredCapture;
}

export interface PageDirectory {
  /** The page itself first. */
  readonly files: readonly DirectoryFile[];
  /** What the page wants and the archive has not. */
  readonly missing: readonly string[];
}

export interface DirectoryDeps extends CaptureAccess {
  readonly captures: Pick<CaptureIndex, 'resolveRevisit' | 'findClosest'>;
}

/** A style sheet may import another one, a frame may have images of its own. */
const MAX_DEPTH = 3;
const MAX_FILES = 1000;
/** Content that names what it is to be shown with. */
export const MAY_EMBED = /^(?:text\/(?:html|css)|application\/xhtml\+xml|image\/svg\+xml)$/;

export async function buildDirectory(
  deps: DirectoryDeps,
  page: StoredCapture,
  viewer: Viewer,
): Promise<PageDirectory> {
  const files = new Map<string, DirectoryFile>();
  const missing = new Set<string>();
  const gather = async (capture: StoredCapture, url: string, depth: number): Promise<void> => {
    files.set(url, { name: fileOf(url, capture.mediaType), url, capture });
    if (depth >= MAX_DEPTH) return;
    for (const wanted of await listRequisites(deps, capture, viewer)) {
      if (files.has(wanted) || missing.has(wanted) || files.size + missing.size >= MAX_FILES) continue;
      const found = await deps.captures.findClosest(surtKey(wanted), page.at, viewer, {
        sources: [page.source],
      });
      if (found?.file !== undefined) await gather(found, wanted, depth + 1);
      else missing.add(wanted);
    }
  };
  await gather(page, page.url, 0);
  return { files: [...files.values()], missing: [...missing] };
}

async function listRequisites(
  deps: DirectoryDeps,
  capture: StoredCapture,
  viewer: Viewer,
): Promise<ReadonlySet<string>> {
  const isLarge = (capture.contentLength ?? 0) > CONTENT_LIMITS.bytes;
  if (capture.file === undefined || isLarge || !MAY_EMBED.test(capture.mediaType ?? '')) return new Set();
  try {
    const { record, http } = await openCapture(deps, capture, viewer);
    try {
      const { bytes } = await record.content({ ...UNPACK_LIMITS, maxBytes: CONTENT_LIMITS.bytes });
      const { links } = await readContent(
        { url: capture.url, bytes, headers: http?.headers ?? [] },
        { linksOnly: true },
      );
      return new Set(links.filter(isRequisite).map(({ url }) => url));
    } finally {
      await record.close();
    }
  } catch (thrown) {
    // What cannot be unpacked or is damaged is shown alone.
    if (/^(?:archive|source)\./.test(asGarnerError(thrown).code)) return new Set();
    throw thrown;
  }
}
