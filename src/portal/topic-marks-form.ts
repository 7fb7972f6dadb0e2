/** Marks of a curator: the form around a table, and the choice in each of its rows. */
import { html } from 'hono/html';
import type { Verdict } from '../discover/index.ts';
import { instantText } from './field-text.ts';
import type { Html } from './page.ts';

export interface MarksForm {
  readonly acronym: string;
  readonly runId: number;
  /** Tells the forms of a page apart. */
  readonly name: string;
}

/** A cookie only reads, so the form asks for the token itself. */
export function renderMarksForm({ acronym, runId, name }: MarksForm, table: Html): Html {
  return html`<form class="marks" method="post" action="/topics/${acronym}/marks">
  <input type="hidden" name="run" value="${runId}">
  ${table}
  <details class="card"><summary>Save marks</summary>
    <p>Good and bad examples tell Garner what the topic is about; see <a href="#relevance">relevance</a>. Saving them needs the token of a curator.</p>
    <div class="stack"><label for="${name}-token">Token</label>
    <input id="${name}-token" name="token" type="password" required autocomplete="current-password" maxlength="500">
    <button class="primary">Save marks</button></div>
  </details>
</form>`;
}

const CHOICES = ['good', 'bad', 'none'] as const;

/** `name`: of the choice, `mark3` for the third candidate, `found3` for the third of the found. */
export function renderMark(name: string, verdict: Verdict | undefined, isKeeper: boolean): Html {
  const mark = verdict?.mark;
  const [, list, number] = /^([a-z]+)(\d+)$/.exec(name) ?? [];
  return html`<fieldset class="mark-choice"><legend class="hidden">${list === 'found' ? 'Found' : 'Candidate'} ${number ?? ''}</legend>${CHOICES.map(
    (choice) =>
      html`<label><input type="radio" name="${name}" value="${choice}"${(mark?.mark ?? 'none') === choice ? html` checked` : ''}> ${choice}</label>`,
  )}</fieldset>${mark && isKeeper ? html`<small class="muted">by ${mark.by}, ${instantText(mark.at)}</small>` : ''}`;
}
