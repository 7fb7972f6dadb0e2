/** What the HTTP edge needs of the rest; put together in the composition root. */
import type { AccessRule, Role } from '../core/access.ts';
import type { Config } from '../core/config.ts';
import type { Log } from '../core/log.ts';
import type { Clock } from '../core/time.ts';
import type { ProductServer } from '../federate/servers/product-server.ts';
import type { Authorities } from '../formats/catalogued.ts';
import type { FormatRegistry } from '../formats/registry.ts';
import type { Publisher } from '../packaging/mets/package-context.ts';
import type { PackageForm } from '../packaging/package-form.ts';
import type { SnapshotLinks } from '../packaging/records/snapshot-links.ts';
import type { SiteModels } from '../packaging/site-model/site-models.ts';
import type { FileContents } from '../publish/folder/index.ts';
import type { ItemForm } from '../publish/index.ts';
import type { SyncLimits } from '../publish/resourcesync/provider.ts';
import type { FieldCatalogue } from '../query/catalogue.ts';
import type { GarnerStore } from '../store/index.ts';
import type { QualityReports } from '../workflow/quality/index.ts';
import type { RunLogs } from '../workflow/run-logs.ts';
import type { PushRoutesDeps } from './api-push.ts';
import type { VocabularyRoutesDeps } from './dictionary-pages.ts';
import type { FederationDeps } from './prof-routes.ts';
import type { TopicRoutesDeps } from './topic-pages.ts';

export interface TokenSpec {
  readonly name: string;
  readonly secret: string;
  readonly role: Role;
  readonly groups: readonly string[];
}

/** A source or a view as readers know it. */
export interface ListedName {
  readonly name: string;
  readonly title: string;
  readonly access: AccessRule;
  /** Of a source: single items may have stricter rules, whether or not one has. */
  readonly mayHideItems?: boolean;
}

export interface HttpDeps {
  readonly store: GarnerStore;
  /** Of the archive files; absent: captures are listed, but not given out. */
  readonly dataFolder?: string;
  /** Where archived pages are shown; absent: they are listed and downloaded only. */
  readonly archiveOrigin?: string;
  readonly formats: FormatRegistry;
  readonly catalogue: FieldCatalogue;
  readonly repository: {
    readonly name: string;
    readonly baseUrl: string;
    readonly adminEmail: string;
    /** The domain-like name inside of OAI identifiers. */
    readonly identifier: string;
  };
  readonly oai: Config['repository']['oai'];
  /** Formats that OAI-PMH offers beside Dublin Core and the stored ones. */
  readonly forms?: readonly ItemForm[];
  /** Of published folders; absent: there are none at hand. */
  readonly files?: FileContents;
  /** Groups of whoever shows a name and password of a published web server's own password files. */
  readonly groupsOf?: (user: string, password: string) => Promise<readonly string[] | undefined>;
  /** Awaited before lists of everything (OAI-PMH, ResourceSync) are answered. */
  readonly onHarvest?: () => Promise<void>;
  /** Of ResourceSync documents and sitemaps, where they differ from the usual ones. */
  readonly syncLimits?: Partial<SyncLimits>;
  /** Logs of runs; absent: none are kept. */
  readonly runLogs?: Pick<RunLogs, 'open'>;
  /** Absent: the pages of sources tell of runs only. */
  readonly quality?: QualityReports;
  /** What items can be had as, beside their records; absent: nothing else. */
  readonly packages?: readonly PackageForm[];
  /** Lists that curators take their words from; absent: there are none. */
  readonly authorities?: Authorities;
  /** What records and snapshots document each other; absent: none do. */
  readonly links?: SnapshotLinks;
  /** Absent: there are no site models and aggregators. */
  readonly sites?: { readonly models: SiteModels; readonly publisher: Publisher };
  /** Absent: nothing can be pushed. */
  readonly push?: PushRoutesDeps;
  /** Absent: there are no topics. */
  readonly topics?: TopicRoutesDeps;
  /** Absent: there are no pages of data elements. */
  readonly elements?: VocabularyRoutesDeps;
  /** Absent: there are no profile servers. */
  readonly federation?: FederationDeps;
  /** Absent: no products are given. */
  readonly products?: ProductServer;
  readonly tokens: readonly TokenSpec[];
  readonly sources: readonly ListedName[];
  readonly views: readonly ListedName[];
  readonly clock: Clock;
  readonly log: Log;
  readonly version: string;
  /** How many proxies of ours stand before the server and append to X-Forwarded-For. Default 0: none. */
  readonly trustedProxies?: number;
}
