/** One page of a harvest as a METS document of its own: the leaf of a site that is described page by page. */
import type { MetsLink, MetsParts } from '../../formats/mets/mets-document.ts';
import type { ModelFile } from '../site-model/model-types.ts';
import type { SiteModel } from '../site-model/site-model.ts';
import { fileAdmin, fileEntry } from './file-parts.ts';
import { crawlersOf } from './harvest-admin.ts';
import { metsUrl, type PackageContext } from './package-context.ts';
import { linkDiv, linksWithPlace, packageHead, pageDescription, pageDiv } from './site-parts.ts';

/** `leafUrl`: where the METS of another page is; absent: links to others are left out. */
export function pageParts(
  model: SiteModel,
  page: ModelFile,
  context: PackageContext,
  leafUrl: (url: string) => string = (url) => metsUrl(context.publisher, context.item, url),
): MetsParts {
  const { ids } = context;
  const shown = [page, ...[...model.filesOf(page)].filter(({ kind }) => kind !== 'error')];
  const groups = Map.groupBy(shown, ({ kind }) => kind);
  const links = [...linksWithPlace(model, page)];
  const crawlers = crawlersOf(model.facts);
  const head = packageHead(context.describePage(page).title, 'web page', page.url, context);
  return {
    head: { ...head, documentId: leafUrl(page.url) },
    descriptions: [pageDescription(page, context)],
    admins: shown.map((file) => fileAdmin(file, context, crawlers)),
    fileGroups: Array.from(groups, ([use, files]) => ({
      use,
      files: files.map((file) => fileEntry(file, context)),
    })),
    structures: [
      {
        type: 'logical',
        label: 'Page and links',
        root: pageDiv(model, page, context, {
          divs: links.map((link) =>
            linkDiv(link, context, link.target === page.url ? undefined : leafUrl(link.target ?? link.url)),
          ),
        }),
      },
    ],
    // Of links to other pages the division itself points to their documents.
    links: links.flatMap((link): MetsLink[] =>
      link.target === page.url
        ? [{ from: ids.link(link), to: ids.of('page', page.url), title: link.anchor ?? link.url }]
        : [],
    ),
  };
}
