/**
 * ResourceSync (ANSI/NISO Z39.99-2017) over the store: of everything, of a source or of a view, as one viewer
 * may see it. Each document is a window of a harvest list, so it is never stored and never stale.
 */
import type { Viewer } from '../../core/access.ts';
import { GarnerError } from '../../core/errors.ts';
import type { Instant } from '../../core/model.ts';
import { formatOai } from '../../core/time.ts';
import type { GarnerStore, HarvestScope } from '../../store/index.ts';
import { cutByCalendar, cutWindows, type MeasuredWindow, measureWindow } from '../listing/cut-windows.ts';
import { encodeTexts, type ListDocument, newestOf, tagOf, XML_TYPE } from '../listing/document.ts';
import { listRecords } from '../listing/list-records.ts';
import { closedAfter, EVERYTHING, type ListWindow, parseWindow, writeWindow } from '../listing/window.ts';
import { PACKAGE_TYPE, spanOf, writePackage } from './package.ts';
import { type ResourceTerms, writeResource } from './resource.ts';
import { openDocument, writeEntry, writeLn } from './sync-xml.ts';

export interface SyncLimits {
  /** Entries of one list; the sitemap protocol allows no more than 50,000. */
  readonly entries: number;
  /**
   * While there are no more changes than this, they stand in one list, which every client can read: the
   * Python one, 2.0.1, does not know indexes of changes.
   */
  readonly changes: number;
  /** Of one package of a dump. */
  readonly packageRecords: number;
  readonly packageBytes: number;
}

export const SYNC_LIMITS: SyncLimits = {
  entries: 50_000,
  changes: 10_000,
  packageRecords: 10_000,
  packageBytes: 64 * 2 ** 20,
};

export const SOURCE_DESCRIPTION = '/.well-known/resourcesync';

/** What a capability list is of. */
export interface SyncScope {
  /** Of a source or a view; absent: everything. */
  readonly name?: string;
  readonly scope: Omit<HarvestScope, 'set'>;
  /** A page about it, for people; a path. */
  readonly page: string;
}

export interface ResourceSyncParts {
  readonly store: Pick<GarnerStore, 'harvest'>;
  readonly terms: ResourceTerms;
  readonly limits?: SyncLimits;
}

type Capability = 'resourcelist' | 'resourcedump' | 'changelist' | 'changedump';
const CAPABILITIES: readonly Capability[] = ['resourcelist', 'resourcedump', 'changelist', 'changedump'];
const FILE = /^(resourcelist|resourcedump|changelist|changedump)(?:_([^_]+))?\.(xml|zip)$/;

const isOfChanges = (capability: Capability): boolean =>
  capability === 'changelist' || capability === 'changedump';

