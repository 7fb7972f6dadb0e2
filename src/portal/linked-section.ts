/** Snapshots that document a record, or records that a snapshot documents: part of an item's page. */
import { html } from 'hono/html';
import { itemPath } from '../core/identifiers.ts';
import type { LinkedItems } from '../packaging/records/snapshot-links.ts';
import { countText } from './field-text.ts';
import type { Html } from './page.ts';

export function renderLinked({ direction, items, total }: LinkedItems): Html {
  const title = direction === 'documents' ? 'Documents' : 'Documented by';
  const what =
    direction === 'documents'
      ? 'Records about what these pages are about.'
      : 'Snapshots of web pages about it.';
  return html`<section class="linked" aria-labelledby="linked"><h2 id="linked">${title}</h2>
  <p class="muted">${what}</p>
  <ul class="plain-list">${items.map(
    (item) =>
      html`<li><a href="${itemPath(item.source, item.identifier)}">${item.title ?? item.identifier}</a> <span class="muted">${item.identifier}</span></li>`,
  )}</ul>
  ${total > items.length ? html`<p class="muted">and ${countText(total - items.length)} more</p>` : ''}</section>`;
}
