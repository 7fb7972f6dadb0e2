/** For tests: asks for everything that an installation gives out, as somebody who is curious about what is hidden. */
import { itemPath } from '../src/core/identifiers.ts';
import { writeArchiveAddress } from '../src/replay/index.ts';
import { ARCHIVE, HIDDEN_PAGE, type HiddenThings, PORTAL, WEB } from './hidden-things.ts';
import { readableText } from './readable-text.ts';

export interface WalkedAnswer {
  readonly status: number;
  /** Body and headers as they came. */
  readonly plain: string;
  /** All that can be read in them, whatever it is packed in. */
  readonly text: string;
}

/** What is hidden, as a reader could guess its name. In an installation without hidden things it is asked for as well. */
export const HIDDEN_ITEMS = [
  ['papers', 'geheim:eins'],
  ['papers', 'geheim:zwei'],
  ['verschluss', 'geheim:eins'],
  ['web', HIDDEN_PAGE],
  ['tresor', 'https://tresor.example/geheim.html'],
  ['tresor', 'tresor:20200501T000002Z'],
  ['site', 'https://www.foo.edu/tresor/geheimakte.txt'],
  ['site', 'https://www.foo.edu/net/geheim.txt'],
] as const;
const OPEN_ITEMS = [
  ['papers', 'open:ice'],
  ['web', WEB],
  ['web', 'web:20200501T000000Z'],
  ['site', 'https://www.foo.edu/'],
] as const;
const SOURCES = ['papers', 'verschluss', 'web', 'tresor', 'site', 'never'];
const WORDS = [
  'water',
  'geheimakte',
  'geheim*',
  'type:Tresor',
  'source:verschluss',
  'view:geheimes',
  'NOT ice',
];
const PREFIXES = ['oai_dc', 'http_header', 'oai_didl', 'mets', 'web_snapshot', 'web_capture', 'tresor'];
const PACKAGES = ['mets', 'oai_didl', 'bag', 'bag-zip'];
const CAPTURED = '20200501000002';

function itemAddresses([source, identifier]: readonly [string, string]): string[] {
  const page = itemPath(source, identifier);
  const query = new URLSearchParams({ source, identifier });
  const oai = `identifier=${encodeURIComponent(`oai:localhost:${source}/${identifier}`)}`;
  const own = `identifier=${encodeURIComponent(identifier)}`;
  return [
    page,
    ...['raw', 'oai_dc', 'dc-json', 'json', 'jsonld', 'http_header', 'oai_didl', 'mets', 'nothing'].map(
      (format) => `${page}?format=${format}`,
    ),
    `${page}?format=raw&version=1`,
    itemPath(source, identifier, '/versions/'),
    itemPath(source, identifier, '/describe/'),
    ...['items', 'versions', 'similar'].map((name) => itemPath(source, identifier, `/api/${name}/`)),
    itemPath(source, identifier, '/packages/'),
    ...PACKAGES.map((form) => `${itemPath(source, identifier, '/packages/')}?format=${form}`),
    itemPath(source, identifier, '/api/site-models/'),
    ...['pages', 'files', 'references', 'links', 'embedded'].map(
      (table) => `${itemPath(source, identifier, '/api/site-models/')}?table=${table}`,
    ),
    ...['wacz', 'warc', 'tar'].map((as) => `/snapshots?${query}&as=${as}`),
    ...['/oai', `/oai/${source}`].flatMap((base) =>
      [oai, own].flatMap((name) => [
        `${base}?verb=ListMetadataFormats&${name}`,
        ...PREFIXES.map((prefix) => `${base}?verb=GetRecord&metadataPrefix=${prefix}&${name}`),
      ]),
    ),
    `/cdx?url=${encodeURIComponent(identifier)}`,
    `/cdx?url=${encodeURIComponent(identifier)}&matchType=domain&output=json`,
    `/cdx/content?url=${encodeURIComponent(identifier)}`,
    `/cdx/content?url=${encodeURIComponent(identifier)}&source=${source}&at=${CAPTURED}`,
    `${itemPath('web', 'web:20200501T000000Z', '/packages/')}?${new URLSearchParams({ url: identifier, at: `${CAPTURED}000` })}`,
    `/api/topics/CLOUDS/why?${new URLSearchParams({ url: identifier })}`,
    `/topics/CLOUDS/corpus/document?${new URLSearchParams({ url: identifier })}`,
  ];
}

