/** The history of one item. */
import { html } from 'hono/html';
import { itemPath } from '../core/identifiers.ts';
import { describeVersion } from '../core/version-event.ts';
import type { PackageForm } from '../packaging/package-form.ts';
import type { StoredItem, VersionInfo } from '../store/index.ts';
import { instantText, sizeText } from './field-text.ts';
import { type Html, renderPage, type Site } from './page.ts';

const CHANGE_TEXT: Readonly<Record<VersionInfo['change'], string>> = {
  added: 'added',
  updated: 'changed',
  deleted: 'withdrawn',
  restored: 'came back',
  'rolled-back': 'rolled back',
};

export interface VersionsPageParts {
  readonly site: Site;
  readonly item: StoredItem;
  readonly versions: readonly VersionInfo[];
  readonly formatLabel: (name: string) => string;
  /** What versions can be had as, by their format. */
  readonly packages?: readonly Pick<PackageForm, 'name' | 'label' | 'extension' | 'madeOf'>[];
  readonly signedInAs?: string | undefined;
}

const isKept = ({ digest, change, thinned }: VersionInfo): boolean =>
  digest !== undefined && change !== 'deleted' && thinned !== true;

function renderPackages(
  item: StoredItem,
  { format, version }: VersionInfo,
  packages: NonNullable<VersionsPageParts['packages']>,
): Html {
  const path = itemPath(item.source, item.identifier, '/packages/');
  const offered = packages.filter(({ madeOf }) => madeOf.includes(format));
  return html`${offered.map(({ name, label, extension }, index) => html`${index > 0 ? ', ' : ''}<a href="${path}?format=${name}&amp;version=${version}">${label}<span class="hidden"> of version ${version}, ${extension.slice(1)}</span></a>`)}`;
}

export function renderVersionsPage({
  site,
  item,
  versions,
  formatLabel,
  packages = [],
  signedInAs,
}: VersionsPageParts): Html {
  const path = itemPath(item.source, item.identifier);
  const title = item.title ?? item.identifier;
  const newestFirst = [...versions].sort((a, b) => b.at - a.at || b.version - a.version);
  const main = html`<div class="wrap">
  <p class="crumbs"><a href="${path}">${title}</a></p>
  <h1>Versions</h1>
  <p class="muted">Every change of content made a version; nothing was overwritten.${versions.some(({ thinned }) => thinned) ? ' Of some versions the content is no longer kept.' : ''}</p>
  <div class="scroll" role="region" aria-label="Versions" tabindex="0"><table>
    <thead><tr><th scope="col">Version</th><th scope="col">When</th><th scope="col">What happened</th><th scope="col">Format</th><th scope="col">Size</th><th scope="col">SHA-256</th><th scope="col">Run</th>${packages.length > 0 ? html`<th scope="col">As it was then</th>` : ''}</tr></thead>
    <tbody>${newestFirst.map(
      (version) => html`<tr>
      <td>${!isKept(version) ? version.version : html`<a href="${path}?format=raw&amp;schema=${version.format}&amp;version=${version.version}">${version.version}<span class="hidden"> as received</span></a>`}</td>
      <td>${instantText(version.at)}</td>
      <td>${CHANGE_TEXT[version.change]}${describeVersion(version) ? html` <span class="muted">${describeVersion(version)}</span>` : ''}</td>
      <td>${formatLabel(version.format)}</td>
      <td class="number whole">${version.change === 'deleted' ? '' : sizeText(version.size)}</td>
      <td class="whole">${version.digest === undefined ? '' : html`<code title="${version.digest}">${version.digest.slice(0, 12)}</code>`}</td>
      <td><a href="/runs/${version.runId}">${version.runId}</a></td>
      ${packages.length > 0 ? html`<td>${isKept(version) ? renderPackages(item, version, packages) : ''}</td>` : ''}
    </tr>`,
    )}</tbody>
  </table></div>
</div>`;
  return renderPage({ site, title: `Versions of ${title}`, main, query: '', signedInAs });
}
