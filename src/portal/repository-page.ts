/** What a person must know to harvest: base URL, formats, sets, and requests to try. */
import { html } from 'hono/html';
import { type Html, renderPage, type Site } from './page.ts';

export interface RepositoryPageParts {
  readonly site: Site;
  readonly baseUrl: string;
  /** Live and deleted items that a harvester gets. */
  readonly entries: number;
  readonly earliest: string;
  readonly formats: readonly {
    readonly prefix: string;
    readonly namespace: string;
    readonly schema: string;
  }[];
  readonly sets: readonly {
    readonly spec: string;
    readonly name: string;
    readonly items?: number | undefined;
  }[];
  /** More sets than are shown. */
  readonly moreSets: boolean;
  /** Of one record, to try. */
  readonly sample?: string | undefined;
  /** Sources and views that have a base URL of their own. */
  readonly parts: readonly {
    readonly title: string;
    readonly baseUrl: string;
    readonly kind: 'source' | 'view';
  }[];
  readonly signedInAs?: string | undefined;
}

const number = (value: number): string => value.toLocaleString('en');

export function renderRepositoryPage(page: RepositoryPageParts): Html {
  const { site, baseUrl, formats, sets, sample, parts } = page;
  const ask = (query: string) => `${baseUrl}?verb=${query}`;
  const requests: readonly (readonly [query: string, meaning: string])[] = [
    ['Identify', 'who runs the repository, and its rules'],
    ['ListMetadataFormats', 'the formats below, for programs'],
    ['ListSets', 'the sets below, for programs'],
    ['ListIdentifiers&metadataPrefix=oai_dc', 'what there is, headers only'],
    ['ListRecords&metadataPrefix=oai_dc', 'everything in Dublin Core, page by page'],
    [`ListRecords&metadataPrefix=oai_dc&from=${page.earliest.slice(0, 10)}`, 'what changed since a day'],
    ...(sample === undefined
      ? []
      : [
          [`GetRecord&metadataPrefix=oai_dc&identifier=${encodeURIComponent(sample)}`, 'one record'] as const,
        ]),
  ];
  const main = html`<div class="wrap narrow-text">
  <h1>Harvest this repository</h1>
  <p>Programs can take all metadata from here with <a href="https://www.openarchives.org/OAI/openarchivesprotocol.html">OAI-PMH 2.0</a>, and later only what changed. ${number(page.entries)} ${page.entries === 1 ? 'record is' : 'records are'} listed, deleted ones included; those stay listed for ever, so that a copy can follow.</p>
  <h2 id="base">Base URL</h2>
  <p><code>${baseUrl}</code></p>
  ${
    parts.length === 0
      ? ''
      : html`<p>Parts have a base URL of their own:</p>
  <ul>${parts.map(({ title, kind, baseUrl: own }) => html`<li>${title} (${kind}): <code>${own}</code></li>`)}</ul>`
  }
  <h2 id="try">Requests to try</h2>
  <div class="scroll" role="region" aria-label="Requests to try" tabindex="0"><table>
    <thead><tr><th scope="col">Request</th><th scope="col">Gives</th></tr></thead>
    <tbody>${requests.map(([query, meaning]) => html`<tr><td><a href="${ask(query)}"><code>${`verb=${query}`}</code></a></td><td>${meaning}</td></tr>`)}</tbody>
  </table></div>
  <h2 id="formats">Formats</h2>
  <div class="scroll" role="region" aria-label="Formats" tabindex="0"><table>
    <thead><tr><th scope="col">Prefix</th><th scope="col">Namespace</th></tr></thead>
    <tbody>${formats.map(({ prefix, namespace }) => html`<tr><td><a href="${ask(`ListRecords&metadataPrefix=${prefix}`)}"><code>${prefix}</code></a></td><td><code>${namespace}</code></td></tr>`)}</tbody>
  </table></div>
  <h2 id="sets">Sets</h2>
  <div class="scroll" role="region" aria-label="Sets" tabindex="0"><table>
    <thead><tr><th scope="col">Set</th><th scope="col">Name</th><th scope="col">Records</th></tr></thead>
    <tbody>${sets.map(({ spec, name, items }) => html`<tr><td><a href="${ask(`ListIdentifiers&metadataPrefix=oai_dc&set=${encodeURIComponent(spec)}`)}"><code>${spec}</code></a></td><td>${name}</td><td>${items === undefined ? '' : number(items)}</td></tr>`)}</tbody>
  </table></div>
  ${page.moreSets ? html`<p class="muted">There are more sets; ListSets gives them all.</p>` : ''}
  <h2 id="others">Other ways</h2>
  <ul>
    <li><a href="/.well-known/resourcesync">ResourceSync</a>: lists of all records and files, and of changes, for mirrors</li>
    <li><a href="/sitemap.xml">Site map</a>: the pages of all public items, for search engines</li>
    <li><a href="/feeds/atom">Atom feed</a>: what is new, for people</li>
  </ul>
</div>`;
  return renderPage({ site, title: 'Harvest this repository', main, query: '', signedInAs: page.signedInAs });
}
