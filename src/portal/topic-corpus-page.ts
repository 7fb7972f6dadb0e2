/** The corpus of a topic's snapshot: its documents, its words, and what changed since the one before. */
import { html } from 'hono/html';
import { itemPath } from '../core/identifiers.ts';
import {
  type Corpus,
  type CorpusChanges,
  type CorpusDocument,
  stampOf,
  type WordShift,
} from '../discover/index.ts';
import { countText, instantText, isWebAddress } from './field-text.ts';
import { type Html, renderPage, type Site } from './page.ts';

export interface CorpusPageParts {
  readonly site: Site;
  readonly acronym: string;
  readonly title: string;
  /** Absent: there is none yet. */
  readonly corpus: Corpus | undefined;
  readonly changes: CorpusChanges | undefined;
  /** The most frequent words that tell something. */
  readonly words: Corpus['words'];
  /** Of all snapshots that have a corpus, newest first. */
  readonly stamps: readonly string[];
  readonly signedInAs?: string | undefined;
}

const MOST_DOCUMENTS = 1000;

export function renderCorpusPage(parts: CorpusPageParts): Html {
  const { site, acronym, title, corpus, stamps } = parts;
  const main = html`<div class="wrap">
  <p class="crumbs"><a href="/topics">Topics</a> <a href="/topics/${acronym}">${acronym}</a></p>
  <h1>Corpus of ${title} <span class="muted">${acronym}</span></h1>
  ${corpus ? renderCorpus(parts, corpus) : html`<p class="empty">There is none yet: <code>garner discover ${acronym}</code></p>`}
  ${
    stamps.length < 2
      ? ''
      : html`<nav aria-label="Snapshots"><h2>Snapshots</h2><ul class="cloud">${stamps.map(
          (stamp) =>
            html`<li><a class="chip" href="${corpusPath(acronym, stamp)}"${corpus && stampOf(corpus.snapshot) === stamp ? html` aria-current="page"` : ''}>${stamp}</a></li>`,
        )}</ul></nav>`
  }
</div>`;
  return renderPage({
    site,
    title: `Corpus of ${acronym}`,
    main,
    place: 'topics',
    query: '',
    signedInAs: parts.signedInAs,
  });
}

export const corpusPath = (acronym: string, stamp: string): string =>
  `/topics/${acronym}/corpus?snapshot=${stamp}`;

function renderCorpus({ acronym, changes, words }: CorpusPageParts, corpus: Corpus): Html {
  const { snapshot, documents, wordCount, unread } = corpus;
  const stamp = stampOf(snapshot);
  const download = (file: string) => `/topics/${acronym}/corpus/${file}?snapshot=${stamp}`;
  const tiles: readonly (readonly [string, number])[] = [
    ['Documents', documents.length],
    ['Words', wordCount],
    ['Different words', corpus.words.length],
    ['References', documents.reduce((sum, { references }) => sum + references.length, 0)],
  ];
  return html`<p>Of the snapshot <a href="${itemPath(acronym, snapshot)}">${snapshot}</a>.</p>
  <dl class="tiles">${tiles.map(([label, count]) => html`<div><dt>${label}</dt><dd>${countText(count)}</dd></div>`)}</dl>
  <p>Download: <a href="${download('corpus.zip')}">texts, metadata and words (zip)</a>, <a href="${download('corpus.json')}">metadata (JSON)</a>, <a href="${download('words.csv')}">word frequencies (CSV)</a></p>
  ${changes ? renderChanges(acronym, stamp, changes) : ''}
  <h2 id="words">Words</h2>
  <p class="muted">Without numbers and words that every text has; the table to download has all.</p>
  <ol class="word-list">${words.map(({ word, count, documents: having }) => html`<li><a href="/search?source=${acronym}&q=${word}">${word}</a> <span class="muted">${countText(count)} in ${countText(having)}</span></li>`)}</ol>
  <h2 id="documents">Documents</h2>
  <div class="scroll" role="region" aria-labelledby="documents" tabindex="0"><table class="candidates">
    <thead><tr><th scope="col">Document</th><th scope="col">Type</th><th scope="col">Words</th><th scope="col">References</th><th scope="col">Identifiers</th><th scope="col">Captured</th></tr></thead>
    <tbody>${documents.slice(0, MOST_DOCUMENTS).map(
      (
        document,
      ) => html`<tr><td>${renderDocumentLink(acronym, stamp, document)}${document.authors.length === 0 ? '' : html`<br><small>${document.authors.slice(0, 5).join('; ')}</small>`}</td>
      <td>${document.mediaType}</td><td class="number">${countText(document.wordCount)}</td><td class="number">${countText(document.references.length)}</td>
      <td>${document.identifiers.map(({ kind, value, url }) => html`${url !== undefined && isWebAddress(url) ? html`<a href="${url}" rel="nofollow noopener">${kind} ${value}</a>` : `${kind} ${value}`}<br>`)}</td><td>${instantText(document.capturedAt)}</td></tr>`,
    )}</tbody></table></div>
  ${documents.length > MOST_DOCUMENTS ? html`<p class="muted">The first ${countText(MOST_DOCUMENTS)} of ${countText(documents.length)}; the download has all.</p>` : ''}
  ${unread.length === 0 ? '' : html`<h2 id="unread">Not read</h2><ul>${unread.map(({ url, reason }) => html`<li>${url} <span class="muted">${reason}</span></li>`)}</ul>`}`;
}

