/** The ranked list of a topic: who gave which rank, what each address is, why it is taken, and what became of it. */
import { html } from 'hono/html';
import { itemPath } from '../core/identifiers.ts';
import type { Assessment, Candidate, SeedOutcome, TopicRun, Verdict } from '../discover/index.ts';
import { isWebAddress } from './field-text.ts';
import type { Html } from './page.ts';
import { renderMark, renderMarksForm } from './topic-marks-form.ts';

export interface CandidateParts {
  readonly run: TopicRun;
  readonly candidates: readonly Candidate[];
  readonly assessment: Assessment;
  /** By key. */
  readonly outcomes: ReadonlyMap<string, SeedOutcome>;
  /** Whether curators can mark here. */
  readonly mayMark: boolean;
  /** Who signed in as one. */
  readonly isKeeper: boolean;
}

export function renderCandidates(parts: CandidateParts): Html {
  const { run, candidates, mayMark } = parts;
  if (candidates.length === 0) return html`<p class="empty">Nothing is in this list.</p>`;
  const table = renderTable(parts);
  if (!mayMark) return table;
  return renderMarksForm({ acronym: run.acronym, runId: run.runId, name: 'candidates' }, table);
}

function renderTable({ run, candidates, assessment, outcomes, mayMark, isKeeper }: CandidateParts): Html {
  const { comparedWith, acronym, crawl } = run;
  return html`<div class="scroll" role="region" aria-label="Candidates" tabindex="0"><table class="candidates">
    <thead><tr><th scope="col">#</th><th scope="col">Address</th><th scope="col">Weight</th><th scope="col">Score</th><th scope="col">Engines [rank]</th><th scope="col">What it is</th>${crawl ? html`<th scope="col">Archive</th>` : ''}${mayMark ? html`<th scope="col">Mark</th>` : ''}${comparedWith === undefined ? '' : html`<th scope="col">Since run ${comparedWith}</th>`}</tr></thead>
    <tbody>${candidates.map((candidate) => {
      const verdict = assessment.verdicts.get(candidate.key);
      return html`<tr>
      <td class="number">${candidate.position}</td>
      <td class="address">${renderAddress(candidate)}</td>
      <td class="number">${weightText(candidate.weight)}</td>
      <td class="score">${verdict ? renderWhy(verdict) : ''}</td>
      <td>${Object.entries(candidate.ranks)
        .map(([engine, rank]) => `${engine} [${rank}]`)
        .join(', ')}</td>
      <td>${candidate.category.kind}<br><small class="muted">${candidate.category.reason}; ${typeText(candidate)}${candidate.lookFailure === undefined ? '' : `; ${candidate.lookFailure}`}</small></td>
      ${crawl ? html`<td class="outcome">${renderOutcome(acronym, candidate, outcomes.get(candidate.key))}</td>` : ''}
      ${mayMark ? html`<td>${renderMark(`mark${candidate.position}`, verdict, isKeeper)}</td>` : ''}
      ${comparedWith === undefined ? '' : html`<td>${changeText(candidate)}</td>`}
    </tr>`;
    })}</tbody></table></div>`;
}

function renderAddress({ url, title, snippet, originals, landedAt }: Candidate): Html {
  const others = originals.filter((other) => other !== url);
  return html`${isWebAddress(url) ? html`<a href="${url}" rel="nofollow noopener">${title ?? url}</a>` : (title ?? url)}<br><small class="muted">${url}</small>${snippet === undefined ? '' : html`<br><small>${snippet}</small>`}${landedAt === undefined ? '' : html`<br><small class="muted">leads to ${landedAt}</small>`}${others.length === 0 ? '' : html`<br><small class="muted">also as ${others.join(' ')}</small>`}`;
}

/** Why is this URL here, at this score? */
export function renderWhy({ score, parts, because, accepted }: Verdict): Html {
  return html`<details class="why"><summary><span class="${accepted ? 'taken' : 'left'}">${score.toFixed(2)}</span></summary>
    <p>${accepted ? 'Accepted' : 'Not accepted'}: ${because}.</p>
    <ul>${parts.map(({ name, value, reason }) => html`<li><strong>${name} ${value.toFixed(2)}</strong>: ${reason}</li>`)}</ul></details>`;
}

function renderOutcome(source: string, { url }: Candidate, outcome: SeedOutcome | undefined): Html | string {
  if (!outcome) return html`<span class="muted">not crawled</span>`;
  const { state, status, reason } = outcome;
  if (state === 'queued') return 'waiting';
  if (state === 'done' && status !== undefined && status < 300) {
    const identifier = URL.parse(url)?.href ?? url;
    return html`<a href="${itemPath(source, identifier)}">archived</a>`;
  }
  const text = [status, reason].filter((part) => part !== undefined).join(', ');
  if (state === 'done')
    return status !== undefined && status < 400
      ? `led on (${text})`
      : html`<span class="failed">${text}</span>`;
  return html`<span class="failed">${state === 'excluded' ? 'left out' : 'failed'}${text === '' ? '' : `: ${text}`}</span>`;
}

const typeText = ({ category: { mediaType, by } }: Candidate): string =>
  mediaType === undefined ? 'media type not known' : `${mediaType} by ${by}`;

export const weightText = (weight: number): string =>
  Number.isInteger(weight) ? String(weight) : weight.toFixed(4);

function changeText({ change, positionBefore, position }: Candidate): string {
  if (positionBefore === undefined || change === undefined) return change ?? '';
  return change === 'same' ? '=' : `${change} ${positionBefore} → ${position}`;
}
