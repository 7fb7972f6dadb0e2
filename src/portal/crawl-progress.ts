/** How a crawl goes: its queue, its hosts, what it left out and what went wrong. */
import { html } from 'hono/html';
import type { CrawlProgress } from '../crawl/progress.ts';
import { countText, sizeText } from './field-text.ts';
import type { Html } from './page.ts';

export function renderCrawlProgress(progress: CrawlProgress): Html {
  const tiles: readonly (readonly [string, string])[] = [
    ['Captures', countText(progress.captures)],
    ['To go', countText(progress.queued + progress.active)],
    ['Per second', progress.rate.toFixed(1)],
    ['Received', sizeText(progress.bytes)],
    ['Unchanged', countText(progress.revisits)],
    ['Saved', sizeText(progress.savedBytes)],
    ['Hosts', countText(progress.hostCount)],
    ['Failed', countText(progress.failed)],
  ];
  return html`<section aria-labelledby="crawl"><h2 id="crawl">Crawl</h2>
  <dl class="tiles">${tiles.map(([label, value]) => html`<div><dt>${label}</dt><dd>${value}</dd></div>`)}</dl>
  ${renderCounts('Left out', 'Reason', progress.excluded)}
  ${renderCounts('Errors', 'Kind', progress.errors)}
  ${
    progress.hosts.length === 0
      ? ''
      : html`<h3 id="hosts">Hosts</h3>
  <div class="scroll" role="region" aria-labelledby="hosts" tabindex="0"><table>
    <thead><tr><th scope="col">Host</th><th scope="col">State</th><th scope="col">Captures</th><th scope="col">Waiting</th><th scope="col">Under way</th><th scope="col">Pause</th></tr></thead>
    <tbody>${progress.hosts.map(
      (
        host,
      ) => html`<tr><td>${host.host}</td><td>${host.state}</td><td class="number">${countText(host.captures)}</td>
      <td class="number">${countText(host.queued)}</td><td class="number">${countText(host.active)}</td><td class="number">${(host.delayMs / 1000).toFixed(1)} s</td></tr>`,
    )}</tbody>
  </table></div>`
  }</section>`;
}

function renderCounts(title: string, label: string, counts: Readonly<Record<string, number>>): Html | string {
  const rows = Object.entries(counts).sort(([, a], [, b]) => b - a);
  if (rows.length === 0) return '';
  return html`<h3>${title}</h3><table><thead><tr><th scope="col">${label}</th><th scope="col">URLs</th></tr></thead>
  <tbody>${rows.map(([name, count]) => html`<tr><td>${name}</td><td class="number">${countText(count)}</td></tr>`)}</tbody></table>`;
}
