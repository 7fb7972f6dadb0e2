/** /packages/…: an item as an information package, and the content that the references in packages lead to. */
import { Readable } from 'node:stream';
import type { Hono } from 'hono';
import { GarnerError } from '../core/errors.ts';
import type { Instant } from '../core/model.ts';
import { dateSpan } from '../core/time.ts';
import { findPackedDirectory } from '../packaging/didl/find-directory.ts';
import { PACKED_TYPE } from '../packaging/didl/pack-directory.ts';
import { findPackageForm, type PackageForm, packageFormsOf } from '../packaging/package-form.ts';
import type { SiteModels } from '../packaging/site-model/site-models.ts';
import { readSnapshot } from '../packaging/snapshot/read-snapshot.ts';
import { type HttpContext, type HttpEnv, itemOf } from './context.ts';
import type { HttpDeps } from './deps.ts';
import { FOREIGN_BYTES_POLICY, openToReaders } from './headers.ts';
import { fileName, getReadableItem } from './item-content.ts';
import { ITEM_PREFIXES } from './raw-target.ts';

export interface PackageRoutes {
  readonly forms: readonly PackageForm[];
  readonly models: SiteModels;
  readonly dataFolder: string;
}

export function addPackageRoutes(
  app: Hono<HttpEnv>,
  deps: HttpDeps,
  { forms, dataFolder, models }: PackageRoutes,
): void {
  const { store } = deps;
  app.use(`${ITEM_PREFIXES.package}*`, openToReaders);
  app.get(`${ITEM_PREFIXES.package}:source/:identifier`, async (c) => {
    const item = await getReadableItem(c, deps, itemOf(c, ITEM_PREFIXES.package));
    const { url, at, format, version, page, pages } = c.req.query();
    const viewer = c.get('viewer');
    if (url !== undefined) {
      if (at === undefined) throw new GarnerError('request.invalid', 'at: the moment of the capture');
      const snapshot = await readSnapshot(store, item, { version: readVersion(version) }, viewer);
      const packed = await findPackedDirectory({ store, dataFolder, models }, snapshot, { url, at }, viewer);
      return download(c, packed.open(), {
        type: PACKED_TYPE,
        name: `${fileName(url)}.tar.gz`,
        headers: {
          'content-length': String(packed.size),
          'repr-digest': `sha-256=:${Buffer.from(packed.sha256, 'hex').toString('base64')}:`,
        },
      });
    }
    const offered = packageFormsOf(forms, item.records);
    const form = format === undefined ? offered[0] : findPackageForm(offered, format);
    if (!form)
      throw new GarnerError(
        'request.invalid',
        `format: the item can be had as ${offered.map(({ name }) => name).join(', ') || 'no package'}`,
      );
    if (pages !== undefined && pages !== 'apart')
      throw new GarnerError('request.invalid', 'pages: "apart", or not at all');
    const bytes = await form.write(
      item,
      { version: readVersion(version), at: readInstant(at), page, pagesApart: pages === 'apart' },
      viewer,
    );
    return download(c, bytes, {
      type: form.mediaType,
      name: `${fileName(item.identifier)}${form.extension}`,
      headers: {},
    });
  });
}

function readVersion(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  if (!/^[1-9]\d{0,8}$/.test(text)) throw new GarnerError('request.invalid', 'version: a number from 1');
  return Number(text);
}

/** A whole day means: as it was at the end of that day. */
function readInstant(text: string | undefined): Instant | undefined {
  const span = text === undefined ? undefined : dateSpan(text);
  if (text !== undefined && !span)
    throw new GarnerError('request.invalid', 'at: a date such as 2026-11-15 or 2026-11-15T06:00:00Z');
  return span && span.endAt - 1;
}

/** Content of others never runs under this origin. */
function download(
  c: HttpContext,
  bytes: AsyncIterable<string | Uint8Array>,
  { type, name, headers }: { type: string; name: string; headers: Record<string, string> },
): Response {
  const body = Readable.toWeb(Readable.from(bytes, { objectMode: false })) as ReadableStream<Uint8Array>;
  return c.body(body, 200, {
    ...headers,
    'content-type': type,
    'content-disposition': `attachment; filename="${name}"`,
    'content-security-policy': FOREIGN_BYTES_POLICY,
  });
}
