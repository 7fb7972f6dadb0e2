/** Candidates that no engine gave: found in the documents of the archive, one hop away. */
import { html } from 'hono/html';
import type { Assessment, FoundCandidate, TopicRun } from '../discover/index.ts';
import { countText, isWebAddress } from './field-text.ts';
import type { Html } from './page.ts';
import { renderWhy } from './topic-candidates.ts';
import { renderMark, renderMarksForm } from './topic-marks-form.ts';

const SHOWN = 100;

export interface FoundParts {
  readonly run: TopicRun;
  readonly assessment: Assessment;
  /** Whether curators can mark here. */
  readonly mayMark: boolean;
  /** Who signed in as one. */
  readonly isKeeper: boolean;
}

export function renderFound(parts: FoundParts): Html | '' {
  const { run, mayMark } = parts;
  const { found = [], acronym, runId } = run;
  if (found.length === 0) return '';
  const scoreOf = ({ key }: FoundCandidate) => parts.assessment.verdicts.get(key)?.score ?? 0;
  const best = found
    .map((candidate, i) => ({ candidate, number: i + 1 }))
    .sort((a, b) => scoreOf(b.candidate) - scoreOf(a.candidate))
    .slice(0, SHOWN);
  const table = renderTable(parts, best);
  return html`<section aria-labelledby="found"><h2 id="found">Found in the documents</h2>
  <p>Publications that archived documents cite or speak of, and pages of their authors: one hop from what engines gave. They are crawled only when their score passes the cut-off or a curator marks them good.</p>
  ${mayMark ? renderMarksForm({ acronym, runId, name: 'found' }, table) : table}
  ${found.length > SHOWN ? html`<p class="muted">The best ${SHOWN} of ${countText(found.length)}; the JSON download has all.</p>` : ''}</section>`;
}

function renderTable(
  { assessment: { verdicts }, mayMark, isKeeper }: FoundParts,
  found: readonly { readonly candidate: FoundCandidate; readonly number: number }[],
): Html {
  return html`<div class="scroll" role="region" aria-labelledby="found" tabindex="0"><table class="candidates">
    <thead><tr><th scope="col">Address</th><th scope="col">What it is</th><th scope="col">Score</th><th scope="col">Found in</th>${mayMark ? html`<th scope="col">Mark</th>` : ''}</tr></thead>
    <tbody>${found.map(({ candidate: { key, url, title, kind, identifier, foundIn }, number }) => {
      const verdict = verdicts.get(key);
      const [first] = foundIn;
      return html`<tr><td class="address">${isWebAddress(url) ? html`<a href="${url}" rel="nofollow noopener">${title ?? url}</a>` : (title ?? url)}<br><small class="muted">${url}</small></td>
      <td>${kind}${identifier ? html`<br><small class="muted">${identifier.kind} ${identifier.value}</small>` : ''}</td>
      <td>${verdict ? renderWhy(verdict) : ''}</td>
      <td>${first ? html`<small>${first.where} of ${first.url}</small>` : ''}${foundIn.length > 1 ? html`<br><small class="muted">and ${countText(foundIn.length - 1)} more</small>` : ''}</td>${mayMark ? html`<td>${renderMark(`found${number}`, verdict, isKeeper)}</td>` : ''}</tr>`;
    })}</tbody></table></div>`;
}
