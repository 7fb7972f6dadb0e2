/** What is running, ran, failed, and why. */
import { html } from 'hono/html';
import { itemPath } from '../core/identifiers.ts';
import type { Instant } from '../core/model.ts';
import type { CrawlProgress } from '../crawl/progress.ts';
import type { ListedProblem, RunInfo, RunProblemCount, RunStatus } from '../store/index.ts';
import { renderCrawlProgress } from './crawl-progress.ts';
import { countText, instantText } from './field-text.ts';
import { type Html, renderPage, type Site } from './page.ts';
import { titleOf } from './result-list.ts';

const STATUS_TEXT: Readonly<Record<RunStatus, string>> = {
  running: 'running',
  complete: 'complete',
  incomplete: 'incomplete',
  failed: 'failed',
  interrupted: 'interrupted',
};

/** Without numbers where something of the source may be hidden from the reader. */
export type ShownRun = Omit<RunInfo, Numbers> & Partial<Pick<RunInfo, Numbers>>;
type Numbers = 'counts' | 'problems' | 'repaired';

const NUMBERS = ['Added', 'Changed', 'Withdrawn', 'Unchanged', 'Refused', 'Repaired'];

export interface RunsPageParts {
  readonly site: Site;
  readonly runs: readonly ShownRun[];
  readonly now: Instant;
  /** Of the module that keeps the page up to date. */
  readonly liveHref: string;
  readonly olderHref: string | undefined;
  readonly signedInAs?: string | undefined;
}

export function renderRunsPage(parts: RunsPageParts): Html {
  const { site, runs, now, liveHref, olderHref, signedInAs } = parts;
  const main = html`<div class="wrap">
  <h1>Runs</h1>
  <div id="runs" data-live>
  ${
    runs.length === 0
      ? html`<p class="empty">Nothing has run yet.</p>`
      : html`<div class="scroll" role="region" aria-label="Runs" tabindex="0"><table class="tight">
    <thead><tr><th scope="col">Run</th><th scope="col">Source</th><th scope="col">Status</th><th scope="col" class="number">Problems</th><th scope="col">Kind</th><th scope="col">Started</th><th scope="col">Took</th>${NUMBERS.map((label) => html`<th scope="col" class="number">${label}</th>`)}</tr></thead>
    <tbody>${runs.map(
      (run) => html`<tr>
      <td><a href="/runs/${run.id}"><span class="hidden">Run </span>${run.id}</a></td>
      <td><a href="/sources/${run.source}">${titleOf(run.source, site.sources)}</a></td>
      <td>${renderStatus(run.status)}${renderProgress(run)}</td>
      <td class="number">${run.problems ? html`<a href="/runs/${run.id}#problems">${countText(run.problems)}</a>` : numberText(run.problems)}</td>
      <td>${run.kind}</td><td class="whole">${instantText(run.startedAt)}</td><td class="whole">${tookText(run, now)}</td>
      <td class="number">${numberText(run.counts?.added)}</td><td class="number">${numberText(run.counts?.updated)}</td>
      <td class="number">${numberText(run.counts?.deleted)}</td><td class="number">${numberText(run.counts?.unchanged)}</td>
      <td class="number">${numberText(run.counts?.invalid)}</td><td class="number">${numberText(run.repaired)}</td>
    </tr>`,
    )}</tbody>
  </table></div>`
  }
  </div>
  ${olderHref === undefined ? '' : html`<nav class="paging" aria-label="Pages"><span></span><a rel="next" href="${olderHref}">Older runs →</a></nav>`}
</div>`;
  const head = liveHead(liveHref, runs.some(isRunning));
  return renderPage({ site, title: 'Runs', main, place: 'runs', query: '', signedInAs, head });
}

export interface RunPageParts {
  readonly site: Site;
  readonly run: ShownRun;
  readonly now: Instant;
  readonly liveHref: string;
  readonly mayReadLog: boolean;
  readonly crawl?: CrawlProgress | undefined;
  /** Of a kind, if one is chosen. */
  readonly problems: readonly ListedProblem[];
  /** Most frequent first; empty where numbers are not for the reader. */
  readonly kinds: readonly RunProblemCount[];
  readonly chosen?: string | undefined;
  readonly moreHref: string | undefined;
  readonly signedInAs?: string | undefined;
}

