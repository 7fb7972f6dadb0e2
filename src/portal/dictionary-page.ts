/** All data elements, to be looked through and searched. */
import { html } from 'hono/html';
import type { DataDictionary } from '../federate/dictionary/dictionary.ts';
import type { ElementEntry } from '../federate/dictionary/element-index.ts';
import { countText } from './field-text.ts';
import { type Html, renderPage, type Site } from './page.ts';

export interface DictionaryPageParts {
  readonly site: Site;
  readonly dictionaries: readonly DataDictionary[];
  /** What the reader asked for. */
  readonly text: string;
  readonly dictionary: string | undefined;
  readonly found: readonly ElementEntry[];
  /** How many there are; `found` is the first part of them. */
  readonly total: number;
  readonly moreHref: string | undefined;
  readonly signedInAs?: string | undefined;
}

export function renderDictionaryPage(page: DictionaryPageParts): Html {
  const { site, dictionaries, text, dictionary, found, total, moreHref, signedInAs } = page;
  const main = html`<div class="wrap">
  <h1>Data elements</h1>
  <p>What the attributes of profiles and records mean, in which units and with which values.</p>
  <form class="search-form" action="/dictionary" role="search" aria-label="Data elements">
    <div class="search-row">
      <label class="hidden" for="element-q">Words in names, definitions and values</label>
      <input id="element-q" name="q" type="search" value="${text}" placeholder="Words in names, definitions and values" maxlength="200">
      <button>Search</button>
    </div>
    <div class="options-row">
      <p class="field inline"><label for="element-dictionary">Dictionary</label>
      <select id="element-dictionary" name="dictionary">
        <option value="">all</option>
        ${dictionaries.map(({ identifier, title }) => html`<option value="${identifier}"${identifier === dictionary ? html` selected` : ''}>${title}</option>`)}
      </select></p>
    </div>
  </form>
  <p role="status">${total === 0 ? 'No element has these words.' : `${countText(total)} ${total === 1 ? 'element' : 'elements'}`}</p>
  ${found.length === 0 ? '' : renderTable(found, dictionaries)}
  ${moreHref === undefined ? '' : html`<nav class="paging" aria-label="Pages"><span></span><a rel="next" href="${moreHref}">More elements →</a></nav>`}
  <h2 id="dictionaries">Dictionaries</h2>
  <div class="scroll" role="region" aria-labelledby="dictionaries" tabindex="0"><table>
    <thead><tr><th scope="col">Dictionary</th><th scope="col">Elements</th><th scope="col">Download</th></tr></thead>
    <tbody>${dictionaries.map(
      ({ identifier, title, elements }) => html`<tr>
      <th scope="row"><a href="/dictionary?dictionary=${identifier}">${title}</a></th>
      <td class="number">${countText(new Set(elements.map(({ name }) => name)).size)}</td>
      <td>${(['xml', 'csv', 'json'] as const).map((form, i) => html`${i > 0 ? ', ' : ''}<a href="/api/dictionaries/${identifier}?format=${form}">${form.toUpperCase()}</a>`)}</td></tr>`,
    )}</tbody>
  </table></div>
</div>`;
  return renderPage({ site, title: 'Data elements', main, place: 'dictionary', query: '', signedInAs });
}

function renderTable(found: readonly ElementEntry[], dictionaries: readonly DataDictionary[]): Html {
  const titleOf = (identifier: string) =>
    dictionaries.find((dictionary) => dictionary.identifier === identifier)?.title ?? identifier;
  return html`<div class="scroll" role="region" aria-label="Elements" tabindex="0"><table>
    <thead><tr><th scope="col">Name</th><th scope="col">Definition</th><th scope="col">Datatype</th><th scope="col">Unit</th><th scope="col">Status</th><th scope="col">Dictionary</th></tr></thead>
    <tbody>${found.map(
      ({ key, dictionary, current }) => html`<tr>
      <th scope="row"><a href="${elementHref(key)}">${current.name}</a></th><td>${current.definition}</td>
      <td>${current.datatype ?? ''}</td><td>${current.unit ?? ''}</td><td>${current.registrationStatus}</td><td>${titleOf(dictionary)}</td></tr>`,
    )}</tbody>
  </table></div>`;
}

export const elementHref = (key: string): string => `/dictionary/${encodeURIComponent(key)}`;
