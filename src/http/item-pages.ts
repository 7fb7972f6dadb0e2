/** /items/… and /versions/… */
import { z } from '@hono/zod-openapi';
import type { Hono } from 'hono';
import { itemPath } from '../core/identifiers.ts';
import type { ItemRef } from '../core/model.ts';
import { webCapture } from '../formats/web-capture.ts';
import { webSnapshot } from '../formats/web-snapshot.ts';
import { readItemTrust } from '../packaging/curation/item-trust.ts';
import { findPackageForm, packageFormsOf } from '../packaging/package-form.ts';
import type { PortalAssets } from '../portal/assets.ts';
import type { CapturesPart } from '../portal/captures-section.ts';
import { renderItemPage } from '../portal/item-page.ts';
import type { SnapshotPart } from '../portal/snapshot-section.ts';
import { renderVersionsPage } from '../portal/versions-page.ts';
import { listVisits, SnapshotLister } from '../replay/index.ts';
import { chooseMedia } from './accept.ts';
import { contentQuery } from './api-items.ts';
import { validate } from './api-route.ts';
import { CONTENT_PATH } from './cdx-routes.ts';
import { type HttpContext, type HttpEnv, itemOf, signedInAs } from './context.ts';
import type { HttpDeps } from './deps.ts';
import { fileResponse } from './file-content.ts';
import { getReadableItem, ITEM_FORMATS, type ItemFormat, itemResponse } from './item-content.ts';
import { formResponse, formsOf } from './item-forms.ts';
import { ITEM_PREFIXES } from './raw-target.ts';
import { siteFor } from './site.ts';
import { SNAPSHOT_PATH } from './snapshot-routes.ts';

const SIMILAR = 5;
const SHOWN_CAPTURES = 50;

/** Unlike the API's, pages' addresses may carry parameters of others. */
const pageQuery = (forms: readonly string[]) =>
  z.object({
    format: z.enum([...ITEM_FORMATS, 'html', 'content', ...forms]).optional(),
    /** Of the captures of a snapshot. */
    page: z.coerce.number().int().min(1).max(1_000_000).catch(1),
    ...contentQuery,
  });

const FORMAT_OF_MEDIA: Readonly<Record<string, ItemFormat>> = {
  'application/xml': 'raw',
  'text/xml': 'raw',
  'application/json': 'json',
  'application/ld+json': 'jsonld',
};

const isItemFormat = (format: string): format is ItemFormat =>
  (ITEM_FORMATS as readonly string[]).includes(format);

export function addItemPages(app: Hono<HttpEnv>, deps: HttpDeps, assets: PortalAssets): void {
  const { store, formats, forms = [] } = deps;
  const query = pageQuery([...new Set(forms.map(({ prefix }) => prefix))]);
  const captureParts = async (c: HttpContext, item: ItemRef): Promise<CapturesPart> => {
    const visits = await listVisits(store.captures, item, SHOWN_CAPTURES + 1, c.get('viewer'));
    return {
      captures: visits.slice(0, SHOWN_CAPTURES),
      isCut: visits.length > SHOWN_CAPTURES,
      contentPath: deps.dataFolder === undefined ? undefined : CONTENT_PATH,
      archiveOrigin: deps.archiveOrigin,
    };
  };
  const lister = new SnapshotLister(store);
  const snapshotPart = async (
    c: HttpContext,
    item: ItemRef,
    page: number,
  ): Promise<SnapshotPart | undefined> => {
    const listing = await lister.list(item, page, c.get('viewer'));
    if (!listing) return undefined;
    const downloadPath = deps.dataFolder === undefined ? undefined : SNAPSHOT_PATH;
    const tablesPath = deps.sites && ITEM_PREFIXES.apiSiteModel;
    return { ...listing, archiveOrigin: deps.archiveOrigin, downloadPath, tablesPath };
  };
  const formatLabel = (name: string) => formats.list().find((format) => format.name === name)?.label ?? name;

  app.get(`${ITEM_PREFIXES.page}:source/:identifier`, async (c) => {
    const item = await getReadableItem(c, deps, itemOf(c, ITEM_PREFIXES.page));
    const { format: asked, schema, version, page: shown } = validate(query, c.req.query());
    const media = chooseMedia(c.req.header('accept'), [
      'text/html',
      'application/ld+json',
      'application/json',
      'application/xml',
      'text/xml',
    ]);
    const format = asked ?? FORMAT_OF_MEDIA[media] ?? 'html';
    if (isItemFormat(format)) return itemResponse(c, deps, item, format, { schema, version });
    if (format === 'content') return fileResponse(c, deps, item);
    if (format !== 'html') return formResponse(c, deps, item, format);
    const similar =
      item.status === 'live' ? await store.search.listSimilar(item, SIMILAR, c.get('viewer')) : [];
    const captures = item.schema === webCapture.name ? await captureParts(c, item) : undefined;
    const snapshot = item.schema === webSnapshot.name ? await snapshotPart(c, item, shown) : undefined;
    const trust = await readItemTrust(store, item, c.get('viewer'));
    const linked = await deps.links?.of(item, c.get('viewer'));
    const packages = packageFormsOf(deps.packages ?? [], item.records);
    const page = renderItemPage({
      site: siteFor(c, deps, assets),
      item,
      captures,
      snapshot,
      linked,
      trust: trust && {
        ...trust,
        describePath:
          c.get('viewer').role === 'reader'
            ? undefined
            : itemPath(item.source, item.identifier, ITEM_PREFIXES.describe),
      },
      fields: formats.fieldSpecs(),
      formatLabel,
      packages,
      forms: [...new Set(formsOf(deps, item).map(({ prefix }) => prefix))].filter(
        (prefix) => findPackageForm(packages, prefix) === undefined,
      ),
      similar,
      signedInAs: signedInAs(c),
    });
    // A withdrawn item is gone, but its page still tells what it was.
    return c.html(page, item.status === 'live' ? 200 : 410, {
      link: `<${itemPath(item.source, item.identifier)}?format=jsonld>; rel="describedby"; type="application/ld+json"`,
    });
  });

  app.get(`${ITEM_PREFIXES.versions}:source/:identifier`, async (c) => {
    const item = await getReadableItem(c, deps, itemOf(c, ITEM_PREFIXES.versions));
    const versions = await store.items.listHistory(item, c.get('viewer'));
    return c.html(
      renderVersionsPage({
        site: siteFor(c, deps, assets),
        item,
        versions,
        formatLabel,
        packages: packageFormsOf(deps.packages ?? [], item.records).filter(({ mediaType }) =>
          mediaType.includes('xml'),
        ),
        signedInAs: signedInAs(c),
      }),
    );
  });
}
