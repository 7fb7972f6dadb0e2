/** Where the line is drawn: precision against recall by the curator's marks, and how deep the list is worth going. */
import { html } from 'hono/html';
import type { Assessment, CurvePoint } from '../discover/index.ts';
import type { Html } from './page.ts';

export function renderRelevance({
  good,
  bad,
  curve,
  cutOff,
  depths,
  suggestedDepth,
  rule,
}: Assessment): Html {
  return html`<section aria-labelledby="relevance"><h2 id="relevance">Relevance</h2>
  <p>Crawled are ${rule}. ${good + bad === 0 ? 'Mark a few good and bad examples, and Garner draws the line by them.' : ''}</p>
  ${
    cutOff
      ? html`<figure class="curve-figure"><figcaption>Precision against recall, by ${good} good and ${bad} bad marks; the cut-off has precision ${percent(cutOff.point.precision)} and recall ${percent(cutOff.point.recall)}</figcaption>${renderCurve(curve, cutOff.point)}</figure>`
      : ''
  }
  ${
    depths.length === 0
      ? ''
      : html`<h3 id="depths">How deep to go</h3>
  <p>${suggestedDepth === undefined ? 'No good example is among the first 50.' : `By the marks, the first ${suggestedDepth} of the ranking are the best mean of precision and recall.`}</p>
  <div class="scroll" role="region" aria-labelledby="depths" tabindex="0"><table>
    <thead><tr><th scope="col">First</th><th scope="col">Marked</th><th scope="col">Precision</th><th scope="col">Recall</th><th scope="col">F1</th></tr></thead>
    <tbody>${depths.map(
      ({ depth, marked, precision, recall, f1 }) =>
        html`<tr><td>${depth}${depth === suggestedDepth ? ' (suggested)' : ''}</td><td class="number">${marked}</td><td class="number">${percent(precision)}</td><td class="number">${percent(recall)}</td><td class="number">${f1.toFixed(2)}</td></tr>`,
    )}</tbody></table></div>`
  }</section>`;
}

const percent = (part: number): string => `${Math.round(part * 100)} %`;

const SIZE = 240;
const EDGE = 40;
const RIGHT = 16;

/** Both axes from 0 to 1; the curve goes from the strictest cut to the widest. */
function renderCurve(curve: readonly CurvePoint[], chosen: CurvePoint): Html {
  const x = (recall: number) => (EDGE + recall * SIZE).toFixed(1);
  const y = (precision: number) => (RIGHT + (1 - precision) * SIZE).toFixed(1);
  const path = curve.map(({ recall, precision }) => `${x(recall)},${y(precision)}`).join(' ');
  const label = curve
    .map(
      ({ threshold, precision, recall }) =>
        `score ${threshold.toFixed(2)}: precision ${percent(precision)}, recall ${percent(recall)}`,
    )
    .join('; ');
  return html`<svg class="curve" viewBox="0 0 ${EDGE + SIZE + RIGHT} ${RIGHT + SIZE + EDGE}" width="${EDGE + SIZE + RIGHT}" height="${RIGHT + SIZE + EDGE}" role="img" aria-label="Precision against recall. ${label}. Chosen: score ${chosen.threshold.toFixed(2)}">
  ${[0, 0.25, 0.5, 0.75, 1].map(
    (at) =>
      html`<path class="grid" d="M${x(at)} ${y(0)}V${y(1)}M${x(0)} ${y(at)}H${x(1)}"/><text class="middle" x="${x(at)}" y="${Number(y(0)) + 14}">${at}</text><text class="end" x="${EDGE - 6}" y="${y(at)}">${at}</text>`,
  )}
  <text class="middle" x="${x(0.5)}" y="${Number(y(0)) + 31}">recall</text><text x="${EDGE}" y="8">precision</text>
  <polyline points="${path}"/>
  ${curve.map(({ recall, precision, threshold }) => html`<circle class="point" cx="${x(recall)}" cy="${y(precision)}" r="3"><title>score ${threshold.toFixed(2)}: precision ${percent(precision)}, recall ${percent(recall)}</title></circle>`)}
  <circle class="chosen" cx="${x(chosen.recall)}" cy="${y(chosen.precision)}" r="8"><title>the cut-off, score ${chosen.threshold.toFixed(2)}</title></circle></svg>`;
}
