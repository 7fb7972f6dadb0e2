/** Whether a remote source answers and has what its configuration wants, without harvesting: for `garner check`. */
import type { SourceConfig } from '../core/config.ts';
import { asGarnerError } from '../core/errors.ts';
import { findModified, readCapabilities } from './csw/capabilities.ts';
import { countRecords } from './csw/get-records.ts';
import { planQuery } from './csw/harvest-csw.ts';
import type { HttpClient, HttpPolicy } from './http/index.ts';
import { probeOai } from './oai/index.ts';
import { findLists } from './ogc/find-lists.ts';
import { readList } from './ogc/read-list.ts';
import { createBoundClient } from './remote/bound-client.ts';
import { findSyncLists } from './resourcesync/find-lists.ts';
import { findMaps } from './sitemap/harvest-sitemap.ts';
import { readSitemap } from './sitemap/sitemap-document.ts';
import { readFolder } from './waf/harvest-waf.ts';

export interface ProbeAnswer {
  /** What the origin says of itself, in words. */
  readonly said: readonly string[];
  readonly mistakes: readonly string[];
}

type Kind<K extends SourceConfig['kind']> = Extract<SourceConfig, { readonly kind: K }>;

/** Undefined for kinds of sources that are not behind a web address. */
export async function probeSource(
  source: SourceConfig,
  policy: HttpPolicy,
): Promise<ProbeAnswer | undefined> {
  try {
    if (source.kind === 'oai') return await askOai(source, policy);
    if (!('attempts' in source)) return undefined;
    const client = createBoundClient(policy, source.url);
    try {
      return await askRemote(source, client);
    } finally {
      client.close();
    }
  } catch (thrown) {
    const error = asGarnerError(thrown);
    if (error.code === 'internal.bug') throw error;
    return { said: [], mistakes: [`${error.message} [${error.code}]`] };
  }
}

type RemoteKind = Kind<'csw' | 'ogc' | 'stac' | 'resourcesync' | 'sitemap' | 'waf'>;

async function askRemote(source: RemoteKind, client: HttpClient): Promise<ProbeAnswer> {
  switch (source.kind) {
    case 'csw':
      return askCsw(source, client);
    case 'ogc':
    case 'stac':
      return askOgc(source, client);
    case 'resourcesync':
      return { said: await askResourceSync(source, client), mistakes: [] };
    case 'sitemap':
      return { said: await askSitemap(source, client), mistakes: [] };
    case 'waf':
      return { said: await askWaf(source, client), mistakes: [] };
  }
}

async function askOai(source: Kind<'oai'>, policy: HttpPolicy): Promise<ProbeAnswer> {
  const { format = 'oai_dc', prefixes = { [format]: undefined } } = source;
  const { identity, formats, mistakes } = await probeOai({ ...source, prefixes }, policy);
  const { repositoryName, granularity, deletedRecord, isStatic, doubts } = identity;
  return {
    said: [
      `${isStatic ? 'static repository' : 'answers as'} ${JSON.stringify(repositoryName ?? 'nameless')}`,
      `datestamps by ${granularity === 'YYYY-MM-DD' ? 'day' : 'second'}, deletions ${deletedRecord}`,
      `formats ${formats.map(({ prefix }) => prefix).join(', ')}`,
      ...doubts.map((doubt) => `doubtful: ${doubt}`),
    ],
    mistakes,
  };
}

async function askCsw(source: Kind<'csw'>, client: HttpClient): Promise<ProbeAnswer> {
  const capabilities = await readCapabilities(client, source.url);
  const query = planQuery(source, capabilities);
  const { outputSchemas, title } = capabilities;
  const unknown = outputSchemas.length > 0 && !outputSchemas.includes(query.outputSchema);
  const matched = await countRecords(client, query);
  const modified = findModified(capabilities, source.typeNames);
  return {
    said: [
      `answers as ${JSON.stringify(title ?? 'nameless')}, asked by ${query.method.toUpperCase()} for ${query.outputSchema}`,
      `output schemas ${outputSchemas.join(', ') || 'not announced'}`,
      matched === undefined ? 'does not count its records' : `${matched} records`,
      modified === undefined || matched === undefined
        ? 'cannot be asked for what changed: every harvest compares all'
        : `tells what changed by ${modified}`,
    ],
    mistakes: unknown
      ? [`it has no output schema ${query.outputSchema}; it has ${outputSchemas.join(', ')}`]
      : [],
  };
}

async function askOgc(source: Kind<'ogc' | 'stac'>, client: HttpClient): Promise<ProbeAnswer> {
  const lists = await findLists(client, source.url, { ...source, pageSize: 1 });
  if (!lists) return { said: ['a static STAC catalogue'], mistakes: [] };
  const said: string[] = [];
  for (const { url, collection } of lists.slice(0, SHOWN_LISTS)) {
    const page = await readList(client, { url }, { identify: () => undefined }).next();
    const total = page.done === true ? undefined : page.value.total;
    said.push(
      `${collection ?? url}: ${total === undefined ? 'does not count its records' : `${total} records`}`,
    );
  }
  if (lists.length > SHOWN_LISTS) said.push(`and ${lists.length - SHOWN_LISTS} collections more`);
  return { said, mistakes: [] };
}

const SHOWN_LISTS = 20;

async function askResourceSync({ url }: Kind<'resourcesync'>, client: HttpClient): Promise<string[]> {
  const lists = await findSyncLists(client, url);
  return Object.entries({
    'resource lists': lists.resourceLists,
    'change lists': lists.changeLists,
    'resource dumps': lists.resourceDumps,
    'change dumps': lists.changeDumps,
  }).flatMap(([name, urls]) => (urls.length > 0 ? [`${name} ${urls.join(', ')}`] : []));
}

async function askSitemap({ url }: Kind<'sitemap'>, client: HttpClient): Promise<string[]> {
  const said: string[] = [];
  for (const map of await findMaps(client, url)) {
    const counts = { url: 0, sitemap: 0 };
    for await (const part of readSitemap(client, map))
      if (part.kind === 'url' || part.kind === 'sitemap') counts[part.kind]++;
    said.push(`${map}: ${counts.url} pages${counts.sitemap > 0 ? ` and ${counts.sitemap} site maps` : ''}`);
  }
  return said;
}

async function askWaf({ url }: Kind<'waf'>, client: HttpClient): Promise<string[]> {
  const listed = await readFolder(client, url);
  const folders = listed.filter(({ isFolder }) => isFolder).length;
  return [`lists ${listed.length - folders} files and ${folders} folders`];
}
