/** The form by which a curator describes an item: elements of MODS, with lists to choose from. */
import { html } from 'hono/html';
import { itemPath } from '../core/identifiers.ts';
import type { Authorities, CataloguedElement, CataloguedValues } from '../formats/catalogued.ts';
import type { StoredItem } from '../store/index.ts';
import { type Html, renderPage, type Site } from './page.ts';

export interface DescribePageParts {
  readonly site: Site;
  readonly item: StoredItem;
  readonly action: string;
  /** What stands in the fields. */
  readonly values: CataloguedValues;
  readonly stated: CataloguedValues;
  readonly authorities: Authorities;
  readonly reason?: string;
  /** Why what was sent is not taken. */
  readonly problem?: string | undefined;
  readonly signedInAs?: string | undefined;
}

interface FieldText {
  readonly element: CataloguedElement;
  readonly label: string;
  readonly hint: string;
}

/** The element of MODS stands in the hint, for those who know it. */
const FIELDS: readonly FieldText[] = [
  { element: 'title', label: 'Title', hint: 'titleInfo' },
  { element: 'creator', label: 'Names', hint: 'name: persons and bodies who made it' },
  { element: 'genre', label: 'Genre', hint: 'genre: what kind of thing it is' },
  { element: 'publisher', label: 'Publisher', hint: 'originInfo' },
  { element: 'date', label: 'Date', hint: 'originInfo: 2003, 2003-04 or 2003-04-17' },
  { element: 'language', label: 'Language', hint: 'language: a code such as en' },
  { element: 'subject', label: 'Topics', hint: 'subject' },
  { element: 'place', label: 'Places', hint: 'subject: places that it is about' },
  { element: 'rights', label: 'Rights', hint: 'accessCondition' },
];
/** Without scripts no field can be added, so some stand there empty. */
const SPARE = 2;

export function renderDescribePage(parts: DescribePageParts): Html {
  const { site, item, action, values, stated, authorities, problem, signedInAs } = parts;
  const path = itemPath(item.source, item.identifier);
  const title = item.title ?? item.identifier;
  const main = html`<div class="wrap describe">
  <p class="crumbs"><a href="${path}">${title}</a></p>
  <h1>Describe</h1>
  <p>What you say stands instead of what the item says of itself; both are kept, and <a href="${itemPath(item.source, item.identifier, '/versions/')}">every version</a> can be brought back. A field that you leave empty says nothing.</p>
  ${problem === undefined ? '' : html`<p class="note" role="alert">${problem}</p>`}
  <form method="post" action="${action}" class="describe-form">
    ${FIELDS.map((field) => renderField(field, values, stated, authorities))}
    <fieldset><legend>Abstract</legend>${said(stated.description)}
      <label class="hidden" for="description-1">Abstract</label>
      <textarea class="describe-text" id="description-1" name="description" rows="5" maxlength="4000">${values.description?.join('\n\n') ?? ''}</textarea>
      <small class="muted describe-hint">abstract</small></fieldset>
    <fieldset><legend>Why, and who</legend><div class="stack">
      <label for="why">Why</label>
      <input id="why" name="why" required maxlength="1000" value="${parts.reason ?? ''}">
      <label for="token">Token of a curator</label>${signedInAs === undefined ? '' : html` <span class="muted">again, though you are signed in: that is for reading only</span>`}
      <input id="token" name="token" type="password" required autocomplete="current-password" maxlength="500">
      <button class="primary">Save as a new version</button></div></fieldset>
  </form>
</div>`;
  return renderPage({ site, title: `Describe ${title}`, main, query: '', signedInAs });
}

function renderField(
  { element, label, hint }: FieldText,
  values: CataloguedValues,
  stated: CataloguedValues,
  authorities: Authorities,
): Html {
  const list = authorities[element];
  const value = values[element] ?? [];
  const own = typeof value === 'string' ? [value] : value;
  const fields = element === 'title' ? [own[0] ?? ''] : [...own, ...Array<string>(SPARE).fill('')];
  const offered = list && list.terms.length > 0 ? list : undefined;
  return html`<fieldset><legend>${label}</legend>${said(stated[element])}
  ${fields.map((text, index) => {
    const id = `${element}-${index + 1}`;
    const name = html`<label class="hidden" for="${id}">${label} ${index + 1}</label>`;
    if (offered?.closed)
      return html`${name}<select class="describe-field" id="${id}" name="${element}" aria-describedby="${element}-hint"><option value=""></option>${[...new Set([...offered.terms, ...(text ? [text] : [])])].map((term) => html`<option${term === text ? html` selected` : ''}>${term}</option>`)}</select>`;
    return html`${name}<input class="describe-field" id="${id}" name="${element}" value="${text}" maxlength="4000" aria-describedby="${element}-hint"${offered ? html` list="${element}-terms"` : ''}>`;
  })}
  ${offered && !offered.closed ? html`<datalist id="${element}-terms">${offered.terms.map((term) => html`<option value="${term}"></option>`)}</datalist>` : ''}
  <small class="muted describe-hint" id="${element}-hint">${hint}${offered?.authority === undefined ? '' : `; terms of ${offered.authority} are offered`}</small></fieldset>`;
}

function said(stated: string | readonly string[] | undefined): Html {
  const text = typeof stated === 'string' ? stated : (stated ?? []).join('; ');
  return text === '' ? html`` : html`<p class="muted describe-hint">The item says: ${text.slice(0, 500)}</p>`;
}
