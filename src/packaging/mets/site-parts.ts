/** A harvest as one METS document: all its pages and files, how they belong together, and how they are linked. */
import { itemPath } from '../../core/identifiers.ts';
import type {
  MetsDiv,
  MetsFileGroup,
  MetsHead,
  MetsLink,
  MetsMetadata,
  MetsParts,
} from '../../formats/mets/mets-document.ts';
import { MODS, writePageMods, writeSiteMods } from '../../formats/mods-write.ts';
import { FILE_KINDS, type ModelFile, type ModelLink } from '../site-model/model-types.ts';
import type { SiteModel } from '../site-model/site-model.ts';
import { describeSite, withoutCopied } from './describe-page.ts';
import { fileAdmin, fileEntry } from './file-parts.ts';
import { crawlersOf, harvestAdmin, harvestAdminId } from './harvest-admin.ts';
import { listedUri, metsUrl, type PackageContext, PROFILE } from './package-context.ts';

export function siteParts(model: SiteModel, context: PackageContext): MetsParts {
  return {
    head: packageHead(siteTitle(model, context), 'web site', context.item.identifier, context),
    descriptions: siteDescriptions(model, context),
    admins: siteAdmins(model, context),
    fileGroups: FILE_KINDS.map(
      (use): MetsFileGroup => ({
        use,
        files: map(model.files(use), (file) => fileEntry(file, context)),
      }),
    ),
    structures: [{ type: 'logical', label: 'Pages and links', root: siteDiv(model, context) }],
    links: siteLinks(model, context),
  };
}

export const siteTitle = ({ facts }: SiteModel, { catalogued }: PackageContext): string =>
  catalogued.values.title ?? facts.title;

export function packageHead(
  label: string,
  type: string,
  objectId: string,
  { publisher, item, createdAt, modifiedAt }: Omit<PackageContext, 'ids'>,
  profile: string = PROFILE,
): MetsHead {
  return {
    objectId,
    label,
    type,
    profile,
    created: instantText(createdAt),
    ...(modifiedAt > createdAt && { modified: instantText(modifiedAt) }),
    agents: [
      { role: 'CREATOR', type: 'OTHER', otherType: 'SOFTWARE', name: publisher.software },
      { role: 'CUSTODIAN', type: 'ORGANIZATION', name: publisher.name },
    ],
    documentId: metsUrl(publisher, item),
  };
}

const instantText = (at: number): string => new Date(at).toISOString().replace(/\.\d+Z$/, 'Z');

function* siteDescriptions(model: SiteModel, context: PackageContext): Generator<MetsMetadata> {
  yield siteDescription(model, context);
  for (const page of model.pages()) yield pageDescription(page, context);
}

export function siteDescription(model: SiteModel, context: PackageContext): MetsMetadata {
  const { publisher, item, ids, catalogued, copied } = context;
  const { entryUrl } = model.facts;
  const entry = entryUrl === undefined ? undefined : model.findFile(entryUrl);
  return {
    id: ids.siteDescription,
    type: 'MODS',
    version: MODS.version,
    xml: writeSiteMods({
      ...describeSite(model.facts, entry && withoutCopied(entry, copied), catalogued),
      host: { title: publisher.name, uri: `${publisher.baseUrl}/` },
      archived: publisher.baseUrl + itemPath(item.source, item.identifier),
    }),
  };
}

export const pageDescription = (
  page: ModelFile,
  { ids, describePage, copied }: PackageContext,
): MetsMetadata => ({
  id: ids.of('description', page.url),
  type: 'MODS',
  version: MODS.version,
  xml: writePageMods(describePage(withoutCopied(page, copied))),
});

function* siteAdmins(model: SiteModel, context: PackageContext) {
  yield harvestAdmin(model.facts, context);
  const crawlers = crawlersOf(model.facts);
  for (const file of model.files()) yield fileAdmin(file, context, crawlers);
}

function siteDiv(model: SiteModel, context: PackageContext): MetsDiv {
  const { ids } = context;
  return {
    id: ids.site,
    type: 'web site',
    label: siteTitle(model, context),
    dmdIds: [ids.siteDescription],
    admIds: [harvestAdminId(context)],
    contentIds: [],
    linkLabel: ids.site,
    pointers: [],
    files: [],
    divs: pageDivs(model, context),
  };
}

function* pageDivs(model: SiteModel, context: PackageContext): Generator<MetsDiv> {
  let order = 0;
  for (const page of model.pages())
    yield pageDiv(model, page, context, {
      order: ++order,
      divs: map(linksWithPlace(model, page), (link) => linkDiv(link, context)),
    });
}

const DIV_TYPES: Readonly<Record<string, string>> = { page: 'web page', document: 'document' };

/** The page, and beside it all that it is shown with. */
export function pageDiv(
  model: SiteModel,
  page: ModelFile,
  { ids, describePage }: PackageContext,
  { order, divs }: { readonly order?: number; readonly divs: Iterable<MetsDiv> },
): MetsDiv {
  const id = ids.of('page', page.url);
  const urls = [page.url, ...model.requisitesOf(page).map(({ url }) => url)];
  return {
    id,
    type: DIV_TYPES[page.kind] ?? 'file',
    ...(order !== undefined && { order }),
    label: describePage(page).title,
    dmdIds: [ids.of('description', page.url)],
    admIds: [],
    contentIds: [listedUri(page.url)],
    linkLabel: id,
    pointers: [],
    files: [{ parallel: [...new Set(urls)].map((url) => ({ fileId: ids.of('file', url) })) }],
    divs,
  };
}

/** Only what has a place in the page can be shown in it. */
export function* linksWithPlace(model: SiteModel, page: ModelFile): Generator<ModelLink> {
  for (const link of model.internalLinks(page)) if (link.at !== undefined && link.length) yield link;
}

export function linkDiv(link: ModelLink, { ids }: PackageContext, target?: string): MetsDiv {
  const { page, anchor, url, at = 0, length = 1 } = link;
  const id = ids.link(link);
  return {
    id,
    type: 'hyperlink',
    label: anchor ?? url,
    dmdIds: [],
    admIds: [],
    contentIds: [],
    linkLabel: id,
    pointers: target === undefined ? [] : [{ type: 'URL', href: target }],
    files: [{ area: { fileId: ids.of('file', page), bytes: { first: at, last: at + length - 1 } } }],
    divs: [],
  };
}

function* siteLinks(model: SiteModel, { ids }: PackageContext): Generator<MetsLink> {
  for (const link of model.allInternalLinks()) {
    if (link.at === undefined || !link.length || link.target === undefined) continue;
    yield { from: ids.link(link), to: ids.of('page', link.target), title: link.anchor ?? link.url };
  }
}

function* map<From, To>(values: Iterable<From>, make: (value: From) => To): Generator<To> {
  for (const value of values) yield make(value);
}
