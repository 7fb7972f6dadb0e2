/**
 * Every kind of engine that is asked over the network; `harvested` asks the store. A new one is a file beside this, a
 * line here and a row in the config's schema.
 */
import type { EngineKind } from '../../core/discover-schema.ts';
import { ads } from './ads.ts';
import { arxiv } from './arxiv.ts';
import { brave } from './brave.ts';
import { commonCrawl } from './common-crawl.ts';
import { core } from './core.ts';
import { crossref } from './crossref.ts';
import { datacite } from './datacite.ts';
import { doaj } from './doaj.ts';
import type { CreateEngine } from './engine.ts';
import { europePmc } from './europe-pmc.ts';
import { garner } from './garner.ts';
import { google } from './google.ts';
import { kagi } from './kagi.ts';
import { marginalia } from './marginalia.ts';
import { mojeek } from './mojeek.ts';
import { openalex } from './openalex.ts';
import { opensearch } from './opensearch.ts';
import { scienceDirect } from './sciencedirect.ts';
import { scopus } from './scopus.ts';
import { searxng } from './searxng.ts';
import { semanticScholar } from './semantic-scholar.ts';
import { webOfScience } from './web-of-science.ts';

export const ENGINES: Readonly<Record<Exclude<EngineKind, 'harvested'>, CreateEngine>> = {
  brave,
  google,
  mojeek,
  kagi,
  marginalia,
  searxng,
  opensearch,
  garner,
  'common-crawl': commonCrawl,
  openalex,
  crossref,
  datacite,
  arxiv,
  ads,
  'semantic-scholar': semanticScholar,
  'europe-pmc': europePmc,
  core,
  doaj,
  scopus,
  sciencedirect: scienceDirect,
  'web-of-science': webOfScience,
};
