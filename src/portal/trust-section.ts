/** What of an item's metadata is doubtful, and what a curator said instead: part of its page. */
import { html } from 'hono/html';
import { CATALOGUED_LISTS, type CataloguedValues } from '../formats/catalogued.ts';
import type { ItemTrust } from '../packaging/curation/item-trust.ts';
import { instantText } from './field-text.ts';
import type { Html } from './page.ts';

export interface TrustPart extends ItemTrust {
  /** Of the form; absent: whoever looks cannot describe items. */
  readonly describePath?: string | undefined;
}

export function renderTrust({ judged, stated, catalogued, describePath }: TrustPart): Html {
  const doubtful = judged.filter(({ verdict }) => verdict === 'doubtful');
  const noted = judged.filter(({ verdict }) => verdict === 'noted');
  return html`${
    doubtful.length > 0
      ? html`<section class="doubts" aria-labelledby="doubts"><h2 id="doubts">Doubtful metadata</h2>
  <p class="muted">What the page says of itself here is kept, but not believed.</p>
  <dl class="fields">${doubtful.map(
    ({ element, values, score, doubts }) => html`<div><dt><mark>doubtful</mark> ${element}</dt><dd>
    <p class="said">${values.join('; ')}</p>
    <ul class="values">${doubts.map(({ reason }) => html`<li>${reason}</li>`)}</ul>
    <p class="muted">trust ${score} of 1</p></dd></div>`,
  )}</dl></section>`
      : ''
  }${
    noted.length > 0
      ? html`<details class="noted"><summary>Notes on ${noted.length} other ${noted.length === 1 ? 'element' : 'elements'}</summary><ul class="values">${noted.map(
          ({ element, score, doubts }) =>
            html`<li>${element}: ${doubts.map(({ reason }) => reason).join('; ')} <span class="muted">(trust ${score})</span></li>`,
        )}</ul></details>`
      : ''
  }${catalogued ? renderCatalogued(stated, catalogued) : ''}${
    describePath === undefined
      ? ''
      : html`<p class="describe-link"><a href="${describePath}">Describe this item</a></p>`
  }`;
}

function renderCatalogued(
  stated: CataloguedValues,
  { values, agent, at, reason }: NonNullable<ItemTrust['catalogued']>,
): Html {
  const rows = (['title', ...CATALOGUED_LISTS] as const).filter((element) => values[element] !== undefined);
  return html`<section class="catalogued" aria-labelledby="catalogued"><h2 id="catalogued">Catalogued</h2>
  <p>${agent === undefined ? 'A curator' : agent} described this item${at === undefined ? '' : html`, ${instantText(at)}`}${reason === undefined ? '' : html`: ${reason}`}</p>
  <div class="scroll" role="region" aria-label="What was catalogued" tabindex="0"><table>
    <thead><tr><th scope="col">Element</th><th scope="col">The curator says</th><th scope="col">The item says</th></tr></thead>
    <tbody>${rows.map(
      (element) =>
        html`<tr><th scope="row">${element}</th><td>${textOf(values[element])}</td><td>${textOf(stated[element])}</td></tr>`,
    )}</tbody>
  </table></div></section>`;
}

const textOf = (value: string | readonly string[] | undefined): string =>
  value === undefined ? '' : typeof value === 'string' ? value : value.join('; ');