export function renderDocumentLink(acronym: string, stamp: string, { url, title }: CorpusDocument): Html {
  const href = `/topics/${acronym}/corpus/document?snapshot=${stamp}&url=${encodeURIComponent(url)}`;
  return html`<a href="${href}">${title ?? url}</a><br><small class="muted">${url}</small>`;
}

function renderChanges(acronym: string, stamp: string, changes: CorpusChanges): Html {
  const { before, added, gone, changed, same, risen, fallen } = changes;
  const list = (id: string, label: string, documents: readonly CorpusDocument[], from: string): Html | '' =>
    documents.length === 0
      ? ''
      : html`<details><summary>${label} <span class="count">${countText(documents.length)}</span></summary><ul id="${id}">${documents.map((document) => html`<li>${renderDocumentLink(acronym, from, document)}</li>`)}</ul></details>`;
  return html`<section aria-labelledby="changes"><h2 id="changes">Since <a href="${corpusPath(acronym, stampOf(before))}">${before}</a></h2>
  <p>${countText(added.length)} documents are new, ${countText(gone.length)} are gone, ${countText(changed.length)} have another text, ${countText(same)} are the same.</p>
  ${list('added', 'New', added, stamp)}${list('changed', 'Changed', changed, stamp)}${list('gone', 'Gone', gone, stampOf(before))}
  ${renderShifts('risen', 'Words that have risen', risen)}${renderShifts('fallen', 'Words that have fallen', fallen)}</section>`;
}

function renderShifts(id: string, label: string, shifts: readonly WordShift[]): Html | '' {
  if (shifts.length === 0) return '';
  return html`<details><summary>${label} <span class="count">${countText(shifts.length)}</span></summary>
  <div class="scroll" role="region" aria-label="${label}" tabindex="0"><table id="${id}">
    <thead><tr><th scope="col">Word</th><th scope="col">Before</th><th scope="col">Now</th><th scope="col">In a million, before</th><th scope="col">Now</th></tr></thead>
    <tbody>${shifts.map(({ word, before, now, rateBefore, rateNow }) => html`<tr><td>${word}</td><td class="number">${countText(before)}</td><td class="number">${countText(now)}</td><td class="number">${countText(Math.round(rateBefore))}</td><td class="number">${countText(Math.round(rateNow))}</td></tr>`)}</tbody></table></div></details>`;
}
