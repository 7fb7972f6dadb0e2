/** One document of a corpus: what it says of itself, its words, its references, its text. */
import { html } from 'hono/html';
import { itemPath } from '../core/identifiers.ts';
import { type Corpus, type CorpusDocument, stampOf } from '../discover/index.ts';
import { countText, instantText, isWebAddress } from './field-text.ts';
import { type Html, renderPage, type Site } from './page.ts';
import { corpusPath } from './topic-corpus-page.ts';

export interface DocumentPageParts {
  readonly site: Site;
  readonly corpus: Corpus;
  readonly document: CorpusDocument;
  readonly text: string;
  readonly signedInAs?: string | undefined;
}

const MOST_WORDS = 40;
const MOST_TEXT = 200_000;

export function renderDocumentPage({ site, corpus, document, text, signedInAs }: DocumentPageParts): Html {
  const { acronym, snapshot } = corpus;
  const { url, title, authors, abstract, identifiers, mentioned, references, words, wordCount } = document;
  const main = html`<div class="wrap">
  <p class="crumbs"><a href="/topics">Topics</a> <a href="/topics/${acronym}">${acronym}</a> <a href="${corpusPath(acronym, stampOf(snapshot))}">Corpus</a></p>
  <h1>${title ?? url}</h1>
  <p><a href="${itemPath(acronym, url)}">In the archive</a>${isWebAddress(url) ? html`, <a href="${url}" rel="nofollow noopener">on the web</a>` : ''}; captured ${instantText(document.capturedAt)}, ${document.mediaType}, ${countText(wordCount)} words</p>
  ${authors.length === 0 ? '' : html`<p>By ${authors.join('; ')}</p>`}
  ${abstract === undefined ? '' : html`<h2>Abstract</h2><p>${abstract}</p>`}
  ${renderIdentifiers('Identifiers', identifiers)}
  ${renderIdentifiers('Speaks of', mentioned)}
  <h2>Words</h2>
  <ol class="word-list">${Object.entries(words)
    .slice(0, MOST_WORDS)
    .map(([word, count]) => html`<li>${word} <span class="muted">${countText(count)}</span></li>`)}</ol>
  ${references.length === 0 ? '' : html`<h2>References</h2><ol>${references.map((reference) => html`<li>${reference.text}${reference.identifiers.map(({ kind, value, url: address }) => (address === undefined ? html` <small>${kind} ${value}</small>` : html` <small><a href="${address}" rel="nofollow noopener">${kind} ${value}</a></small>`))}</li>`)}</ol>`}
  <h2>Text</h2>
  <div class="document-text">${text.slice(0, MOST_TEXT).replaceAll('\f', '\n\n')}</div>
  ${text.length > MOST_TEXT ? html`<p class="muted">The beginning; the download has all.</p>` : ''}
</div>`;
  return renderPage({ site, title: title ?? url, main, place: 'topics', query: '', signedInAs });
}

function renderIdentifiers(label: string, identifiers: CorpusDocument['identifiers']): Html | '' {
  if (identifiers.length === 0) return '';
  return html`<h2>${label}</h2><ul>${identifiers.map(({ kind, value, url }) => html`<li>${kind} ${url === undefined ? value : html`<a href="${url}" rel="nofollow noopener">${value}</a>`}</li>`)}</ul>`;
}
