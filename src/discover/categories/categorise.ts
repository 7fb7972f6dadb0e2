/**
 * What a candidate is: its media type, by bytes and headers before names; and its kind, by rules that a
 * person can read. The first rule that fits decides, and its reason is shown.
 */
import { isHtmlType, isXhtmlType } from '../../archive/content/media-type.ts';
import type { FusedCandidate } from '../fusion/fuse.ts';

export const CANDIDATE_KINDS = [
  'home page',
  'article',
  'data set page',
  'PDF paper',
  'slides',
  'image',
  'software',
  'news',
  'other',
] as const;
export type CandidateKind = (typeof CANDIDATE_KINDS)[number];

/** What a look at the address gave. */
export interface Look {
  readonly mediaType: string;
  /** `content` and `header` are evidence; a name is a guess. */
  readonly by: 'content' | 'header' | 'name' | 'default';
}

export interface Category {
  readonly mediaType?: string;
  /** Where the media type is known from. */
  readonly by: 'content' | 'header' | 'engine' | 'name' | 'default';
  readonly html: boolean;
  readonly kind: CandidateKind;
  readonly reason: string;
}

interface Facts {
  readonly url: URL;
  readonly host: string;
  readonly path: string;
  readonly title: string;
  readonly type: string;
  readonly html: boolean;
  readonly candidate: FusedCandidate;
}

interface Rule {
  readonly kind: CandidateKind;
  /** The reason, when the rule fits. */
  readonly fits: (facts: Facts) => string | undefined;
}

export function categorise(candidate: FusedCandidate, look?: Look): Category {
  const url = new URL(candidate.url);
  const { mediaType, by } = mediaTypeOf(candidate, url, look);
  const html = mediaType === undefined || isHtmlType(mediaType) || isXhtmlType(mediaType);
  const facts: Facts = {
    url,
    host: url.hostname.replace(/^www\./, ''),
    path: url.pathname,
    title: candidate.title ?? '',
    type: mediaType ?? '',
    html,
    candidate,
  };
  for (const { kind, fits } of RULES) {
    const reason = fits(facts);
    if (reason !== undefined)
      return { ...(mediaType !== undefined && { mediaType }), by, html, kind, reason };
  }
  return {
    ...(mediaType !== undefined && { mediaType }),
    by,
    html,
    kind: 'other',
    reason: 'no rule fits',
  };
}

function mediaTypeOf(
  { mediaType }: FusedCandidate,
  { pathname }: URL,
  look: Look | undefined,
): { readonly mediaType?: string; readonly by: Category['by'] } {
  if (look?.by === 'content' || look?.by === 'header') return look;
  if (mediaType !== undefined) return { mediaType, by: 'engine' };
  const extension = /\.([a-z0-9]{1,8})$/i.exec(pathname)?.[1]?.toLowerCase();
  const named = extension === undefined ? undefined : TYPE_BY_NAME[extension];
  if (named !== undefined) return { mediaType: named, by: 'name' };
  return look ?? { by: 'default' };
}

const POWERPOINT = 'application/vnd.openxmlformats-officedocument.presentationml.presentation';
const TYPE_BY_NAME: Readonly<Record<string, string>> = {
  html: 'text/html',
  htm: 'text/html',
  shtml: 'text/html',
  pdf: 'application/pdf',
  ps: 'application/postscript',
  ppt: 'application/vnd.ms-powerpoint',
  pptx: POWERPOINT,
  odp: 'application/vnd.oasis.opendocument.presentation',
  doc: 'application/msword',
  jpg: 'image/jpeg',
  jpeg: 'image/jpeg',
  png: 'image/png',
  gif: 'image/gif',
  svg: 'image/svg+xml',
  tif: 'image/tiff',
  zip: 'application/zip',
  gz: 'application/gzip',
  nc: 'application/x-netcdf',
  hdf: 'application/x-hdf',
  h5: 'application/x-hdf5',
  csv: 'text/csv',
  xml: 'application/xml',
  json: 'application/json',
  txt: 'text/plain',
};

/** Where software lives; one step below the owner is a project. */
const CODE_HOSTS: ReadonlySet<string> = new Set([
  'github.com',
  'gitlab.com',
  'bitbucket.org',
  'codeberg.org',
  'sourceforge.net',
  'pypi.org',
  'cran.r-project.org',
]);
/** Where data sets live. */
const DATA_HOSTS =
  /(?:^|\.)(?:zenodo\.org|figshare\.com|datadryad\.org|pangaea\.de|dataverse\.org|kaggle\.com|data\.gov|gcmd\.(?:gsfc\.)?nasa\.gov|search\.earthdata\.nasa\.gov)$/;
