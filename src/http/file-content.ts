/** `/items/…?format=content`: a published file itself, as a download. */
import { Readable } from 'node:stream';
import { GarnerError } from '../core/errors.ts';
import { webFile } from '../formats/web-file.ts';
import { readWebFile } from '../publish/folder/index.ts';
import type { StoredItem } from '../store/index.ts';
import type { HttpContext } from './context.ts';
import type { HttpDeps } from './deps.ts';
import { FOREIGN_BYTES_POLICY, matchesTag } from './headers.ts';
import { fileName } from './item-content.ts';

export async function fileResponse(
  c: HttpContext,
  { store, files }: Pick<HttpDeps, 'store' | 'files'>,
  item: StoredItem,
): Promise<Response> {
  const stored = await store.items.findContent(item, { format: webFile.name }, c.get('viewer'));
  const file = stored && item.status === 'live' ? readWebFile(stored.bytes) : undefined;
  if (!file || files?.gives(item.source, file) !== true) throw notGiven();
  const headers = {
    // Never as what it is: a page of the site must not run under this origin.
    'content-type': 'application/octet-stream',
    'content-length': String(file.size),
    'content-disposition': `attachment; filename="${fileName(item.identifier)}"`,
    'content-security-policy': FOREIGN_BYTES_POLICY,
    etag: `"${file.sha256}"`,
  };
  const known = c.req.header('if-none-match');
  if (known !== undefined && matchesTag(known, headers.etag))
    return new Response(null, { status: 304, headers: { etag: headers.etag } });
  if (c.req.method === 'HEAD') return new Response(null, { headers });
  const bytes = await files.open(item.source, file);
  if (!bytes) throw notGiven();
  return c.body(Readable.toWeb(Readable.from(bytes)) as ReadableStream<Uint8Array>, 200, headers);
}

const notGiven = (): GarnerError =>
  new GarnerError('item.unknown', 'the file is not given from here, or is no longer as described');
