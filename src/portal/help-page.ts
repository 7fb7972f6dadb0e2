/** How to search, with the fields that this collection has. */
import { html } from 'hono/html';
import type { FieldSpec } from '../core/model.ts';
import { type Html, renderPage, type Site } from './page.ts';
import { EMPTY_STATE, searchHref } from './search-state.ts';

const SYNTAX: readonly (readonly [example: string, meaning: string])[] = [
  ['sea ice', 'both words, anywhere in the record'],
  ['"sea level"', 'the words side by side, exactly as written'],
  ['"sea level"~3', 'the same words with at most three others between them'],
  ['ice OR snow', 'either word'],
  ['cloud -draft', 'the first word without the second; NOT draft says the same'],
  ['(ice OR snow) AND river', 'brackets group'],
  ['glac*', 'words that begin like this; ? stands for one character'],
  ['Kattegatt~', 'words spelled nearly like this'],
  ['title:cloud', 'the word in one field'],
  ['date:[2004 TO 2006-06]', 'from the start of 2004 to the end of June 2006'],
  ['date:>=1990', 'from 1990 on'],
  ['bbox:[-5,47,20,55]', 'an area that touches west, south, east, north'],
  ['creator:*', 'records that have a creator at all'],
];

const TYPE_TEXT: Readonly<Record<FieldSpec['type'], string>> = {
  text: 'words',
  string: 'words or whole values',
  uri: 'addresses',
  number: 'numbers and ranges',
  date: 'dates and ranges',
  interval: 'periods; a range finds what overlaps it',
  bbox: 'areas',
};

export interface HelpPageParts {
  readonly site: Site;
  readonly fields: readonly FieldSpec[];
  readonly signedInAs?: string | undefined;
}

export function renderHelpPage({ site, fields, signedInAs }: HelpPageParts): Html {
  const known = new Set(fields.map((field) => field.name));
  const usable = SYNTAX.filter(([example]) => {
    const field = /^([a-z]+):/.exec(example)?.[1];
    return field === undefined || known.has(field);
  });
  const main = html`<div class="wrap narrow-text">
  <h1>How to search</h1>
  <p>Type words. Case and accents do not matter, and English words are also found in their other forms. These signs say more:</p>
  <div class="scroll" role="region" aria-label="Query syntax" tabindex="0"><table>
    <thead><tr><th scope="col">You write</th><th scope="col">You find</th></tr></thead>
    <tbody>${usable.map(([example, meaning]) => html`<tr><td><a href="${searchHref({ ...EMPTY_STATE, q: example })}"><code>${example}</code></a></td><td>${meaning}</td></tr>`)}</tbody>
  </table></div>
  <h2>Fields</h2>
  <p>Put a field’s name and a colon before a word, phrase or range.</p>
  <div class="scroll" role="region" aria-label="Fields" tabindex="0"><table>
    <thead><tr><th scope="col">Field</th><th scope="col">Meaning</th><th scope="col">Holds</th></tr></thead>
    <tbody>${fields.filter((field) => field.indexed).map((field) => html`<tr><td><code>${field.name}</code></td><td>${field.label}</td><td>${field.tokenised || field.type !== 'string' ? TYPE_TEXT[field.type] : 'whole values'}</td></tr>`)}</tbody>
  </table></div>
  <h2>For programs</h2>
  <p>The same questions are answered as JSON under <a href="/api/search"><code>/api/search</code></a>; <a href="/api/openapi.json">the OpenAPI description</a> lists everything. Items answer to <code>Accept: application/xml</code>, <code>application/json</code> and <code>application/ld+json</code>.</p>
</div>`;
  return renderPage({ site, title: 'How to search', main, place: 'help', query: '', signedInAs });
}
