/** The HTTP edge's public face: serves an opened Garner. */

import { openNetwork, startRefreshing } from '../app/network.ts';
import { openPackages } from '../app/packages.ts';
import { openProductServer } from '../app/product-server.ts';
import { openProfiles, startGathering } from '../app/profiles.ts';
import { openRelevance } from '../app/relevance.ts';
import { openQuality, openRunLogs } from '../app/run-source.ts';
import { openVocabulary } from '../app/vocabulary.ts';
import { createSourceIngest, type Garner, sourcesOfKind } from '../app.ts';
import { type AccessRule, ANONYMOUS } from '../core/access.ts';
import type { Config } from '../core/config.ts';
import { createLog, type Log } from '../core/log.ts';
import { systemClock } from '../core/time.ts';
import { VERSION } from '../core/version.ts';
import { openCorpora, openTopicRuns } from '../discover/index.ts';
import { createPushIntake } from '../harvest/push/index.ts';
import { createSnapshotLinks } from '../packaging/records/snapshot-links.ts';
import type { PublishedFolders } from '../publish/folder/index.ts';
import { MATCH_ALL } from '../query/ast.ts';
import type { HttpDeps, ListedName } from './deps.ts';
import { startArchiveServer } from './serve-archive.ts';
import { createHttpApp, type RunningServer, startServer } from './server.ts';

export type { RunningServer } from './server.ts';

export interface RunningGarner extends RunningServer {
  /** Where archived pages are shown. */
  readonly archiveUrl: string;
  /** What is answered; paths as the router writes them. */
  readonly routes: readonly { readonly method: string; readonly path: string }[];
}

export interface ServeOptions {
  readonly host: string;
  readonly port: number;
  readonly log?: Log;
  /** Published folders; their formats, passwords and first scans concern the ways out. */
  readonly folders?: Pick<PublishedFolders, 'forms' | 'files' | 'groupsOf' | 'onHarvest'>;
}

/** What runs beside the answers, in the order in which it was opened. */
interface Opened {
  readonly servers: { close(): Promise<void> }[];
  readonly parts: (() => unknown)[];
}

export async function serveGarner(garner: Garner, options: ServeOptions): Promise<RunningGarner> {
  const opened: Opened = { servers: [], parts: [] };
  // First nobody asks any more; then what was opened last, since it may use what was opened before.
  const close = async (): Promise<void> => {
    await Promise.all(opened.servers.splice(0).map((server) => server.close()));
    for (let end = opened.parts.pop(); end; end = opened.parts.pop()) await end();
  };
  try {
    return { ...(await open(garner, options, opened)), close };
  } catch (error) {
    await close();
    throw error;
  }
}

