/** One source: how it fares, and how good its records are. */
import { html } from 'hono/html';
import { itemPath } from '../core/identifiers.ts';
import type { KnownLoss } from '../store/index.ts';
import type { DuplicateKind, ProblemRule, SourceQuality, TrendPoint } from '../workflow/quality/index.ts';
import { countText, instantText } from './field-text.ts';
import { type Html, renderPage, type Site } from './page.ts';
import { titleOf } from './result-list.ts';
import { renderStatus } from './runs-page.ts';

/** What its origin has and the source has not. */
export interface MissingRecords {
  readonly open: number;
  readonly accepted: number;
  /** The first of them, for those who may see which. */
  readonly losses: readonly KnownLoss[];
}

export interface SourcePageParts {
  readonly site: Site;
  readonly source: string;
  /** Absent while the first report is being made. */
  readonly quality: SourceQuality | undefined;
  /** Absent where numbers are not for the reader. */
  readonly missing: MissingRecords | undefined;
  readonly madeAt: number | undefined;
  /** False: something was committed since; a new report is being made. */
  readonly fresh: boolean;
  readonly signedInAs?: string | undefined;
}

const KIND_TEXT: Readonly<Record<DuplicateKind, string>> = {
  doi: 'same DOI',
  identifier: 'same identifier',
  title: 'same title and year',
};

export function renderSourcePage(parts: SourcePageParts): Html {
  const { site, source, quality, missing, madeAt, fresh, signedInAs } = parts;
  const title = titleOf(source, site.sources);
  const main = html`<div class="wrap">
  <p class="crumbs"><a href="/runs">Runs</a></p>
  <h1>${title}</h1>
  <p><a href="/search?source=${source}">Browse its items</a></p>
  ${madeAt === undefined ? html`<p class="note">${fresh ? 'How good its records are is for curators and operators to see.' : 'The report is being made; this page asks for it again.'}</p>` : html`<p class="muted">As of ${instantText(madeAt)}${fresh ? '' : '; something was changed since, and a new report is being made'}.</p>`}
  ${quality ? renderQuality(quality, missing, site) : ''}
</div>`;
  const head = fresh ? html`` : html`<meta http-equiv="refresh" content="10">`;
  return renderPage({ site, title, main, place: 'runs', query: '', signedInAs, head });
}

function renderQuality(quality: SourceQuality, missing: MissingRecords | undefined, site: Site): Html {
  const { items, problems, keptOut, trend, source } = quality;
  const last = trend.at(-1);
  return html`${last && last.status !== 'complete' ? html`<p class="note">The last run, <a href="/runs/${last.runId}">run ${last.runId}</a> of ${instantText(last.startedAt)}, ${last.status === 'incomplete' ? 'is incomplete' : last.status === 'failed' ? 'failed' : 'was interrupted'}${last.message ? `: ${last.message}` : ''}</p>` : ''}
  <dl class="tiles">
    <div><dt>Items</dt><dd>${countText(items)}</dd></div>
    <div><dt>With doubtful values</dt><dd>${countText(sum(problems))}</dd></div>
    <div><dt>Missing</dt><dd>${countText(missing?.open ?? 0)}</dd></div>
    <div><dt>Groups of duplicates</dt><dd>${countText(quality.duplicates.reduce((all, { groups }) => all + groups, 0))}</dd></div>
  </dl>
  ${missing ? renderMissing(source, missing) : ''}
  ${renderFields(quality)}
  ${renderRules('rules', 'What is wrong with its records', problems, source)}
  ${renderRules('kept-out', 'What the last run could not take in', keptOut, undefined)}
  ${renderDuplicates(quality, site)}
  ${renderTrend(trend)}`;
}

function renderMissing(source: string, { open, accepted, losses }: MissingRecords): Html {
  const total = open + accepted;
  if (total === 0) return html``;
  const asked = `${countText(open)} ${open === 1 ? 'is' : 'are'} asked for again by every harvest`;
  return html`<h2 id="missing">What is missing</h2>
  <p>What its origin has and could not be taken in: ${open > 0 ? asked : 'nothing that was not accepted'}${accepted > 0 ? `; ${countText(accepted)} accepted as missing` : ''}.
  ${losses.length > 0 ? html`<a href="/sources/${source}/missing.csv">All as CSV</a>` : ''}</p>
  ${
    losses.length === 0
      ? ''
      : html`<div class="scroll" role="region" aria-labelledby="missing" tabindex="0"><table>
    <thead><tr><th scope="col">What</th><th scope="col">Why</th><th scope="col">Since</th><th scope="col">Last tried</th></tr></thead>
    <tbody>${losses.map(
      ({
        name,
        list,
        message,
        code,
        firstRun,
        lastRun,
        acceptedAt,
      }) => html`<tr><td><code>${name}</code>${list === '' ? '' : html` <span class="muted">${list}</span>`}</td>
      <td>${message} <code class="muted">${code}</code>${acceptedAt === undefined ? '' : html` <span class="muted">accepted</span>`}</td>
      <td class="whole"><a href="/runs/${firstRun}">run ${firstRun}</a></td><td class="whole"><a href="/runs/${lastRun}">run ${lastRun}</a></td></tr>`,
    )}</tbody>
  </table></div>
  ${total > losses.length ? html`<p class="muted">The first ${countText(losses.length)} of ${countText(total)}.</p>` : ''}`
  }`;
}

const sum = (rules: readonly ProblemRule[]) => rules.reduce((all, { items }) => all + items, 0);

