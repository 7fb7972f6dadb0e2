/** What pages know of the site, as one reader may see it. */
import { mayRead } from '../core/access-match.ts';
import type { PortalAssets } from '../portal/assets.ts';
import type { Site } from '../portal/page.ts';
import type { HttpContext } from './context.ts';
import type { HttpDeps } from './deps.ts';
import { readableOf } from './readable.ts';

export function siteFor(
  c: HttpContext,
  { repository, version, formats, sources, views, topics, elements, federation }: HttpDeps,
  assets: PortalAssets,
): Site {
  const viewer = c.get('viewer');
  return {
    ...repository,
    version,
    fieldLabels: Object.fromEntries(formats.fieldSpecs().map(({ name, label }) => [name, label])),
    styleHref: assets.style.href,
    scriptHref: assets.script.href,
    sources: readableOf(sources, viewer),
    views: readableOf(views, viewer),
    topics: topics !== undefined && mayRead(topics.access, viewer),
    elements: elements !== undefined && mayRead(elements.access, viewer),
    guided: federation?.guided !== undefined,
  };
}