const ARTICLE_HOSTS =
  /(?:^|\.)(?:doi\.org|arxiv\.org|ui\.adsabs\.harvard\.edu|europepmc\.org|pubmed\.ncbi\.nlm\.nih\.gov|sciencedirect\.com|link\.springer\.com|onlinelibrary\.wiley\.com|journals\.ametsoc\.org|citeseerx?\.ist\.psu\.edu|jstor\.org|semanticscholar\.org)$/;

const WORK_KINDS = {
  article: 'article',
  dataset: 'data set page',
  software: 'software',
  slides: 'slides',
  image: 'image',
  news: 'news',
} as const satisfies Record<string, CandidateKind>;

const isPdf = ({ type }: Facts): boolean => type === 'application/pdf' || type === 'application/postscript';

/** In order: what bytes and libraries say before what addresses and titles suggest. */
const RULES: readonly Rule[] = [
  {
    kind: 'image',
    fits: ({ type }) => (type.startsWith('image/') ? `its media type is ${type}` : undefined),
  },
  {
    kind: 'slides',
    fits: ({ type }) => (/presentation|powerpoint/.test(type) ? `its media type is ${type}` : undefined),
  },
  {
    kind: 'slides',
    fits: (facts) => {
      const word = /slides?|presentation|talk|poster|viewgraph|mtg|meeting|workshop/i.exec(
        `${facts.path} ${facts.title}`,
      );
      return isPdf(facts) && word ? `a PDF with “${word[0]}” in its address or title` : undefined;
    },
  },
  {
    kind: 'PDF paper',
    fits: (facts) =>
      isPdf(facts) && (facts.candidate.work === 'article' || facts.candidate.doi !== undefined)
        ? 'a PDF that a library lists as a publication'
        : undefined,
  },
  {
    kind: 'PDF paper',
    fits: (facts) => {
      const sign =
        /papers?|publi(?:sh|cation)|article|journal|reprint|preprint|proceedings|thesis|report|(?:19|20)\d\d[._-]?[A-Z][a-z]+/.exec(
          facts.path,
        );
      return isPdf(facts) && sign ? `a PDF with “${sign[0]}” in its address` : undefined;
    },
  },
  {
    kind: 'other',
    fits: (facts) => (isPdf(facts) ? 'a PDF, but nothing says that it is a paper' : undefined),
  },
  ...Object.entries(WORK_KINDS).map(
    ([work, kind]): Rule => ({
      kind,
      fits: ({ candidate }) => (candidate.work === work ? `a library says that it is: ${work}` : undefined),
    }),
  ),
  {
    kind: 'software',
    fits: ({ host, path }) =>
      CODE_HOSTS.has(host) && path.length > 1 ? `${host} is a place for software` : undefined,
  },
  {
    kind: 'data set page',
    fits: ({ host, path }) =>
      DATA_HOSTS.test(host) && path.length > 1 ? `${host} is a place for data sets` : undefined,
  },
  {
    kind: 'article',
    fits: ({ host, path }) =>
      ARTICLE_HOSTS.test(host) && path.length > 1 ? `${host} is a place for publications` : undefined,
  },
  {
    kind: 'home page',
    fits: ({ path, html, url }) =>
      html && url.search === '' && /^\/(?:index\.\w+|home|~[^/]+\/?(?:index\.\w+)?)?\/?$/i.test(path)
        ? 'it is the first page of its host or of a person'
        : undefined,
  },
  pathRule('news', /\/(?:news|press|press-?releases?|stories|blog|features?)(?:[/._-]|$)/i),
  pathRule('software', /\/(?:software|download-software|tools|code|src|toolkit)(?:[/._-]|$)/i),
  pathRule(
    'data set page',
    /\/(?:data-?sets?|data|products?|catalog(?:ue)?|records?|collections?|prodocs|inventory)(?:[/._-]|$)/i,
  ),
  pathRule(
    'article',
    /\/(?:articles?|abs|abstracts?|papers?|pubs?|publications?|doi|journal|crossref|eos_elec)(?:[/._-]|$)/i,
  ),
  {
    kind: 'data set page',
    fits: ({ title, html }) => {
      const word = /\bdata ?sets?\b|\bdata products?\b/i.exec(title);
      return html && word ? `“${word[0]}” is in its title` : undefined;
    },
  },
];

function pathRule(kind: CandidateKind, pattern: RegExp): Rule {
  return {
    kind,
    fits: ({ html, path }) => {
      const found = html ? pattern.exec(path) : null;
      return found ? `its address has “${found[0].replace(/[._-]$/, '')}”` : undefined;
    },
  };
}
