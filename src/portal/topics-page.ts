/** All topics, with what their last run found. */
import { html } from 'hono/html';
import { itemPath } from '../core/identifiers.ts';
import type { TopicRun } from '../discover/index.ts';
import { countText, instantText } from './field-text.ts';
import { type Html, renderPage, type Site } from './page.ts';

export interface TopicsPageParts {
  readonly site: Site;
  readonly topics: readonly {
    readonly acronym: string;
    readonly title: string;
    readonly run: TopicRun | undefined;
  }[];
  readonly signedInAs?: string | undefined;
}

export function renderTopicsPage({ site, topics, signedInAs }: TopicsPageParts): Html {
  const main = html`<div class="wrap">
  <h1>Topics</h1>
  ${
    topics.length === 0
      ? html`<p class="empty">The configuration names no topics.</p>`
      : html`<div class="scroll" role="region" aria-label="Topics" tabindex="0"><table>
    <thead><tr><th scope="col">Acronym</th><th scope="col">Title</th><th scope="col">Candidates</th><th scope="col">New</th><th scope="col">Gone</th><th scope="col">Engines</th><th scope="col">Last run</th><th scope="col">Archive</th></tr></thead>
    <tbody>${topics.map(({ acronym, title, run }) => {
      const answered = run?.engines.filter(({ status }) => status === 'done').length ?? 0;
      return html`<tr>
      <td><a href="/topics/${acronym}">${acronym}</a></td><td>${title}</td>
      ${
        run
          ? html`<td class="number">${countText(run.candidates.length)}</td>
      <td class="number">${countText(run.candidates.filter(({ change }) => change === 'new').length)}</td>
      <td class="number">${countText(run.gone.length)}</td>
      <td>${answered} of ${run.engines.length}</td><td>${instantText(run.endedAt ?? run.startedAt)}${run.step === 'done' ? '' : ' (not finished)'}</td>
      <td>${renderArchive(run)}</td>`
          : html`<td colspan="6" class="muted">nothing asked yet</td>`
      }
    </tr>`;
    })}</tbody></table></div>`
  }
</div>`;
  return renderPage({ site, title: 'Topics', main, place: 'topics', query: '', signedInAs });
}

function renderArchive({ acronym, crawl }: TopicRun): Html | string {
  if (!crawl) return 'only listed';
  const { state, snapshot, seeds } = crawl;
  if (snapshot !== undefined) return html`<a href="${itemPath(acronym, snapshot)}">${snapshot}</a>`;
  if (state === 'failed') return 'nothing could be archived';
  return `${countText(seeds.length)} addresses ${state === 'waiting' ? 'wait' : 'are being crawled'}`;
}
