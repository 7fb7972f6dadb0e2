/** One data element: everything that the dictionaries say of it, in all its versions. */
import { html } from 'hono/html';
import {
  ATTRIBUTE_GROUPS,
  ATTRIBUTES,
  type Attribute,
  type AttributeEntry,
  attributeEntries,
} from '../federate/dictionary/attributes.ts';
import type { DataElement } from '../federate/dictionary/data-element.ts';
import type { DataDictionary } from '../federate/dictionary/dictionary.ts';
import type { FoundElement } from '../federate/dictionary/element-index.ts';
import { elementHref } from './dictionary-page.ts';
import { isWebAddress } from './field-text.ts';
import { type Html, renderPage, type Site } from './page.ts';

export interface ElementPageParts {
  readonly site: Site;
  /** As the address has it. */
  readonly name: string;
  /** At least one. */
  readonly found: readonly FoundElement[];
  readonly dictionaries: readonly DataDictionary[];
  /** The address of an element of that name; undefined when no dictionary has one. */
  readonly hrefOf: (name: string) => string | undefined;
  /** Where the ontology has the attribute: classes, with the path where it is inferred. */
  readonly classes: readonly { readonly label: string; readonly path: string }[];
  readonly signedInAs?: string | undefined;
}

const GROUP_TEXT: Readonly<Record<(typeof ATTRIBUTE_GROUPS)[number], string>> = {
  identifying: 'Identification',
  definitional: 'Definition',
  relational: 'Relations',
  representational: 'Representation',
  administrative: 'Administration',
};

export function renderElementPage(page: ElementPageParts): Html {
  const { site, name, found, dictionaries, signedInAs } = page;
  const title = found[0]?.entry.current.name ?? name;
  const main = html`<div class="wrap narrow-text">
  <p class="crumbs"><a href="/dictionary">Data elements</a></p>
  <h1>${title}</h1>
  ${found.map(({ entry, bySynonym }) => {
    const { current, versions } = entry;
    const dictionary = dictionaries.find(({ identifier }) => identifier === entry.dictionary);
    return html`<section aria-label="${current.name}, ${dictionary?.title ?? entry.dictionary}">
    ${bySynonym ? html`<p class="note">${name} is a synonym of <a href="${elementHref(entry.key)}">${current.name}</a>.</p>` : ''}
    <p><a href="/dictionary?dictionary=${entry.dictionary}">${dictionary?.title ?? entry.dictionary}</a>, version ${current.version} <span class="badge">${current.registrationStatus}</span></p>
    ${renderAttributes(current, page.hrefOf)}
    ${renderVersions(
      versions.filter((version) => version !== current),
      page.hrefOf,
    )}
  </section>`;
  })}
  ${renderClasses(page.classes)}
  <p>As JSON: <a href="/api/dictionary/${encodeURIComponent(name)}">/api/dictionary/${name}</a></p>
</div>`;
  return renderPage({ site, title, main, place: 'dictionary', query: '', signedInAs });
}

type HrefOf = ElementPageParts['hrefOf'];

function renderAttributes(element: DataElement, hrefOf: HrefOf): Html {
  return html`${ATTRIBUTE_GROUPS.map((group) => {
    const rows = ATTRIBUTES.filter((attribute) => attribute.group === group).flatMap((attribute) => {
      const entries = attributeEntries(element, attribute);
      return entries.length === 0 ? [] : [{ attribute, entries }];
    });
    if (rows.length === 0) return '';
    return html`<h2>${GROUP_TEXT[group]}</h2>
    <dl class="fields">${rows.map(
      ({ attribute, entries }) => html`<div><dt>${attribute.label}</dt>
      <dd>${entries.length === 1 ? entries.map((entry) => renderEntry(attribute, entry, hrefOf)) : html`<ul class="plain-list">${entries.map((entry) => html`<li>${renderEntry(attribute, entry, hrefOf)}</li>`)}</ul>`}</dd></div>`,
    )}</dl>`;
  })}`;
}

function renderEntry({ key }: Attribute, { text, beside }: AttributeEntry, hrefOf: HrefOf): Html {
  const href = key === 'related' ? hrefOf(text) : isWebAddress(text) ? text : undefined;
  const main = href === undefined ? html`${text}` : html`<a href="${href}">${text}</a>`;
  return beside === undefined ? main : html`${main} <span class="muted">${beside}</span>`;
}

function renderVersions(versions: readonly DataElement[], hrefOf: HrefOf): Html {
  if (versions.length === 0) return html``;
  return html`<h2>Other versions</h2>
    ${versions.map(
      (version) => html`<details><summary>Version ${version.version}, ${version.registrationStatus}</summary>
      ${renderAttributes(version, hrefOf)}</details>`,
    )}`;
}

function renderClasses(classes: ElementPageParts['classes']): Html {
  if (classes.length === 0) return html``;
  return html`<h2>In the ontology</h2>
  <ul>${classes.map(({ label, path }) => html`<li>${label}${path === '' ? '' : html` <span class="muted">inferred: ${path}</span>`}</li>`)}</ul>`;
}
