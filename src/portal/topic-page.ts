/** One topic: the ranked list of a run, who gave which rank, what changed, and the list as pictures. */
import { html } from 'hono/html';
import type { CrawlProgress } from '../crawl/progress.ts';
import {
  type Assessment,
  type Candidate,
  type SeedOutcome,
  type TopicRun,
  topicStatistics,
} from '../discover/index.ts';
import type { RunInfo } from '../store/index.ts';
import { countText, instantText } from './field-text.ts';
import { type Html, renderPage, type Site } from './page.ts';
import { renderCandidates, weightText } from './topic-candidates.ts';
import { renderOverlap, renderShares } from './topic-charts.ts';
import { renderTopicCrawl } from './topic-crawl.ts';
import { renderFound } from './topic-found.ts';
import { renderRelevance } from './topic-relevance.ts';

export const TOPIC_LISTS = ['all', 'html', 'other'] as const;
export type TopicList = (typeof TOPIC_LISTS)[number];

/** A list with what is known of it now. */
export interface ShownList {
  readonly run: TopicRun;
  /** Of the run in the store that goes on or went on last: asking, or the crawl. */
  readonly info: RunInfo | undefined;
  readonly assessment: Assessment;
  /** Of the crawl, by key of the candidate. */
  readonly outcomes: ReadonlyMap<string, SeedOutcome>;
  readonly progress: CrawlProgress | undefined;
}

export interface TopicPageParts {
  readonly site: Site;
  readonly acronym: string;
  readonly title: string;
  /** Absent: there is none yet. */
  readonly shown: ShownList | undefined;
  readonly list: TopicList;
  /** Numbers of other runs with a list, newest first. */
  readonly otherRuns: readonly number[];
  /** Whether there is a corpus. */
  readonly hasCorpus: boolean;
  /** Whether curators can mark candidates here. */
  readonly mayMark: boolean;
  /** Whether the reader is one. */
  readonly isKeeper: boolean;
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
  const { site, acronym, title, shown } = page;
  const main = html`<div class="wrap">
  <p class="crumbs"><a href="/topics">Topics</a></p>
  <h1>${title} <span class="muted">${acronym}</span></h1>
  ${shown ? renderRun(page, shown) : html`<p class="empty">Nothing was asked yet: <code>garner discover ${acronym}</code></p>`}
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

function renderRun(
  { acronym, list, otherRuns, hasCorpus, mayMark, isKeeper }: TopicPageParts,
  shown: ShownList,
): Html {
  const { run, info, assessment, outcomes, progress } = shown;
  const statistics = topicStatistics(run);
  const going = info?.status === 'running';
  const href = (name: TopicList) =>
    `/topics/${acronym}?run=${run.runId}${name === 'all' ? '' : `&list=${name}`}`;
  const counts = { all: run.candidates.length, html: statistics.html, other: statistics.other };
  return html`<p>${going ? html`<strong>Going on</strong>: ${goingText(run)}. This page renews itself.` : html`As of ${instantText(run.endedAt ?? run.startedAt)}, <a href="/runs/${run.runId}">run ${run.runId}</a>${info && info.status !== 'complete' ? ` (${info.status})` : ''}.`}</p>
  <p>Asked for ${run.queries.map((query, i) => html`${i > 0 ? ', ' : ''}<q>${query}</q>`)}; the best ${countText(run.depth)} of each engine count, ${run.method === 'weights' ? `a rank is worth ${run.depth} − rank + 1` : 'a rank is worth 1 ÷ (60 + rank)'}.</p>
  ${renderEngines(run)}
  <nav aria-label="Lists"><ul class="cloud">${TOPIC_LISTS.map((name) => html`<li><a class="chip" href="${href(name)}"${list === name ? html` aria-current="page"` : ''}>${LIST_TEXT[name]} <span class="count">${countText(counts[name])}</span></a></li>`)}</ul></nav>
  <p>Download: <a href="/topics/${acronym}.csv?run=${run.runId}">CSV</a>, <a href="/topics/${acronym}.json?run=${run.runId}">JSON</a>${hasCorpus ? html`. What was archived is a <a href="/topics/${acronym}/corpus">corpus</a> with texts, metadata and words` : ''}</p>
  ${renderCandidates({ run, candidates: chooseCandidates(run, list), assessment, outcomes, mayMark, isKeeper })}
  ${run.crawl ? renderTopicCrawl({ run, crawl: run.crawl, progress, outcomes, going }) : ''}
  ${renderFound({ run, assessment, mayMark, isKeeper })}
  ${run.candidates.length === 0 ? '' : renderRelevance(assessment)}
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

function goingText({ step, looked, candidates, crawl }: TopicRun): string {
  if (step === 'asking') return 'engines are being asked';
  if (step === 'looking') return `looked at ${looked} of ${candidates.length} addresses`;
  return crawl ? 'accepted addresses are being crawled' : 'the list is being finished';
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
