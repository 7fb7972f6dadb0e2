/** Candidates that no engine gave: found in the documents of the archive, one hop away. */
import { html } from 'hono/html';
import type { Assessment, FoundCandidate } from '../discover/index.ts';
import { countText, isWebAddress } from './field-text.ts';
import type { Html } from './page.ts';
import { renderWhy } from './topic-candidates.ts';

const SHOWN = 100;

export function renderFound(found: readonly FoundCandidate[], { verdicts }: Assessment): Html | '' {
  if (found.length === 0) return '';
  return html`<section aria-labelledby="found"><h2 id="found">Found in the documents</h2>
  <p>Publications that archived documents cite or speak of, and pages of their authors: one hop from what engines gave. They are crawled only when their score passes the cut-off or a curator marks them good.</p>
  <div class="scroll" role="region" aria-labelledby="found" tabindex="0"><table class="candidates">
    <thead><tr><th scope="col">Address</th><th scope="col">What it is</th><th scope="col">Score</th><th scope="col">Found in</th></tr></thead>
    <tbody>${found.slice(0, SHOWN).map(({ key, url, title, kind, identifier, foundIn }) => {
      const verdict = verdicts.get(key);
      const [first] = foundIn;
      return html`<tr><td class="address">${isWebAddress(url) ? html`<a href="${url}" rel="nofollow noopener">${title ?? url}</a>` : (title ?? url)}<br><small class="muted">${url}</small></td>
      <td>${kind}${identifier ? html`<br><small class="muted">${identifier.kind} ${identifier.value}</small>` : ''}</td>
      <td>${verdict ? renderWhy(verdict) : ''}</td>
      <td>${first ? html`<small>${first.where} of ${first.url}</small>` : ''}${foundIn.length > 1 ? html`<br><small class="muted">and ${countText(foundIn.length - 1)} more</small>` : ''}</td></tr>`;
    })}</tbody></table></div>
  ${found.length > SHOWN ? html`<p class="muted">The first ${SHOWN} of ${countText(found.length)}; the JSON download has all.</p>` : ''}</section>`;
}