const XMLQUERY = `<query><queryAttributes><queryId>1</queryId><queryTitle/><queryDesc/><queryType/><queryStatusId/><querySecurityType/><queryRevisionNote/><queryDataDictId/></queryAttributes><queryResultModeId>ATTRIBUTE</queryResultModeId><queryPropogationType>BROADCAST</queryPropogationType><queryPropogationLevels>N/A</queryPropogationLevels><queryMaxResults>100</queryMaxResults><queryKWQString>type = Tresor</queryKWQString><querySelectSet/><queryFromSet/><queryWhereSet/><queryResultSet/></query>`;

function seeds(): string[] {
  return [
    '/',
    '/search',
    ...WORDS.flatMap((word) => {
      const q = encodeURIComponent(word);
      return [
        `/?q=${q}`,
        `/search?q=${q}`,
        `/feeds/atom?q=${q}`,
        `/api/search?q=${q}&facet=subject,type,source,schema,set,mediaType&highlight=true&raw=true`,
        `/prof?q=${encodeURIComponent(`subject = ${word}`)}`,
        `/prof?q=${encodeURIComponent(`subject = ${word}`)}&gathered=true`,
        `/prof?q=${encodeURIComponent(`RT = ${word}`)}&exact=true`,
        `/prod?q=${encodeURIComponent(`subject = ${word}`)}`,
        `/query?q=${encodeURIComponent(`subject = ${word}`)}`,
        `/guided?q=${encodeURIComponent(`subject = ${word}`)}`,
      ];
    }),
    '/api/search?view=geheimes',
    '/api/search?view=never',
    '/search?view=geheimes',
    '/search?f.type=Tresor',
    `/prof?xmlq=${encodeURIComponent(XMLQUERY)}`,
    `/prof?q=${encodeURIComponent('subject != nothing')}&gathered=true`,
    ...['g', 't', 'v', 'a', 'geheim', 'w'].flatMap((q) => [
      `/api/suggest?q=${q}`,
      `/api/suggest?q=${q}&field=subject`,
      `/api/suggest?q=${q}&field=type`,
    ]),
    '/health',
    '/metrics',
    '/robots.txt',
    '/opensearch.xml',
    '/sitemap.xml',
    '/help',
    '/login',
    '/repository',
    '/favicon.svg',
    '/favicon.ico',
    '/schemas/oodt-profile.xsd',
    '/api/openapi.json',
    '/api/fields',
    '/api/sources',
    '/api/views',
    '/api/runs',
    '/runs',
    '/topics',
    '/dictionary',
    '/guided',
    '/api/dictionary',
    '/api/dictionary/title',
    '/api/dictionaries',
    '/api/dictionaries/oai_dc',
    '/dictionary/title',
    ...[
      '',
      '.csv',
      '.json',
      '/corpus',
      '/corpus/document?url=x',
      '/corpus/corpus.zip',
      '/corpus/corpus.json',
      '/corpus/words.csv',
    ].map((end) => `/topics/CLOUDS${end}`),
    '/api/topics/CLOUDS/marks',
    '/api/topics/CLOUDS/why?url=https://x.example/',
    ...[1, 2, 3, 4, 5, 6, 7].flatMap((id) => [
      `/api/runs/${id}`,
      `/api/runs/${id}/problems`,
      `/runs/${id}`,
      `/runs/${id}/problems.csv`,
      `/runs/${id}/log`,
    ]),
    '/mets/sites',
    '/mets/days',
    '/mets/days/2020-05-01',
    '/mets/sites/web/web',
    '/mets/sites/tresor/tresor',
    '/.well-known/resourcesync',
    ...SOURCES.flatMap((source) => [
      `/sources/${source}`,
      `/sources/${source}/missing.csv`,
      `/api/runs?source=${source}`,
      `/api/search?source=${source}&facet=source`,
      `/search?source=${source}`,
      `/feeds/atom?source=${source}`,
      `/api/site-models/${source}`,
      `/cdx?url=*.example&source=${source}`,
      `/prof?q=${encodeURIComponent('title != nothing')}&gathered=true&from=${source}`,
    ]),
    ...['', ...SOURCES, 'everything', 'geheimes'].flatMap((name) => {
      const sync = name === '' ? '/resourcesync' : `/resourcesync/${name}`;
      const oai = name === '' ? '/oai' : `/oai/${name}`;
      return [
        ...['capabilitylist', 'resourcelist', 'changelist', 'resourcedump', 'changedump'].map(
          (list) => `${sync}/${list}.xml`,
        ),
        ...['Identify', 'ListSets', 'ListMetadataFormats', 'Nothing'].map((verb) => `${oai}?verb=${verb}`),
        ...PREFIXES.flatMap((prefix) => [
          `${oai}?verb=ListRecords&metadataPrefix=${prefix}`,
          `${oai}?verb=ListIdentifiers&metadataPrefix=${prefix}`,
        ]),
        ...['source:verschluss', 'mime:text:plain', 'tresor'].map(
          (set) => `${oai}?verb=ListIdentifiers&metadataPrefix=oai_dc&set=${set}`,
        ),
      ];
    }),
    ...[...HIDDEN_ITEMS, ...OPEN_ITEMS].flatMap(itemAddresses),
  ];
}

