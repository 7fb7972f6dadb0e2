/** One topic: the ranked list of a run, who gave which rank, what changed, and the list as pictures. */
import { html } from 'hono/html';
import { type Candidate, type TopicRun, topicStatistics } from '../discover/index.ts';
import type { RunInfo } from '../store/index.ts';
import { countText, instantText, isWebAddress } from './field-text.ts';
import { type Html, renderPage, type Site } from './page.ts';
import { renderOverlap, renderShares } from './topic-charts.ts';

export const TOPIC_LISTS = ['all', 'html', 'other'] as const;
export type TopicList = (typeof TOPIC_LISTS)[number];

export interface TopicPageParts {
  readonly site: Site;
  readonly acronym: string;
  readonly title: string;
  /** The list that is shown; absent: there is none yet. */
  readonly run: TopicRun | undefined;
  /** Of the store; says whether it still goes on. */
  readonly info: RunInfo | undefined;
  readonly list: TopicList;
  /** Numbers of other runs with a list, newest first. */
  readonly otherRuns: readonly number[];
  readonly signedInAs?: string | undefined;
}

const LIST_TEXT: Readonly<Record<TopicList, string>> = { all: 'All', html: 'HTML', other: 'Not HTML' };
const MOST_BARS = 10;

export function chooseCandidates(run: TopicRun, list: TopicList): readonly Candidate[] {
  return list === 'all'
    ? run.candidates
    : run.candidates.filter(({ category }) => category.html === (list === 'html'));
}

export function renderTopicPage(page: TopicPageParts): Html {
  const { site, acronym, title, run } = page;
  const main = html`<div class="wrap">
  <p class="crumbs"><a href="/topics">Topics</a></p>
  <h1>${title} <span class="muted">${acronym}</span></h1>
  ${run ? renderRun(page, run) : html`<p class="empty">Nothing was asked yet: <code>garner discover ${acronym}</code></p>`}
</div>`;
  return renderPage({
    site,
    title: `${title} (${acronym})`,
    main,
    place: 'topics',
    query: '',
    signedInAs: page.signedInAs,
  });
}

function renderRun({ acronym, info, list, otherRuns }: TopicPageParts, run: TopicRun): Html {
  const statistics = topicStatistics(run);
  const going = info?.status === 'running';
  const href = (name: TopicList) =>
    `/topics/${acronym}?run=${run.runId}${name === 'all' ? '' : `&list=${name}`}`;
  const counts = { all: run.candidates.length, html: statistics.html, other: statistics.other };
  return html`<p>${going ? html`<strong>Going on</strong>: ${run.step === 'asking' ? 'engines are being asked' : `looked at ${run.looked} of ${run.candidates.length} addresses`}. This page renews itself.` : html`As of ${instantText(run.endedAt ?? run.startedAt)}, <a href="/runs/${run.runId}">run ${run.runId}</a>${info && info.status !== 'complete' ? ` (${info.status})` : ''}.`}</p>
  <p>Asked for ${run.queries.map((query, i) => html`${i > 0 ? ', ' : ''}<q>${query}</q>`)}; the best ${countText(run.depth)} of each engine count, ${run.method === 'weights' ? `a rank is worth ${run.depth} − rank + 1` : 'a rank is worth 1 ÷ (60 + rank)'}.</p>
  ${renderEngines(run)}
  <nav aria-label="Lists"><ul class="cloud">${TOPIC_LISTS.map((name) => html`<li><a class="chip" href="${href(name)}"${list === name ? html` aria-current="page"` : ''}>${LIST_TEXT[name]} <span class="count">${countText(counts[name])}</span></a></li>`)}</ul></nav>
  <p>Download: <a href="/topics/${acronym}.csv?run=${run.runId}">CSV</a>, <a href="/topics/${acronym}.json?run=${run.runId}">JSON</a></p>
  ${renderCandidates(run, chooseCandidates(run, list))}
  ${renderGone(run)}
  ${renderRefused(run)}
  ${
    run.candidates.length === 0
      ? ''
      : html`<h2 id="picture">The list as a whole</h2>
  <div class="charts">
    <figure><figcaption>Hosts by top-level domain</figcaption>${renderShares('Hosts by top-level domain', statistics.topLevel, MOST_BARS)}</figure>
    <figure><figcaption>Addresses by domain</figcaption>${renderShares('Addresses by domain', statistics.domains, MOST_BARS)}</figure>
    <figure><figcaption>What they are</figcaption>${renderShares('Kinds', statistics.kinds, MOST_BARS)}</figure>
    <figure><figcaption>How many engines agree</figcaption>${renderShares(
      'Addresses by number of engines',
      statistics.overlap.agreement.map((count, i) => ({
        name: i === 0 ? 'one engine' : `${i + 1} engines`,
        count,
      })),
      MOST_BARS,
    )}</figure>
    <figure><figcaption>Addresses that two engines have in common</figcaption>${renderOverlap(statistics.overlap)}</figure>
  </div>`
  }
  ${otherRuns.length === 0 ? '' : html`<p>Other runs: ${otherRuns.map((id, i) => html`${i > 0 ? ', ' : ''}<a href="/topics/${acronym}?run=${id}">${id}</a>`)}</p>`}`;
}

