/** What a snapshot lists: its captures page by page, its hosts, and the whole of it to take along. */
import { html, raw } from 'hono/html';
import { itemPath } from '../core/identifiers.ts';
import type { ItemRef } from '../core/model.ts';
import type { SnapshotComparison } from '../formats/web-snapshot.ts';
import { AGGREGATE_PATHS } from '../packaging/mets/collections.ts';
import { type SnapshotListing, writeArchiveAddress } from '../replay/index.ts';
import type { StoredCapture } from '../store/index.ts';
import { countText, instantText, sizeText } from './field-text.ts';
import type { Html } from './page.ts';

export interface SnapshotPart extends SnapshotListing {
  /** Where archived pages are shown; absent: nowhere. */
  readonly archiveOrigin: string | undefined;
  /** Absent: the whole is not given out. */
  readonly downloadPath: string | undefined;
  /** Of the tables of the site; absent: there are none. */
  readonly tablesPath: string | undefined;
}

const TABLES = [
  ['pages', 'Pages'],
  ['embedded', 'Embedded files'],
  ['links', 'Links'],
  ['redirects', 'Redirects'],
] as const;

const KINDS = [
  ['wacz', 'WACZ', 'one file with WARC, index and list of pages'],
  ['warc', 'WARC', 'all records, compressed'],
  ['tar', 'tar.gz', 'a directory per page, with all that it shows'],
] as const;

export function renderSnapshot(item: ItemRef, part: SnapshotPart): Html {
  const { captures, hosts, hostCount, total, archiveOrigin, downloadPath, tablesPath } = part;
  return html`${
    downloadPath === undefined
      ? ''
      : html`<section aria-labelledby="whole"><h2 id="whole">The whole snapshot</h2><ul class="downloads">
${KINDS.map(([kind, label, what]) => html`<li><a href="${downloadPath}?${new URLSearchParams({ source: item.source, identifier: item.identifier, as: kind })}" download>${label}</a> <span class="muted">${what}</span></li>`)}
${archiveOrigin === undefined ? '' : html`<li><a href="${archiveOrigin}${writeArchiveAddress({ source: item.source })}">Folder</a> <span class="muted">all that is archived here, to look around in</span></li>`}
${
  tablesPath === undefined
    ? ''
    : html`<li>Tables: ${TABLES.map(([table, label], index) => html`${index > 0 ? ', ' : ''}<a href="${itemPath(item.source, item.identifier, tablesPath)}?table=${table}&amp;format=csv" download>${label}</a>`)} <span class="muted">CSV</span></li>
<li><a href="${AGGREGATE_PATHS.site(item.source, part.series)}">All harvests of ${part.series}</a> <span class="muted">one after the other, and as METS that leads to the METS of each</span></li>`
}
</ul></section>`
  }
${part.comparison ? renderComparison(item, part.comparison) : ''}
<section aria-labelledby="snapshot"><h2 id="snapshot">Captures</h2>
<p class="muted">${countText(total)} ${total === 1 ? 'capture' : 'captures'} of ${countText(hostCount)} ${hostCount === 1 ? 'host' : 'hosts'}, by address.</p>
${renderPaging(item, part)}
<div class="scroll" role="region" aria-labelledby="snapshot" tabindex="0"><table class="captures">
<thead><tr><th scope="col">Address</th><th scope="col">Captured</th><th scope="col">Answer</th><th scope="col">Size</th><th scope="col">Digest</th></tr></thead>
<tbody>${captures.map((capture) => renderRow(capture, archiveOrigin))}</tbody></table></div>
</section>
<section aria-labelledby="snapshot-hosts"><h2 id="snapshot-hosts">Hosts</h2>
<table><thead><tr><th scope="col">Host</th><th scope="col">Captures</th></tr></thead>
<tbody>${hosts.map(({ host, captures: count }) => html`<tr><td>${host}</td><td class="number">${countText(count)}</td></tr>`)}</tbody></table>
${hostCount > hosts.length ? html`<p class="muted">and ${countText(hostCount - hosts.length)} more</p>` : ''}</section>`;
}

/** Of a digest: enough to see whether two are the same. */
const SHOWN_DIGITS = 10;