/** On the archive origin, which is a server of its own. */
function archiveSeeds(): string[] {
  const at = Date.parse('2020-05-01T00:00:02Z');
  const urls = [
    ['web', HIDDEN_PAGE],
    ['web', WEB],
    ['tresor', 'https://tresor.example/geheim.html'],
  ] as const;
  return [
    '/',
    '/robots.txt',
    ...['web', 'tresor', 'never'].map((source) => writeArchiveAddress({ source })),
    ...urls.flatMap(([source, url]) => [
      writeArchiveAddress({ source, url }),
      writeArchiveAddress({ source, url, at }),
      writeArchiveAddress({ source, url, at, name: 'original' }),
      writeArchiveAddress({ source, url, at, name: 'index.html' }),
    ]),
  ];
}

const LINK =
  /(?:href|action|src)=["']([^"']+)["']|<loc>([^<]+)<|"(\/[^"\s]*|https?:[^"\s]+)"|<resumptionToken[^>]*>([^<]+)</g;
const MOST = 4000;
/** Event streams do not end; logging in and out is no output; guided search leads on from any choice to all others. */
const NOT_FOLLOWED = /^\/(?:login|logout|runs\/events)\b|^\/guided\?.*AND/;

/** Every address that is known or found, with its answer; addresses of the archive origin begin with `archive:`. */
export async function walkOutputs(
  { server }: HiddenThings,
  token?: string,
): Promise<Map<string, WalkedAnswer>> {
  const headers: Record<string, string> = token === undefined ? {} : { authorization: `Bearer ${token}` };
  const origins = [
    { prefix: '', called: PORTAL, at: server.url },
    { prefix: 'archive:', called: ARCHIVE, at: server.archiveUrl },
  ] as const;
  const queue = [...seeds(), ...archiveSeeds().map((path) => `archive:${path}`)];
  const known = new Set(queue);
  const answers = new Map<string, WalkedAnswer>();
  const walkOne = async (address: string) => {
    const { prefix, called, at } = origins[address.startsWith('archive:') ? 1 : 0];
    const path = address.slice(prefix.length);
    const ask = () => fetch(at + path, { headers, redirect: 'manual' });
    let response = await ask();
    // Few whole snapshots are put together at a time.
    for (; response.status === 503; response = await ask()) {
      await response.body?.cancel();
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    const bytes = await response.bytes();
    const told = [...response.headers].map((pair) => pair.join(': ')).join('\n');
    const text = `${readableText(bytes)}\n${told}`;
    const plain = `${Buffer.from(bytes).toString('utf8')}\n${told}`;
    // Dumps are named for the moment up to which they go.
    answers.set(address.replace(/-\d{8}T\d{6}Z\.(zip|warc\.gz|xml)$/, '-NOW.$1'), {
      status: response.status,
      plain,
      text,
    });
    for (const [, attribute, loc, json, resumption] of plain.matchAll(LINK)) {
      const target =
        resumption === undefined
          ? (attribute ?? loc ?? json ?? '')
          : `?verb=ListRecords&resumptionToken=${resumption}`;
      const url = URL.parse(target.replaceAll('&amp;', '&'), called + path);
      const found = origins.find((one) => one.called === url?.origin);
      if (!url || !found || /[{}]/.test(url.pathname) || NOT_FOLLOWED.test(url.pathname + url.search))
        continue;
      const next = found.prefix + url.pathname + url.search;
      if (known.has(next) || known.size >= MOST) continue;
      known.add(next);
      queue.push(next);
    }
  };
  for (let batch = queue.splice(0, 8); batch.length > 0; batch = queue.splice(0, 8))
    await Promise.all(batch.map(walkOne));
  return answers;
}