async function open(
  garner: Garner,
  { host, port, log, folders }: ServeOptions,
  { servers, parts }: Opened,
): Promise<Omit<RunningGarner, 'close'>> {
  const elements = { vocabulary: await openVocabulary(garner.config), access: garner.config.access.default };
  // The address is known only now when the port was left to the system; requests wait until the app stands.
  const { promise: app, resolve } = Promise.withResolvers<ReturnType<typeof createHttpApp>>();
  const server = await startServer(
    { fetch: async (request, env) => (await app).fetch(request, env) },
    { host, port },
  );
  servers.push(server);
  const told = log ?? stderrLog();
  const deps = httpDeps(garner, server.url, told);
  const archive = await startArchiveServer(
    { ...deps, ...folders, dataFolder: garner.config.data, portalUrl: deps.repository.baseUrl },
    { host, port, archivePort: garner.config.server.archivePort },
  );
  servers.push(archive);
  const intake = createPushIntake({
    store: garner.store,
    createIngest: (source) => createSourceIngest(garner, source),
    log: openRunLogs(garner).tee(told),
  });
  parts.push(() => intake.close());
  const push = { intake, sources: new Set(sourcesOfKind(garner, 'push', []).map(([name]) => name)) };
  const packages = openPackages(garner, deps.repository.baseUrl);
  const forms = [...(folders?.forms ?? []), ...packages.itemForms];
  const archiveOrigin =
    garner.config.repository.archiveOrigin ?? (isDefaultAddress(garner.config) ? archive.url : undefined);
  const profiles = await openProfiles(garner, deps.repository.baseUrl, elements.vocabulary);
  parts.push(() => profiles.close());
  const { network, guided, close: closeNetwork } = openNetwork(garner, profiles, deps.repository.baseUrl);
  parts.push(closeNetwork);
  const gathering = startGathering(profiles, garner.config, {
    log: told,
    // The first form makes the store load what it counts by: better now than when somebody waits.
    warmUp: () => guided.local(MATCH_ALL, ANONYMOUS, true),
  });
  parts.push(() => gathering.stop());
  const refreshing = startRefreshing(network, garner.config.federate.network.maxAgeMs);
  parts.push(() => refreshing.stop());
  const products = await openProductServer(garner, profiles, deps.repository.baseUrl);
  parts.push(() => products.close());
  const shown = {
    push,
    products,
    elements,
    federation: { profiles, gathering, network, guided },
    ...folders,
    forms,
    packages: packages.forms,
    sites: packages,
  };
  const served = createHttpApp({ ...deps, ...shown, ...(archiveOrigin !== undefined && { archiveOrigin }) });
  resolve(served);
  return {
    url: server.url,
    archiveUrl: archive.url,
    routes: served.routes.map(({ method, path }) => ({ method, path })),
  };
}

function httpDeps(garner: Garner, url: string, log: Log): HttpDeps {
  const { store, formats, catalogue, config, topics } = garner;
  const { name, adminEmail, baseUrl, identifier, oai } = config.repository;
  return {
    store,
    dataFolder: config.data,
    authorities: config.curation,
    links: createSnapshotLinks(store),
    formats,
    catalogue,
    repository: { name, adminEmail, identifier, baseUrl: isDefaultAddress(config) ? url : baseUrl },
    oai: { ...oai, sets: { ...topicSets(garner), ...oai.sets } },
    tokens: Object.entries(config.access.tokens).map(([tokenName, token]) => ({ name: tokenName, ...token })),
    sources: listNames(config.sources, config),
    views: listNames(config.views, config),
    ...(topics.size > 0 && {
      topics: {
        topics,
        runs: openTopicRuns(config.data),
        relevance: openRelevance(garner),
        corpora: openCorpora(config.data),
        access: config.access.default,
      },
    }),
    clock: systemClock,
    log,
    version: VERSION,
    trustedProxies: config.server.trustedProxies,
    runLogs: openRunLogs(garner),
    quality: openQuality(garner),
  };
}

/** A topic's acronym is a set; it is shown by its title. */
const topicSets = ({ topics }: Garner) =>
  Object.fromEntries([...topics.values()].map(({ acronym, title }) => [acronym, { name: title }]));

/** Nobody said how the world reaches us, so links lead where we listen. */
function isDefaultAddress({ repository: { baseUrl }, server: { host, port } }: Config): boolean {
  const { hostname, port: basePort } = new URL(baseUrl);
  return (
    [host, `[${host}]`, 'localhost'].includes(hostname) && basePort === (port === 80 ? '' : String(port))
  );
}

interface Named {
  readonly title?: string;
  readonly access?: AccessRule;
  readonly kind?: string;
  readonly validation?: string;
}

function listNames(things: Readonly<Record<string, Named>>, config: Config): ListedName[] {
  return Object.entries(things).map(([name, { title, access, kind, validation }]) => ({
    name,
    title: title ?? name,
    access: access ?? config.access.default,
    mayHideItems: kind === 'folder' || validation === 'quarantine',
  }));
}

export function stderrLog(): Log {
  const { stderr } = process;
  return createLog({ write: (line) => stderr.write(line), pretty: stderr.isTTY, clock: systemClock });
}
