/** Hits as a list of cards. */
import { html } from 'hono/html';
import { itemPath } from '../core/identifiers.ts';
import type { Fields, FieldValue } from '../core/model.ts';
import type { Hit, Snippet } from '../store/index.ts';
import { isBox, valueText } from './field-text.ts';
import type { Html, NamedThing } from './page.ts';
import { renderSnippet, shorten } from './snippet.ts';
import { renderMap } from './world-map.ts';

/** Fields that a card shows, by the names the built-in formats use; a format without them has a plainer card. */
const DATE_FIELDS = ['date', 'published', 'time', 'modified'];
const TEXT_FIELDS = ['description', 'subject'];

export function renderHits(hits: readonly Hit[], sources: readonly NamedThing[], firstRank: number): Html {
  return html`<ol class="hits" start="${firstRank}">
${hits.map((hit) => renderHit(hit, sources))}
</ol>`;
}

function renderHit(hit: Hit, sources: readonly NamedThing[]): Html {
  const boxes = Object.values(hit.fields).flat().filter(isBox);
  const creators = texts(hit.fields, 'creator');
  const date = firstOf(hit.fields, DATE_FIELDS);
  const type = texts(hit.fields, 'type')[0];
  const titleSnippet = hit.highlights?.title?.[0];
  return html`<li class="hit">
  <article>
    <h3><a href="${itemPath(hit.source, hit.identifier)}">${wholeTitle(hit, titleSnippet)}</a></h3>
    <p class="facts">
      ${creators.length ? html`<span class="creators">${creatorLine(creators)}</span>` : ''}
      ${date === undefined ? '' : html`<span>${valueText(date, true)}</span>`}
      ${type === undefined ? '' : html`<span>${shorten(type, 40)}</span>`}
      <span class="badge">${titleOf(hit.source, sources)}</span>
    </p>
    ${renderText(hit)}
  </article>
  ${boxes.length ? renderMap(boxes, 'small') : ''}
</li>`;
}

/** The highlighted title, when the snippet is the whole of it. */
function wholeTitle(hit: Hit, snippet: Snippet | undefined): Html | string {
  if (snippet && hit.title !== undefined && snippet.text.length >= hit.title.length)
    return renderSnippet(snippet);
  return hit.title ?? hit.identifier;
}

function renderText(hit: Hit): Html | string {
  const snippets = Object.entries(hit.highlights ?? {})
    .filter(([field]) => field !== 'title')
    .flatMap(([, found]) => found)
    .filter((snippet) => snippet.marks.length > 0);
  if (snippets.length)
    return html`<p class="text">${snippets.slice(0, 2).map((snippet, i) => html`${i ? ' … ' : ''}${renderSnippet(snippet)}`)}</p>`;
  const text = firstOf(hit.fields, TEXT_FIELDS);
  return text === undefined ? '' : html`<p class="text">${shorten(valueText(text, false), 280)}</p>`;
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
