/** The landing page of one item. */
import { html, raw } from 'hono/html';
import { attributeSpec, parseAttributeField } from '../core/attributes.ts';
import { itemPath } from '../core/identifiers.ts';
import type { FieldSpec, Fields, FieldValue } from '../core/model.ts';
import { isDomainKey } from '../formats/oodt-profile/profile.ts';
import type { PackageForm } from '../packaging/package-form.ts';
import type { LinkedItems } from '../packaging/records/snapshot-links.ts';
import type { Hit, StoredItem } from '../store/index.ts';
import { type CapturesPart, renderCaptures } from './captures-section.ts';
import { instantText, isBox, isWebAddress, sizeText, valueText } from './field-text.ts';
import { itemJsonLd, scriptSafeJson } from './json-ld.ts';
import { renderLinked } from './linked-section.ts';
import { type Html, renderPage, type Site } from './page.ts';
import { titleOf } from './result-list.ts';
import { EMPTY_STATE, searchHref, withFilter } from './search-state.ts';
import { renderSnapshot, type SnapshotPart } from './snapshot-section.ts';
import { renderTrust, type TrustPart } from './trust-section.ts';
import { renderMap, WORLD_SYMBOL } from './world-map.ts';

export interface ItemPageParts {
  readonly site: Site;
  readonly item: StoredItem;
  /** In the order in which they are shown. */
  readonly fields: readonly FieldSpec[];
  readonly formatLabel: (name: string) => string;
  readonly similar: readonly Hit[];
  /** Of archived web content. */
  readonly captures?: CapturesPart | undefined;
  /** Of a crawl or import as a whole. */
  readonly snapshot?: SnapshotPart | undefined;
  /** Of archived pages and snapshots. */
  readonly trust?: TrustPart | undefined;
  /** Snapshots that document it, or records that it documents. */
  readonly linked?: LinkedItems | undefined;
  /** What it can be had as, whole. */
  readonly packages?: readonly Pick<PackageForm, 'name' | 'label' | 'extension'>[];
  /** Prefixes of the formats that are made of it when they are asked for. */
  readonly forms?: readonly string[];
  readonly signedInAs?: string | undefined;
}

const FORM_LABELS: Readonly<Record<string, string>> = {
  http_header: 'HTTP headers',
  oai_didl: 'MPEG-21 DIDL',
  mets: 'METS',
};

/** These stand at the head of the page, not in the table. */
const HEAD_FIELDS = new Set(['title', 'creator', 'description']);
/** For machines, or told in a part of their own. */
const HIDDEN_FIELDS = new Set(['tagDigest', 'doubtful', 'cataloguedBy']);
/** Records with thousands of keywords exist. */
const MOST_VALUES = 60;

