/**
 * ResourceSync (ANSI/NISO Z39.99-2017) over the store: of everything, of a source or of a view, as one viewer
 * may see it. Each document is a window of a harvest list, so it is never stored and never stale.
 */
import type { Viewer } from '../../core/access.ts';
import { GarnerError } from '../../core/errors.ts';
import type { Instant } from '../../core/model.ts';
import { formatOai } from '../../core/time.ts';
import { webCapture } from '../../formats/web-capture.ts';
import type { GarnerStore, HarvestScope } from '../../store/index.ts';
import {
  cutByCalendar,
  cutWindows,
  type MeasuredWindow,
  measureWindow,
  type WantedList,
  type WindowLimits,
} from '../listing/cut-windows.ts';
import { encodeTexts, type ListDocument, newestOf, tagOf, XML_TYPE } from '../listing/document.ts';
import { listRecords } from '../listing/list-records.ts';
import { closedAfter, EVERYTHING, type ListWindow, parseWindow, writeWindow } from '../listing/window.ts';
import { describesFile, writeFile } from './file-content.ts';
import { PACKAGE_TYPE, spanOf, writePackage } from './package.ts';
import { type ResourceTerms, writeResource } from './resource.ts';
import { openDocument, writeEntry, writeLn } from './sync-xml.ts';
import { type CaptureExport, WARC_TYPE, writeWarcPackage } from './warc-package.ts';

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
  /** Records in one package where some are of files, which come with them. */
  readonly packageFiles: number;
  /** URLs in one WARC file. */
  readonly packageCaptures: number;
}

export const SYNC_LIMITS: SyncLimits = {
  entries: 50_000,
  changes: 10_000,
  packageRecords: 10_000,
  packageBytes: 64 * 2 ** 20,
  packageFiles: 1000,
  packageCaptures: 1000,
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
  /** Absent: captures are described only. */
  readonly captures?: CaptureExport | undefined;
}

type Capability = 'resourcelist' | 'resourcedump' | 'changelist' | 'changedump';
const CAPABILITIES: readonly Capability[] = ['resourcelist', 'resourcedump', 'changelist', 'changedump'];
const FILE = /^(resourcelist|resourcedump|changelist|changedump)(?:_([^_]+))?\.(xml|zip|warc\.gz)$/;

const isOfChanges = (capability: Capability): boolean =>
  capability === 'changelist' || capability === 'changedump';