export function renderRunPage(parts: RunPageParts): Html {
  const { site, run, now, liveHref, mayReadLog, crawl, problems, moreHref, signedInAs } = parts;
  const counts: readonly (readonly [string, number])[] = run.counts
    ? [
        ['Added', run.counts.added],
        ['Changed', run.counts.updated],
        ['Withdrawn', run.counts.deleted],
        ['Unchanged', run.counts.unchanged],
        ['Refused', run.counts.invalid],
        ['Repaired', run.repaired ?? 0],
        ['Problems', run.problems ?? 0],
      ]
    : [];
  const main = html`<div class="wrap">
  <p class="crumbs"><a href="/runs">Runs</a> · <a href="/sources/${run.source}">${titleOf(run.source, site.sources)}</a></p>
  <h1>Run ${run.id}: ${titleOf(run.source, site.sources)}</h1>
  <div id="run" data-live>
  <p>${renderStatus(run.status)} ${run.kind}, started ${instantText(run.startedAt)}, ${isRunning(run) ? html`${tookText(run, now)} ago${rateText(run, now)}` : html`took ${tookText(run, now)}`}${renderProgress(run)}</p>
  ${run.message ? html`<p class="note">${run.message}</p>` : ''}
  ${counts.length > 0 ? html`<dl class="tiles">${counts.map(([label, count]) => html`<div><dt>${label}</dt><dd>${countText(count)}</dd></div>`)}</dl>` : ''}
  ${crawl ? renderCrawlProgress(crawl) : ''}
  <p class="downloads">${problems.length > 0 ? html`<a href="/runs/${run.id}/problems.csv" download>Problems as CSV</a>` : ''} ${mayReadLog ? html`<a href="/runs/${run.id}/log">Log</a>` : ''}</p>
  ${problems.length > 0 ? renderProblems(parts) : ''}
  </div>
  ${moreHref === undefined ? '' : html`<nav class="paging" aria-label="Pages"><span></span><a rel="next" href="${moreHref}">More problems →</a></nav>`}
</div>`;
  const head = liveHead(liveHref, isRunning(run));
  return renderPage({ site, title: `Run ${run.id}`, main, place: 'runs', query: '', signedInAs, head });
}

function renderProblems({ run, problems, kinds, chosen }: RunPageParts): Html {
  const link = (href: string, current: boolean, label: string) =>
    html`<li><a href="${href}"${current ? html` aria-current="true"` : ''}>${label}</a></li>`;
  const choice =
    kinds.length > 1
      ? html`<ul class="choice">${link(`/runs/${run.id}#problems`, chosen === undefined, `all ${countText(run.problems ?? 0)}`)}${kinds.map(({ code, count }) => link(`/runs/${run.id}?code=${code}#problems`, code === chosen, `${code} ${countText(count)}`))}</ul>`
      : '';
  return html`<h2 id="problems">Problems</h2>
  ${choice}
  <ol class="problems">${problems.map(
    ({ where, line, message, code, identifier }) => html`<li>
    <p>${message} <code class="muted">${code}</code></p>
    <p>${identifier ? html`<a href="${itemPath(run.source, identifier)}">${identifier}</a> ` : ''}${where ? html`<code>${where}${line === undefined ? '' : `:${line}`}</code>` : ''}</p>
  </li>`,
  )}</ol>`;
}

export function renderStatus(status: RunStatus): Html {
  return html`<span class="status status-${status}">${STATUS_TEXT[status]}</span>`;
}

const isRunning = ({ status }: Pick<RunInfo, 'status'>): boolean => status === 'running';

/** Without JavaScript the page is asked for again as long as something runs. */
function liveHead(liveHref: string, running: boolean): Html {
  return html`<script type="module" src="${liveHref}"></script>
${running ? html`<noscript><meta http-equiv="refresh" content="5"></noscript>` : ''}`;
}

const numberText = (count: number | undefined): string => (count === undefined ? '–' : countText(count));

const doneOf = ({ counts }: ShownRun): number =>
  counts ? counts.added + counts.updated + counts.unchanged + counts.deleted + counts.invalid : 0;

function renderProgress(run: ShownRun): Html | string {
  if (!isRunning(run) || run.expected === undefined || run.expected === 0) return '';
  const done = Math.min(doneOf(run), run.expected);
  const text = `${countText(done)} of ${countText(run.expected)}`;
  return html` <progress max="${run.expected}" value="${done}" aria-label="Records taken in">${text}</progress> <span class="muted">${text}</span>`;
}

function rateText(run: ShownRun, now: Instant): string {
  const perSecond = doneOf(run) / Math.max(1, (now - run.startedAt) / 1000);
  if (perSecond === 0) return '';
  const rate = `, ${countText(Math.round(perSecond))} records a second`;
  const left = run.expected === undefined ? 0 : (run.expected - doneOf(run)) / perSecond;
  return left > 0 ? `${rate}, about ${durationText(left)} to go` : rate;
}

function tookText({ startedAt, endedAt }: ShownRun, now: Instant): string {
  return durationText(((endedAt ?? now) - startedAt) / 1000);
}

function durationText(seconds: number): string {
  if (seconds < 10) return `${Math.max(0, seconds).toFixed(1)} s`;
  if (seconds < 120) return `${Math.round(seconds)} s`;
  if (seconds < 7200) return `${Math.round(seconds / 60)} min`;
  return `${(seconds / 3600).toFixed(1)} h`;
}