export function createResourceSync({ store, terms, limits = SYNC_LIMITS }: ResourceSyncParts) {
  const { baseUrl } = terms;
  const packageLimits = { records: limits.packageRecords, bytes: limits.packageBytes };
  const folderOf = ({ name }: SyncScope): string =>
    `${baseUrl}/resourcesync${name === undefined ? '' : `/${name}`}`;
  const capabilityList = (scope: SyncScope): string => `${folderOf(scope)}/capabilitylist.xml`;

  /** The source description: everything first. */
  function describe(scopes: readonly SyncScope[]): string {
    const about = writeLn('describedby', `${baseUrl}/`, 'text/html');
    const entries = scopes.map((scope) =>
      writeEntry({
        loc: capabilityList(scope),
        md: { capability: 'capabilitylist' },
        links: writeLn('describedby', baseUrl + scope.page, 'text/html'),
      }),
    );
    return `${openDocument('urlset', { capability: 'description' }, [about])}${entries.join('')}</urlset>\n`;
  }

  function listCapabilities(scope: SyncScope): string {
    const links = [
      writeLn('describedby', baseUrl + scope.page, 'text/html'),
      writeLn('up', baseUrl + SOURCE_DESCRIPTION),
    ];
    const entries = CAPABILITIES.map((capability) =>
      writeEntry({ loc: `${folderOf(scope)}/${capability}.xml`, md: { capability } }),
    );
    return `${openDocument('urlset', { capability: 'capabilitylist' }, links)}${entries.join('')}</urlset>\n`;
  }

  /** A list, dump or package by the name of its file; undefined when there is none of that name. */
  async function open(scope: SyncScope, file: string, viewer: Viewer): Promise<ListDocument | undefined> {
    const [, capability, windowText, ending] = FILE.exec(file) ?? [];
    const kind = CAPABILITIES.find((one) => one === capability);
    const window = windowText === undefined ? EVERYTHING : parseWindow(windowText);
    if (!kind || !window) return undefined;
    const { harvest } = store;
    const formats = await harvest.listFormats(scope.scope, viewer);
    const job: Job = {
      scope,
      kind,
      window,
      isPart: windowText !== undefined,
      list: { harvest, scope: scope.scope, formats, viewer },
    };
    const isDump = kind === 'resourcedump' || kind === 'changedump';
    if (ending === 'zip') return isDump && job.isPart ? openPackage(job) : undefined;
    if (isDump) return job.isPart ? undefined : openDump(job);
    return openList(job);
  }

  interface Job {
    readonly scope: SyncScope;
    readonly kind: Capability;
    readonly window: ListWindow;
    /** Of a larger list. */
    readonly isPart: boolean;
    readonly list: Parameters<typeof measureWindow>[0];
  }

  const linksOf = ({ scope, kind, isPart }: Job): string[] => [
    writeLn('up', capabilityList(scope)),
    ...(isPart ? [writeLn('index', `${folderOf(scope)}/${kind}.xml`)] : []),
  ];

  /** When it was true, or the time that it is about. */
  const momentOf = ({ kind, window }: Job, completeUntilAt: Instant): Record<string, string> =>
    isOfChanges(kind) ? spanOf(window) : { at: formatOai(completeUntilAt) };

  async function openList(job: Job): Promise<ListDocument> {
    const { kind, list, window, isPart } = job;
    const most = kind === 'changelist' && !isPart ? limits.changes : limits.entries;
    const extent = await measureWindow(list, window, { records: most });
    if (extent.more) return openIndex(job, extent.completeUntilAt);
    const changes = isOfChanges(kind);
    const opening = openDocument(
      'urlset',
      { capability: kind, ...momentOf(job, extent.completeUntilAt) },
      linksOf(job),
    );
    // A record that changes while the list is written would else stand in it twice.
    const frozen = closedAfter(window, extent.completeUntilAt);
    return documentOf([{ window, extent }], kind, () => encodeTexts(write()));

    async function* write(): AsyncGenerator<string> {
      yield opening;
      for await (const resource of listRecords(list, frozen, { facts: true }))
        if (changes || resource.record.status === 'live') yield writeResource(resource, terms, { changes });
      yield '</urlset>\n';
    }
  }

  async function openIndex(job: Job, completeUntilAt: Instant): Promise<ListDocument> {
    const { scope, kind, list, window, isPart } = job;
    const byEntries = { records: limits.entries };
    const cut =
      kind === 'changelist' && !isPart ? cutByCalendar(list, byEntries) : cutWindows(list, window, byEntries);
    const parts = await closeParts(cut, kind);
    const entries = parts.map((part) =>
      writeEntry(
        {
          loc: `${folderOf(scope)}/${kind}_${writeWindow(part.window)}.xml`,
          lastmod: lastmodOf(part),
          md: momentOf({ ...job, window: part.window }, completeUntilAt),
        },
        'sitemap',
      ),
    );
    const opening = openDocument(
      'sitemapindex',
      { capability: kind, ...momentOf(job, completeUntilAt) },
      linksOf(job),
    );
    return documentOf(parts, kind, () => encodeTexts([opening, ...entries, '</sitemapindex>\n']));
  }

  async function openDump(job: Job): Promise<ListDocument> {
    const { scope, kind, list } = job;
    const cut =
      kind === 'changedump'
        ? cutByCalendar(list, packageLimits)
        : cutWindows(list, EVERYTHING, packageLimits);
    const packages = (await closeParts(cut, kind)).filter(({ extent }) => extent.records > 0);
    const { completeUntilAt } = await measureWindow(list, EVERYTHING, { records: 1 });
    const entries = packages.map((part) =>
      writeEntry({
        loc: `${folderOf(scope)}/${kind}_${writeWindow(part.window)}.zip`,
        lastmod: lastmodOf(part),
        md: { type: PACKAGE_TYPE, ...momentOf({ ...job, window: part.window }, completeUntilAt) },
      }),
    );
    const opening = openDocument(
      'urlset',
      { capability: kind, ...momentOf(job, completeUntilAt) },
      linksOf(job),
    );
    return documentOf(packages, kind, () => encodeTexts([opening, ...entries, '</urlset>\n']));
  }

  async function openPackage(job: Job): Promise<ListDocument> {
    const { kind, list, window } = job;
    const extent = await measureWindow(list, window, packageLimits);
    if (extent.more)
      throw new GarnerError('request.invalid', `the package is too large; ${kind}.xml lists smaller ones`);
    const frozen = closedAfter(window, extent.completeUntilAt);
    const moment = momentOf({ ...job, window: frozen }, extent.completeUntilAt);
    const pieces = () =>
      writePackage({
        list,
        window: frozen,
        terms,
        changes: isOfChanges(kind),
        opening: openDocument('urlset', { capability: `${kind}-manifest`, ...moment }, [
          writeLn('up', capabilityList(job.scope)),
        ]),
      });
    return {
      ...documentOf([{ window, extent }], `${kind}.zip`, pieces),
      mediaType: PACKAGE_TYPE,
      fileName: `${job.scope.name ?? 'everything'}_${kind}_${writeWindow(window)}.zip`,
    };
  }

  function documentOf(
    windows: readonly MeasuredWindow[],
    kind: string,
    pieces: ListDocument['pieces'],
  ): ListDocument {
    const lastModifiedAt = newestOf(windows);
    return {
      mediaType: XML_TYPE,
      etag: tagOf(windows, kind, baseUrl),
      ...(lastModifiedAt !== undefined && { lastModifiedAt }),
      pieces,
    };
  }

  return { describe, listCapabilities, open };
}

const lastmodOf = ({ extent }: MeasuredWindow): string | undefined =>
  extent.last && formatOai(extent.last.datestampAt);

/**
 * All parts. Those of a list of resources end with what there is now, so that nothing that changes while
 * they are fetched stands in two of them; the change list tells of it.
 */
async function closeParts(cut: AsyncIterable<MeasuredWindow>, kind: Capability): Promise<MeasuredWindow[]> {
  const parts: MeasuredWindow[] = [];
  for await (const { window, extent } of cut) {
    const { last } = extent;
    parts.push({
      window: isOfChanges(kind) || !last ? window : closedAfter(window, last.datestampAt),
      extent,
    });
  }
  return parts;
}