export function renderItemPage(parts: ItemPageParts): Html {
  const { site, item, similar } = parts;
  const path = itemPath(item.source, item.identifier);
  const boxes = Object.values(item.fields).flat().filter(isBox);
  const title = item.title ?? item.identifier;
  const texts = (name: string) => (item.fields[name] ?? []).map((value) => valueText(value, false));
  const creators = texts('creator');
  const main = html`${WORLD_SYMBOL}
<article class="wrap item-page">
  <p class="crumbs"><a href="${searchHref({ ...EMPTY_STATE, sources: [item.source] })}">${titleOf(item.source, site.sources)}</a></p>
  <h1>${title}</h1>
  ${creators.length ? html`<p class="by">${creators.slice(0, MOST_VALUES).join('; ')}${creators.length > MOST_VALUES ? ` and ${creators.length - MOST_VALUES} more` : ''}</p>` : ''}
  ${item.status === 'deleted' ? html`<p class="note">This item was withdrawn. What it was is kept in its <a href="${versionsPath(item)}">history</a>.</p>` : ''}
  <div class="columns">
    <div class="results">
      ${texts('description').map((text) => html`<div class="prose">${paragraphs(text)}</div>`)}
      ${renderFields(parts)}
      ${parts.trust ? renderTrust(parts.trust) : ''}
      ${parts.linked ? renderLinked(parts.linked) : ''}
      ${parts.captures ? renderCaptures(parts.captures) : ''}
      ${parts.snapshot ? renderSnapshot(item, parts.snapshot) : ''}
    </div>
    <aside class="item-side" aria-label="About this item">
      ${boxes.length ? html`<section><h2>Area</h2>${renderMap(boxes, 'large')}<p class="muted">${boxes.slice(0, 3).map((box, i) => html`${i ? raw('<br>') : ''}${valueText(box, false)}`)}${boxes.length > 3 ? ` and ${boxes.length - 3} more` : ''}</p></section>` : ''}
      ${
        item.status === 'live'
          ? html`<section><h2>Download</h2><ul class="downloads">
        ${item.records.filter((record) => record.status === 'live').map((record) => html`<li><a href="${path}?format=raw&amp;schema=${record.format}">${parts.formatLabel(record.format)}</a> <span class="muted">as received, ${sizeText(record.size)}</span></li>`)}
        ${item.records.some((record) => record.format === 'oai_dc' && record.status === 'live') ? '' : html`<li><a href="${path}?format=oai_dc">Dublin Core</a> <span class="muted">XML</span></li>`}
        ${(parts.packages ?? []).map(({ name, label, extension }) => html`<li><a href="${itemPath(item.source, item.identifier, '/packages/')}?format=${name}">${label}</a> <span class="muted">whole, ${extension.slice(1)}</span></li>`)}
        ${(parts.forms ?? []).map((prefix) => html`<li><a href="${path}?format=${prefix}">${FORM_LABELS[prefix] ?? prefix}</a> <span class="muted">XML</span></li>`)}
        <li><a href="${path}?format=json">JSON</a></li>
        <li><a href="${path}?format=jsonld">JSON-LD</a></li>
      </ul></section>`
          : ''
      }
      <section><h2>Record</h2><dl class="small">
        <dt>Identifier</dt><dd><code>${item.identifier}</code></dd>
        <dt>OAI identifier</dt><dd><code>${item.oaiIdentifier}</code></dd>
        <dt>First seen</dt><dd>${instantText(item.firstSeenAt)}</dd>
        ${item.records.map((record) => html`<dt>${parts.formatLabel(record.format)}</dt><dd>version ${record.version}, ${instantText(record.datestampAt)}</dd>`)}
        ${item.sets.length ? html`<dt>Sets</dt><dd>${item.sets.join(', ')}</dd>` : ''}
        ${item.views.length ? html`<dt>Views</dt><dd>${item.views.map((view, i) => html`${i ? ', ' : ''}<a href="${searchHref({ ...EMPTY_STATE, view })}">${titleOf(view, site.views)}</a>`)}</dd>` : ''}
      </dl><p><a href="${versionsPath(item)}">All versions</a></p></section>
      ${similar.length ? html`<section><h2>Similar items</h2><ul class="plain-list">${similar.map((hit) => html`<li><a href="${itemPath(hit.source, hit.identifier)}">${hit.title ?? hit.identifier}</a></li>`)}</ul></section>` : ''}
    </aside>
  </div>
</article>`;
  const canonical = site.baseUrl + path;
  const head = html`<link rel="canonical" href="${canonical}">
<link rel="alternate" type="application/ld+json" href="${path}?format=jsonld">
<script type="application/ld+json">${raw(scriptSafeJson(itemJsonLd(item, canonical)))}</script>`;
  return renderPage({ site, title, main, head, query: '', signedInAs: parts.signedInAs });
}

export function versionsPath(item: { source: string; identifier: string }): string {
  return itemPath(item.source, item.identifier, '/versions/');
}

function renderFields({ item, fields }: ItemPageParts): Html {
  const rows = [...fields, ...listAttributeFields(item.fields)].filter(
    (field) =>
      !HEAD_FIELDS.has(field.name) &&
      !HIDDEN_FIELDS.has(field.name) &&
      field.type !== 'bbox' &&
      item.fields[field.name]?.length,
  );
  if (rows.length === 0) return html``;
  return html`<dl class="fields">${rows.map((field) => {
    const values = item.fields[field.name] ?? [];
    return html`<div><dt>${breakable(field.label)}</dt><dd>${renderValues(field, values.slice(0, MOST_VALUES))}${values.length > MOST_VALUES ? html`<p class="muted">and ${values.length - MOST_VALUES} more</p>` : ''}</dd></div>`;
  })}</dl>`;
}

/** Long names of attributes break where their words end. */
function breakable(label: string): Html {
  return html`${label.split('_').map((word, i) => html`${i ? raw('_<wbr>') : ''}${word}`)}`;
}

/** What profiles tell of their domain. */
function listAttributeFields(fields: Fields): FieldSpec[] {
  return Object.keys(fields).flatMap((name) => {
    const parsed = parseAttributeField(name);
    return parsed && parsed.part !== 'any' && isDomainKey(parsed.key) ? (attributeSpec(name) ?? []) : [];
  });
}

function renderValues(field: FieldSpec, values: readonly FieldValue[]): Html {
  const one = (value: FieldValue) => {
    const text = valueText(value, field.type === 'date');
    if (isWebAddress(text)) return html`<a href="${text}" rel="noopener nofollow">${text}</a>`;
    if (field.facet && field.type === 'string')
      return html`<a class="chip" href="${searchHref(withFilter(EMPTY_STATE, { field: field.name, value: text }))}">${text}</a>`;
    return text;
  };
  if (values.length === 1 && values[0] !== undefined) return html`${one(values[0])}`;
  const chips = field.facet && field.type === 'string';
  return html`<ul class="${chips ? 'cloud' : 'values'}">${values.map((value) => html`<li>${one(value)}</li>`)}</ul>`;
}

function paragraphs(text: string): Html {
  return html`${text.split(/\n\s*\n/).map((paragraph) => html`<p>${paragraph.trim()}</p>`)}`;
}