function renderEngines({ engines }: TopicRun): Html {
  return html`<div class="scroll" role="region" aria-label="Engines" tabindex="0"><table>
    <thead><tr><th scope="col">Engine</th><th scope="col">Kind</th><th scope="col">Results</th><th scope="col">State</th></tr></thead>
    <tbody>${engines.map(
      ({ name, kind, status, lists, message, code }) => html`<tr>
      <td>${name}</td><td>${kind}</td><td class="number">${countText(lists.reduce((sum, found) => sum + found.length, 0))}</td>
      <td>${status}${message === undefined ? '' : html`: ${message} <code class="muted">${code ?? ''}</code>`}</td></tr>`,
    )}</tbody></table></div>`;
}

function renderCandidates({ comparedWith }: TopicRun, candidates: readonly Candidate[]): Html {
  if (candidates.length === 0) return html`<p class="empty">Nothing is in this list.</p>`;
  return html`<div class="scroll" role="region" aria-label="Candidates" tabindex="0"><table class="candidates">
    <thead><tr><th scope="col">#</th><th scope="col">Address</th><th scope="col">Weight</th><th scope="col">Engines [rank]</th><th scope="col">What it is</th>${comparedWith === undefined ? '' : html`<th scope="col">Since run ${comparedWith}</th>`}</tr></thead>
    <tbody>${candidates.map(
      (candidate) => html`<tr>
      <td class="number">${candidate.position}</td>
      <td>${renderAddress(candidate)}</td>
      <td class="number">${weightText(candidate.weight)}</td>
      <td>${Object.entries(candidate.ranks)
        .map(([engine, rank]) => `${engine} [${rank}]`)
        .join(', ')}</td>
      <td>${candidate.category.kind}<br><small class="muted">${candidate.category.reason}; ${typeText(candidate)}${candidate.lookFailure === undefined ? '' : `; ${candidate.lookFailure}`}</small></td>
      ${comparedWith === undefined ? '' : html`<td>${changeText(candidate)}</td>`}
    </tr>`,
    )}</tbody></table></div>`;
}

function renderAddress({ url, title, snippet, originals, landedAt }: Candidate): Html {
  const others = originals.filter((other) => other !== url);
  return html`${isWebAddress(url) ? html`<a href="${url}" rel="nofollow noopener">${title ?? url}</a>` : (title ?? url)}<br><small class="muted">${url}</small>${snippet === undefined ? '' : html`<br><small>${snippet}</small>`}${landedAt === undefined ? '' : html`<br><small class="muted">leads to ${landedAt}</small>`}${others.length === 0 ? '' : html`<br><small class="muted">also as ${others.join(' ')}</small>`}`;
}

const typeText = ({ category: { mediaType, by } }: Candidate): string =>
  mediaType === undefined ? 'media type not known' : `${mediaType} by ${by}`;

export const weightText = (weight: number): string =>
  Number.isInteger(weight) ? String(weight) : weight.toFixed(4);

function changeText({ change, positionBefore, position }: Candidate): string {
  if (positionBefore === undefined || change === undefined) return change ?? '';
  return change === 'same' ? '=' : `${change} ${positionBefore} → ${position}`;
}

function renderGone({ gone, comparedWith }: TopicRun): Html | '' {
  if (gone.length === 0) return '';
  return html`<h2 id="gone">Gone since run ${comparedWith ?? ''}</h2>
  <ul>${gone.map(({ url, position, weight }) => html`<li>${url} <span class="muted">was ${position}, weight ${weightText(weight)}</span></li>`)}</ul>`;
}

function renderRefused({ refused }: TopicRun): Html | '' {
  if (refused.length === 0) return '';
  return html`<h2 id="refused">Refused</h2>
  <ul>${refused.map(({ url, engine, rank, reason }) => html`<li><code>${url}</code> ${reason} <span class="muted">${engine} [${rank}]</span></li>`)}</ul>`;
}
