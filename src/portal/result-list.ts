/** Hits as a list of cards. */
import { html } from 'hono/html';
import { itemPath } from '../core/identifiers.ts';
import type { Fields, FieldValue } from '../core/model.ts';
import type { Hit, Snippet } from '../store/index.ts';
import { isBox, valueText } from './field-text.ts';
import type { Html, NamedThing, Site } from './page.ts';
import { renderSnippet, shorten } from './snippet.ts';
import { renderMap } from './world-map.ts';

/** Fields that a card shows, by the names the built-in formats use; a format without them has a plainer card. */
const DATE_FIELDS = ['date', 'published', 'time', 'modified'];
const TEXT_FIELDS = ['description', 'subject'];

export function renderHits(hits: readonly Hit[], site: Site, firstRank: number): Html {
  return html`<ol class="hits" start="${firstRank}">
${hits.map((hit) => renderHit(hit, site))}
</ol>`;
}

function renderHit(hit: Hit, site: Site): Html {
  const boxes = Object.values(hit.fields).flat().filter(isBox);
  const creators = texts(hit.fields, 'creator');
  const date = firstOf(hit.fields, DATE_FIELDS);
  const type = texts(hit.fields, 'type')[0];
  return html`<li class="hit">
  <article>
    <h3><a class="hit-link" href="${itemPath(hit.source, hit.identifier)}">${renderTitle(hit)}</a></h3>
    <p class="facts">
      ${creators.length ? html`<span class="creators">${creatorLine(creators)}</span>` : ''}
      ${date === undefined ? '' : html`<span>${valueText(date, true)}</span>`}
      ${type === undefined ? '' : html`<span>${shorten(type, 40)}</span>`}
      <span class="badge">${titleOf(hit.source, site.sources)}</span>
    </p>
    ${renderText(hit)}
    ${renderReasons(hit, site)}
  </article>
  ${boxes.length ? renderMap(boxes, 'small') : ''}
</li>`;
}

function matchesIn(hit: Hit, field: string): readonly Snippet[] {
  return (hit.highlights?.[field] ?? []).filter((snippet) => snippet.marks.length > 0);
}

/** The highlighted title, when the snippet is the whole of it. */
function renderTitle(hit: Hit): Html | string {
  const [snippet] = matchesIn(hit, 'title');
  const whole = snippet && hit.title !== undefined && snippet.text.length >= hit.title.length;
  return whole ? renderSnippet(snippet) : (hit.title ?? hit.identifier);
}

function renderText(hit: Hit): Html | string {
  const snippets = matchesIn(hit, 'description').slice(0, 2);
  if (snippets.length)
    return html`<p class="text">${snippets.map((snippet, i) => html`${i ? ' ' : ''}${renderSnippet(snippet)}`)}</p>`;
  const text = firstOf(hit.fields, TEXT_FIELDS);
  return text === undefined ? '' : html`<p class="text">${shorten(valueText(text, false), 280)}</p>`;
}

/** Why it was found, where neither title nor text shows it. */
function renderReasons(hit: Hit, site: Site): Html | string {
  if (matchesIn(hit, 'title').length || matchesIn(hit, 'description').length) return '';
  const reasons = Object.keys(hit.highlights ?? {}).flatMap((field) =>
    matchesIn(hit, field)
      .slice(0, 1)
      .map((snippet) => ({ label: site.fieldLabels[field] ?? 'Record', snippet })),
  );
  if (reasons.length === 0) return '';
  return html`<p class="reasons">${reasons.slice(0, 2).map(({ label, snippet }) => html`<span><span class="label">${label}</span> ${renderSnippet(snippet)}</span>`)}</p>`;
}

export function titleOf(name: string, things: readonly NamedThing[]): string {
  return things.find((thing) => thing.name === name)?.title ?? name;
}

function creatorLine(creators: readonly string[]): string {
  const shown = creators.slice(0, 3).map((creator) => shorten(creator, 60));
  return creators.length > 3 ? `${shown.join('; ')} and ${creators.length - 3} more` : shown.join('; ');
}

function texts(fields: Fields, name: string): string[] {
  return (fields[name] ?? []).filter((value) => typeof value === 'string');
}

function firstOf(fields: Fields, names: readonly string[]): FieldValue | undefined {
  for (const name of names) {
    const value = fields[name]?.[0];
    if (value !== undefined && value !== '') return value;
  }
  return undefined;
}