const CHANGES = [
  ['same', 'the same, byte by byte'],
  ['similar', 'essentially unchanged'],
  ['changed', 'changed'],
  ['added', 'new'],
  ['gone', 'gone'],
] as const;

const CHANGE_HEADINGS = {
  changed: 'Changed',
  added: 'New',
  gone: 'Gone',
  similar: 'Essentially unchanged',
} as const;

function renderComparison(item: ItemRef, comparison: SnapshotComparison): Html {
  const { identifier, essentiallyUnchanged = [], named = {} } = comparison;
  const found = CHANGES.filter(([change]) => comparison[change] > 0);
  const listed = [
    ...(['changed', 'added', 'gone'] as const).map((change) => ({
      change,
      addresses: (named[change] ?? []).map(({ url, status }) =>
        isItem(status)
          ? renderAddress(item, url)
          : html`<li>${url} <span class="muted">${status}</span></li>`,
      ),
    })),
    {
      change: 'similar' as const,
      addresses: essentiallyUnchanged.map(({ url, similarity }) =>
        renderAddress(item, url, `${Math.round(similarity * 100)} % of its words in common`),
      ),
    },
  ];
  return html`<section aria-labelledby="compared"><h2 id="compared">Since the snapshot before</h2>
<p>Addresses, compared with <a href="${itemPath(item.source, identifier)}">${identifier}</a>: ${found.map(([change, label], index) => html`${index > 0 ? ', ' : ''}${countText(comparison[change])} ${label}`)}.</p>
${listed.map(({ change, addresses }) => (addresses.length === 0 ? '' : renderChange(change, addresses, comparison[change])))}</section>`;
}

/** A few are shown at once. */
const SHOWN_ADDRESSES = 10;

function renderChange(change: keyof typeof CHANGE_HEADINGS, addresses: readonly Html[], total: number): Html {
  const rest = total - addresses.length;
  return html`<details${total <= SHOWN_ADDRESSES ? raw(' open') : ''}><summary>${CHANGE_HEADINGS[change]}</summary><ul class="plain-list">${addresses}${rest > 0 ? html`<li class="muted">and ${countText(rest)} more</li>` : ''}</ul></details>`;
}

const renderAddress = (item: ItemRef, url: string, note?: string): Html =>
  html`<li><a href="${itemPath(item.source, url)}">${url}</a>${note === undefined ? '' : html` <span class="muted">${note}</span>`}</li>`;

/** Other answers are in the archive, but are no items. What was not modified had a good answer before. */
const isItem = (status: number | undefined): boolean =>
  status === undefined || (status >= 200 && status < 300) || status === 304;

function renderRow(capture: StoredCapture, archiveOrigin: string | undefined): Html {
  const { url, item = url, source, at, status, mediaType, contentLength, type, digest, file } = capture;
  const when = instantText(at);
  const answer = `${status ?? ''} ${type === 'revisit' ? 'unchanged' : (mediaType ?? type)}`;
  return html`<tr><td>${isItem(status) ? html`<a href="${itemPath(source, item)}">${url}</a>` : url}</td>
<td>${archiveOrigin === undefined || file === undefined ? when : html`<a href="${archiveOrigin}${writeArchiveAddress({ source, url, at })}">${when}</a>`}</td>
<td>${answer}</td><td class="number">${contentLength === undefined || type === 'revisit' ? '' : sizeText(contentLength)}</td><td>${digest === undefined ? '' : html`<code title="${digest}">${digest.slice(0, SHOWN_DIGITS)}</code>`}</td></tr>`;
}

function renderPaging(item: ItemRef, { page, pages }: SnapshotListing): Html {
  if (pages === 1) return html``;
  const to = (target: number) => `${itemPath(item.source, item.identifier)}?page=${target}#snapshot`;
  return html`<nav class="paging" aria-label="Pages of captures">
    ${page > 1 ? html`<a rel="prev" href="${to(page - 1)}">← Previous</a>` : html`<span></span>`}
    <span>Page ${countText(page)} of ${countText(pages)}</span>
    ${page < pages ? html`<a rel="next" href="${to(page + 1)}">Next →</a>` : html`<span></span>`}
  </nav>`;
}
