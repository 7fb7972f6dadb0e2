/** A snapshot as it was asked for: whole, one page of it, or its pages by reference. */
import { identifierOf } from '../../archive/items/index.ts';
import { GarnerError } from '../../core/errors.ts';
import type { MetsParts } from '../../formats/mets/mets-document.ts';
import type { PackageChoice } from '../package-form.ts';
import type { SiteModel } from '../site-model/site-model.ts';
import { type AggregateMember, aggregateParts } from './aggregates.ts';
import { metsUrl, type PackageContext } from './package-context.ts';
import { pageParts } from './page-parts.ts';
import { siteParts, siteTitle } from './site-parts.ts';

export function snapshotParts(
  model: SiteModel,
  context: PackageContext,
  { page: url, pagesApart }: Pick<PackageChoice, 'page' | 'pagesApart'>,
): MetsParts {
  if (url !== undefined) {
    const page = model.findFile(identifierOf(url));
    if (!page) throw new GarnerError('item.unknown', `the snapshot has no page ${url}`);
    return pageParts(model, page, context);
  }
  if (pagesApart !== true) return siteParts(model, context);
  const { publisher, item, createdAt } = context;
  const { startedAt, endedAt = startedAt } = model.facts;
  return aggregateParts(
    {
      url: `${metsUrl(publisher, item)}&pages=apart`,
      title: siteTitle(model, context),
      type: 'harvest',
      genre: 'Web site',
      createdAt,
      ...(startedAt !== undefined &&
        endedAt !== undefined && { captured: { startAt: startedAt, endAt: endedAt } }),
      members: pageMembers(model, context),
    },
    publisher,
  );
}

function* pageMembers(
  model: SiteModel,
  { publisher, item, describePage }: PackageContext,
): Generator<AggregateMember> {
  for (const page of model.pages())
    yield { type: 'web page', label: describePage(page).title, url: metsUrl(publisher, item, page.url) };
}