export function createResourceSync(parts: ResourceSyncParts) {
  const { store, terms, limits = SYNC_LIMITS, captures } = parts;
  const { baseUrl } = terms;
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
      hasFiles: terms.files !== undefined && formats.some(describesFile),
      captured:
        captures && formats.includes(webCapture.name)
          ? { harvest, scope: scope.scope, formats: [webCapture.name], viewer }
          : undefined,
    };
    const isDump = kind === 'resourcedump' || kind === 'changedump';
    if (ending === 'zip') return isDump && job.isPart ? openPackage(job) : undefined;
    if (ending === 'warc.gz') return isDump && job.isPart ? openWarc(job) : undefined;
    if (isDump) return job.isPart ? undefined : openDump(job);
    return openList(job);
  }

  interface Job {
    readonly scope: SyncScope;
    readonly kind: Capability;
    readonly window: ListWindow;
    /** Of a larger list. */
    readonly isPart: boolean;
    readonly list: WantedList;
    /** Of files there are two entries, one of the file and one of its record. */
    readonly hasFiles: boolean;
    /** The records of captures, where there are some and they can be given. */
    readonly captured: WantedList | undefined;
  }

  const entryLimit = ({ hasFiles }: Job, entries: number): number =>
    hasFiles ? Math.max(1, Math.floor(entries / 2)) : entries;

  const packageLimits = ({ hasFiles }: Job): WindowLimits => ({
    records: hasFiles ? Math.min(limits.packageRecords, limits.packageFiles) : limits.packageRecords,
    bytes: limits.packageBytes,
  });
  const warcLimits: WindowLimits = { records: limits.packageCaptures };

  const linksOf = ({ scope, kind, isPart }: Job): string[] => [
    writeLn('up', capabilityList(scope)),
    ...(isPart ? [writeLn('index', `${folderOf(scope)}/${kind}.xml`)] : []),
  ];

  /** When it was true, or the time that it is about. */
  const momentOf = ({ kind, window }: Job, completeUntilAt: Instant): Record<string, string> =>
    isOfChanges(kind) ? spanOf(window) : { at: formatOai(completeUntilAt) };

  async function openList(job: Job): Promise<ListDocument> {
    const { kind, list, window, isPart } = job;
    const most = entryLimit(job, kind === 'changelist' && !isPart ? limits.changes : limits.entries);
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
      for await (const resource of listRecords(list, frozen, contentOf)) {
        if (!changes && resource.record.status !== 'live') continue;
        yield writeFile(resource, terms, { changes }) + writeResource(resource, terms, { changes });
      }
      yield '</urlset>\n';
    }
  }

  async function openIndex(job: Job, completeUntilAt: Instant): Promise<ListDocument> {
    const { scope, kind, list, window, isPart } = job;
    const byEntries = { records: entryLimit(job, limits.entries) };
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
    const { kind, list, captured } = job;
    const { completeUntilAt } = await measureWindow(list, EVERYTHING, { records: 1 });
    const cut = async (from: WantedList, most: WindowLimits): Promise<MeasuredWindow[]> => {
      const windows = kind === 'changedump' ? cutByCalendar(from, most) : cutWindows(from, EVERYTHING, most);
      return (await closeParts(windows, kind)).filter(({ extent }) => extent.records > 0);
    };
    const packages = await cut(list, packageLimits(job));
    const archives = captured ? await cut(captured, warcLimits) : [];
    const entries = [
      ...packages.map((part) => writePart(part, 'zip', PACKAGE_TYPE)),
      ...archives.map((part) => writePart(part, 'warc.gz', WARC_TYPE)),
    ];
    const opening = openDocument(
      'urlset',
      { capability: kind, ...momentOf(job, completeUntilAt) },
      linksOf(job),
    );
    return documentOf([...packages, ...archives], kind, () =>
      encodeTexts([opening, ...entries, '</urlset>\n']),
    );

    function writePart(part: MeasuredWindow, ending: string, type: string): string {
      const window = writeWindow(part.window);
      const described = `${folderOf(job.scope)}/${isOfChanges(kind) ? 'changelist' : 'resourcelist'}_${window}.xml`;
      return writeEntry({
        loc: `${folderOf(job.scope)}/${kind}_${window}.${ending}`,
        lastmod: lastmodOf(part),
        md: { type, ...momentOf({ ...job, window: part.window }, completeUntilAt) },
        // A WARC file has no manifest; the records that describe its captures are listed under the same window.
        ...(type === WARC_TYPE && { links: writeLn('describedby', described, 'application/xml') }),
      });
    }
  }

  async function openPackage(job: Job): Promise<ListDocument> {
    const { kind, list, window } = job;
    const extent = await measurePackage(job, list, packageLimits(job));
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

  async function openWarc(job: Job): Promise<ListDocument | undefined> {
    const { kind, captured, window } = job;
    if (!captures || !captured) return undefined;
    const extent = await measurePackage(job, captured, warcLimits);
    const frozen = closedAfter(window, extent.completeUntilAt);
    return {
      ...documentOf([{ window, extent }], `${kind}.warc`, () => writeWarcPackage(captures, captured, frozen)),
      mediaType: WARC_TYPE,
      fileName: `${job.scope.name ?? 'everything'}_${kind}_${writeWindow(window)}.warc.gz`,
    };
  }

  async function measurePackage({ kind, window }: Job, list: WantedList, most: WindowLimits) {
    const extent = await measureWindow(list, window, most);
    if (extent.more)
      throw new GarnerError('request.invalid', `the package is too large; ${kind}.xml lists smaller ones`);
    return extent;
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

/** Of files the record is read, too: it tells their digest and type. */
const contentOf = (format: string): { facts: true; content?: 'raw' } =>
  describesFile(format) ? { facts: true, content: 'raw' } : { facts: true };

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
