/** The query server for people: an expression, what was found, and how it went with each server. */
import { html } from 'hono/html';
import type { NetworkAnswer } from '../federate/network/network.ts';
import { type ExpressionNote, renderExpressionNote } from './expression-note.ts';
import { countText } from './field-text.ts';
import { type Html, renderPage, type Site } from './page.ts';
import { renderFoundProfiles, renderMissing, renderServers } from './profile-results.ts';

export interface QueryPageParts {
  readonly site: Site;
  readonly expression: string;
  /** Absent: nothing was asked. */
  readonly answer?: NetworkAnswer;
  readonly note?: ExpressionNote | undefined;
  readonly signedInAs?: string | undefined;
}

export function renderQueryPage({ site, expression, answer, note, signedInAs }: QueryPageParts): Html {
  const main = html`<div class="wrap">
  <h1>Query</h1>
  <p>Resources by their profiles, here and at every server of the network that may have some.
    ${site.guided === true ? html`<a href="/guided">Guided search</a> makes the expression for you.` : ''}</p>
  <form class="search-form" action="/query" role="search" aria-label="Query">
    <label for="query-q">Expression</label>
    <div class="search-row">
      <input id="query-q" name="q" value="${expression}" placeholder="TARGET_NAME = IO AND EXPOSURE_DURATION &gt; 60" autocomplete="off" spellcheck="false" maxlength="10000" required>
      <button>Ask</button>
    </div>
  </form>
  ${note ? renderExpressionNote(expression, note) : ''}
  ${answer ? renderAnswer(answer) : ''}
</div>`;
  return renderPage({ site, title: 'Query', main, query: '', signedInAs });
}

function renderAnswer({ profiles, servers, complete }: NetworkAnswer): Html {
  const count = `${countText(profiles.length)} ${profiles.length === 1 ? 'resource' : 'resources'}`;
  return html`<p role="status" class="results-head"><span><strong>${count}${complete ? '' : ', and perhaps more'}</strong>${renderMissing(servers)}</span></p>
  ${renderFoundProfiles(profiles, profiles.length, servers)}
  ${renderServers(servers)}`;
}
