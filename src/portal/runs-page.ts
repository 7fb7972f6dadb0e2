/** What is running, ran, failed, and why. */
import { html } from 'hono/html';
import { itemPath } from '../core/identifiers.ts';
import type { ListedProblem, RunInfo, RunStatus } from '../store/index.ts';
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

export interface RunsPageParts {
  readonly site: Site;
  readonly runs: readonly RunInfo[];
  readonly olderHref: string | undefined;
  readonly signedInAs?: string | undefined;
}

export function renderRunsPage({ site, runs, olderHref, signedInAs }: RunsPageParts): Html {
  const main = html`<div class="wrap">
  <h1>Runs</h1>
  ${
    runs.length === 0
      ? html`<p class="empty">Nothing has run yet.</p>`
      : html`<div class="scroll" role="region" aria-label="Runs" tabindex="0"><table>
    <thead><tr><th scope="col">Run</th><th scope="col">Source</th><th scope="col">Kind</th><th scope="col">Status</th><th scope="col">Started</th><th scope="col">Took</th><th scope="col">Added</th><th scope="col">Changed</th><th scope="col">Withdrawn</th><th scope="col">Unchanged</th><th scope="col">Problems</th></tr></thead>
    <tbody>${runs.map(
      (run) => html`<tr>
      <td><a href="/runs/${run.id}"><span class="hidden">Run </span>${run.id}</a></td>
      <td>${titleOf(run.source, site.sources)}</td><td>${run.kind}</td>
      <td>${renderStatus(run.status)}</td><td>${instantText(run.startedAt)}</td><td>${tookText(run)}</td>
      <td class="number">${countText(run.counts.added)}</td><td class="number">${countText(run.counts.updated)}</td>
      <td class="number">${countText(run.counts.deleted)}</td><td class="number">${countText(run.counts.unchanged)}</td>
      <td class="number">${run.problems ? html`<a href="/runs/${run.id}#problems">${countText(run.problems)}</a>` : '0'}</td>
    </tr>`,
    )}</tbody>
  </table></div>`
  }
  ${olderHref === undefined ? '' : html`<nav class="paging" aria-label="Pages"><span></span><a rel="next" href="${olderHref}">Older runs →</a></nav>`}
</div>`;
  return renderPage({ site, title: 'Runs', main, place: 'runs', query: '', signedInAs });
}

export interface RunPageParts {
  readonly site: Site;
  readonly run: RunInfo;
  readonly problems: readonly ListedProblem[];
  readonly moreHref: string | undefined;
  readonly signedInAs?: string | undefined;
}

export function renderRunPage({ site, run, problems, moreHref, signedInAs }: RunPageParts): Html {
  const counts: readonly (readonly [string, number])[] = [
    ['Added', run.counts.added],
    ['Changed', run.counts.updated],
    ['Withdrawn', run.counts.deleted],
    ['Unchanged', run.counts.unchanged],
    ['Refused', run.counts.invalid],
    ['Problems', run.problems],
  ];
  const main = html`<div class="wrap">
  <p class="crumbs"><a href="/runs">Runs</a></p>
  <h1>Run ${run.id}: ${titleOf(run.source, site.sources)}</h1>
  <p>${renderStatus(run.status)} ${run.kind}, started ${instantText(run.startedAt)}${run.endedAt === undefined ? '' : html`, took ${tookText(run)}`}</p>
  ${run.message ? html`<p class="note">${run.message}</p>` : ''}
  <dl class="tiles">${counts.map(([label, count]) => html`<div><dt>${label}</dt><dd>${countText(count)}</dd></div>`)}</dl>
  ${
    problems.length
      ? html`<h2 id="problems">Problems</h2>
  <div class="scroll" role="region" aria-labelledby="problems" tabindex="0"><table>
    <thead><tr><th scope="col">Where</th><th scope="col">What</th><th scope="col">Item</th></tr></thead>
    <tbody>${problems.map(
      (problem) => html`<tr>
      <td>${problem.where ? html`<code>${problem.where}${problem.line === undefined ? '' : `:${problem.line}`}</code>` : ''}</td>
      <td>${problem.message} <code class="muted">${problem.code}</code></td>
      <td>${problem.identifier ? html`<a href="${itemPath(run.source, problem.identifier)}">${problem.identifier}</a>` : ''}</td>
    </tr>`,
    )}</tbody>
  </table></div>`
      : ''
  }
  ${moreHref === undefined ? '' : html`<nav class="paging" aria-label="Pages"><span></span><a rel="next" href="${moreHref}">More problems →</a></nav>`}
</div>`;
  return renderPage({ site, title: `Run ${run.id}`, main, place: 'runs', query: '', signedInAs });
}

function renderStatus(status: RunStatus): Html {
  return html`<span class="status status-${status}">${STATUS_TEXT[status]}</span>`;
}

function tookText(run: RunInfo): string {
  if (run.endedAt === undefined) return '';
  const seconds = (run.endedAt - run.startedAt) / 1000;
  if (seconds < 10) return `${seconds.toFixed(1)} s`;
  if (seconds < 120) return `${Math.round(seconds)} s`;
  if (seconds < 7200) return `${Math.round(seconds / 60)} min`;
  return `${(seconds / 3600).toFixed(1)} h`;
}