function renderFields({ fields, items }: SourceQuality): Html {
  if (items === 0) return html``;
  return html`<h2 id="fields">Fields</h2>
  <div class="scroll" role="region" aria-labelledby="fields" tabindex="0"><table>
    <thead><tr><th scope="col">Field</th><th scope="col" class="number">Have it</th><th scope="col" class="number">Missing</th><th scope="col">Share</th></tr></thead>
    <tbody>${fields.map(
      ({
        label,
        present,
      }) => html`<tr><th scope="row">${label}</th><td class="number">${countText(present)}</td><td class="number">${countText(items - present)}</td>
      <td class="whole"><meter min="0" max="${items}" value="${present}" aria-label="${label}">${shareText(present, items)}</meter> ${shareText(present, items)}</td></tr>`,
    )}</tbody>
  </table></div>`;
}

/** Never 100 % while one is missing, nor 0 % while one is there. */
function shareText(part: number, whole: number): string {
  const percent = (100 * part) / whole;
  if (part > 0 && percent < 1) return 'under 1 %';
  if (part < whole && percent > 99) return 'over 99 %';
  return `${Math.round(percent)} %`;
}

/** `source` where the identifiers are those of items. */
function renderRules(
  id: string,
  title: string,
  rules: readonly ProblemRule[],
  source: string | undefined,
): Html {
  if (rules.length === 0) return html``;
  return html`<h2 id="${id}">${title}</h2>
  <div class="scroll" role="region" aria-labelledby="${id}" tabindex="0"><table>
    <thead><tr><th scope="col">Rule</th><th scope="col" class="number">Times</th><th scope="col">For example</th></tr></thead>
    <tbody>${rules.map(
      ({
        code,
        rule,
        items,
        example,
        identifier,
      }) => html`<tr><td>${rule} <code class="muted">${code}</code></td><td class="number">${countText(items)}</td>
      <td>${identifier === undefined ? '' : source === undefined ? html`<code>${identifier}</code>` : html`<a href="${itemPath(source, identifier)}">${identifier}</a>`} ${example === rule ? '' : example}</td></tr>`,
    )}</tbody>
  </table></div>`;
}

function renderDuplicates({ duplicates, duplicateGroups }: SourceQuality, site: Site): Html {
  const found = duplicates.filter(({ groups }) => groups > 0);
  if (found.length === 0) return html``;
  return html`<h2 id="duplicates">Duplicates</h2>
  <ul>${found.map(({ kind, groups, acrossSources }) => html`<li>${KIND_TEXT[kind]}: ${countText(groups)} ${groups === 1 ? 'group' : 'groups'}, ${countText(acrossSources)} of them across sources</li>`)}</ul>
  <div class="scroll" role="region" aria-labelledby="duplicates" tabindex="0"><table>
    <thead><tr><th scope="col">What they share</th><th scope="col">Items</th></tr></thead>
    <tbody>${duplicateGroups.map(
      ({ kind, key, size, members }) => html`<tr><td>${KIND_TEXT[kind]} <code>${key}</code></td>
      <td><ul>${members.map(({ source, identifier, title }) => html`<li>${titleOf(source, site.sources)}: <a href="${itemPath(source, identifier)}">${title ?? identifier}</a></li>`)}${size > members.length ? html`<li>and ${countText(size - members.length)} more</li>` : ''}</ul></td></tr>`,
    )}</tbody>
  </table></div>`;
}

function renderTrend(trend: readonly TrendPoint[]): Html {
  if (trend.length === 0) return html``;
  return html`<h2 id="trend">The last runs</h2>
  ${trend.length > 1 ? renderBars(trend) : ''}
  <div class="scroll" role="region" aria-labelledby="trend" tabindex="0"><table>
    <thead><tr><th scope="col">Run</th><th scope="col">Status</th><th scope="col">Started</th><th scope="col" class="number">Added</th><th scope="col" class="number">Changed</th><th scope="col" class="number">Withdrawn</th><th scope="col" class="number">Refused</th><th scope="col" class="number">Problems</th></tr></thead>
    <tbody>${trend.toReversed().map(
      ({
        runId,
        status,
        startedAt,
        counts,
        problems,
      }) => html`<tr><td><a href="/runs/${runId}"><span class="hidden">Run </span>${runId}</a></td><td>${renderStatus(status)}</td><td class="whole">${instantText(startedAt)}</td>
      <td class="number">${countText(counts.added)}</td><td class="number">${countText(counts.updated)}</td><td class="number">${countText(counts.deleted)}</td><td class="number">${countText(counts.invalid)}</td><td class="number">${countText(problems)}</td></tr>`,
    )}</tbody>
  </table></div>`;
}

const BAR_WIDTH = 14;
const BAR_HEIGHT = 60;

/** Problems per run, oldest at the left; the table beside it has the numbers. */
function renderBars(trend: readonly TrendPoint[]): Html {
  const most = Math.max(1, ...trend.map(({ problems }) => problems));
  const width = trend.length * BAR_WIDTH;
  return html`<svg class="bars" viewBox="0 0 ${width} ${BAR_HEIGHT}" width="${width}" height="${BAR_HEIGHT}" role="img" aria-label="Problems of the last ${trend.length} runs, at most ${countText(most)}">${trend.map(
    ({ problems }, index) => {
      const height = problems === 0 ? 1 : Math.max(2, Math.round((BAR_HEIGHT * problems) / most));
      return html`<rect x="${index * BAR_WIDTH + 1}" y="${BAR_HEIGHT - height}" width="${BAR_WIDTH - 2}" height="${height}"/>`;
    },
  )}</svg>`;
}
