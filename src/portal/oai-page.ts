/** An answer of OAI-PMH as a page for people: the same content, with links where a harvester would ask on. */
import { html, raw } from 'hono/html';
import type { AnswerElement, AnswerRecord, OaiAnswer } from '../publish/index.ts';
import { type Html, renderPage, type Site } from './page.ts';
import { renderXmlSource } from './xml-source.ts';

export interface OaiPageParts {
  readonly site: Site;
  readonly answer: OaiAnswer;
  /** Of the base URL on this site. */
  readonly path: string;
  /** Arguments of the request, as they came. */
  readonly asked: readonly (readonly [name: string, value: string])[];
  readonly signedInAs?: string | undefined;
}

const VERBS: readonly (readonly [verb: string, query: string])[] = [
  ['Identify', 'verb=Identify'],
  ['ListMetadataFormats', 'verb=ListMetadataFormats'],
  ['ListSets', 'verb=ListSets'],
  ['ListIdentifiers', 'verb=ListIdentifiers&metadataPrefix=oai_dc'],
  ['ListRecords', 'verb=ListRecords&metadataPrefix=oai_dc'],
];

const FACT_LABELS: Readonly<Record<string, string>> = {
  repositoryName: 'Name',
  baseURL: 'Base URL',
  protocolVersion: 'Protocol version',
  adminEmail: 'Contact',
  earliestDatestamp: 'Earliest datestamp',
  deletedRecord: 'Deleted records',
  granularity: 'Granularity',
  compression: 'Compression',
};

export function renderOaiPage({ site, answer, path, asked, signedInAs }: OaiPageParts): Html {
  const { verb, errors } = answer;
  const ask = (values: Readonly<Record<string, string>>) => `${path}?${new URLSearchParams(values)}`;
  const title = verb ?? errors[0]?.code ?? 'OAI-PMH';
  const main = html`<div class="wrap oai">
  <p class="crumbs"><a href="/repository">Harvest this repository</a></p>
  <h1>${title}</h1>
  <nav class="oai-verbs" aria-label="Verbs"><ul>${VERBS.map(
    ([name, query]) =>
      html`<li><a href="${path}?${query}" ${name === verb ? raw('aria-current="page"') : ''}>${name}</a></li>`,
  )}</ul></nav>
  <dl class="facts">
    <div><dt>Base URL</dt><dd><code>${answer.baseUrl}</code></dd></div>
    ${answer.arguments.map(([name, value]) => html`<div><dt>${name}</dt><dd><code>${value}</code></dd></div>`)}
    <div><dt>Answered</dt><dd>${answer.responseDate}</dd></div>
  </dl>
  ${errors.map(({ code, message }) => html`<p class="note oai-error" role="alert"><strong>${code}</strong>: ${message}</p>`)}
  ${renderBody(answer, ask)}
  ${renderPaging(answer, ask)}
  <form method="post" action="${path}" class="as-xml">
    ${asked.map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`)}
    <button>Show this answer as XML</button>
    <span class="muted">Programs get it at the address of this page.</span>
  </form>
</div>`;
  return renderPage({ site, title: `${title} (OAI-PMH)`, main, query: '', signedInAs });
}

type Ask = (values: Readonly<Record<string, string>>) => string;

function renderBody(answer: OaiAnswer, ask: Ask): Html | string {
  switch (answer.verb) {
    case undefined:
      return '';
    case 'Identify':
      return renderIdentify(answer);
    case 'ListMetadataFormats':
      return renderFormats(answer, ask);
    case 'ListSets':
      return renderSets(answer, ask);
    case 'ListIdentifiers':
      return renderHeaders(answer, ask);
    case 'ListRecords':
    case 'GetRecord':
      return html`${answer.records.map((record) => renderRecord(record, prefixOf(answer), ask))}`;
  }
}

const argument = ({ arguments: given }: OaiAnswer, name: string): string | undefined =>
  given.find(([key]) => key === name)?.[1];

const prefixOf = (answer: OaiAnswer): string => argument(answer, 'metadataPrefix') ?? 'oai_dc';

function renderIdentify({ facts, descriptions }: OaiAnswer): Html {
  return html`<dl class="oai-fields">${facts.map(([name, value]) => html`<dt>${FACT_LABELS[name] ?? name}</dt><dd>${renderValue(value)}</dd>`)}</dl>
  ${descriptions.map((description) => html`<h2>${localName(description)}</h2>${renderXmlSource(description)}`)}`;
}

function renderFormats(answer: OaiAnswer, ask: Ask): Html {
  const identifier = argument(answer, 'identifier');
  return table(
    'Formats',
    ['Prefix', 'Namespace', 'Schema'],
    answer.formats.map(({ prefix: metadataPrefix, namespace, schema }) => {
      const href =
        identifier === undefined
          ? ask({ verb: 'ListRecords', metadataPrefix })
          : ask({ verb: 'GetRecord', metadataPrefix, identifier });
      return html`<tr><td><a href="${href}"><code>${metadataPrefix}</code></a></td><td><code>${namespace}</code></td><td>${renderValue(schema)}</td></tr>`;
    }),
  );
}

function renderSets({ sets }: OaiAnswer, ask: Ask): Html {
  return table(
    'Sets',
    ['Set', 'Name', 'Lists'],
    sets.map(
      ({ spec: set, name, descriptions }) =>
        html`<tr><td><code>${set}</code></td><td>${name}${descriptions.map((description) => html`<br><span class="muted">${textOf(description)}</span>`)}</td><td><a href="${ask({ verb: 'ListIdentifiers', metadataPrefix: 'oai_dc', set })}">headers<span class="hidden"> of ${set}</span></a> · <a href="${ask({ verb: 'ListRecords', metadataPrefix: 'oai_dc', set })}">records<span class="hidden"> of ${set}</span></a></td></tr>`,
    ),
  );
}

function renderHeaders(answer: OaiAnswer, ask: Ask): Html {
  const metadataPrefix = prefixOf(answer);
  return table(
    'Headers',
    ['Identifier', 'Datestamp', 'Sets'],
    answer.records.map(
      ({ identifier, datestamp, sets, deleted }) =>
        html`<tr><td><a href="${ask({ verb: 'GetRecord', metadataPrefix, identifier })}">${identifier}</a>${deleted ? html` <span class="badge">deleted</span>` : ''}</td><td class="when">${datestamp}</td><td>${renderSetLinks(sets, ask)}</td></tr>`,
    ),
  );
}

const renderSetLinks = (sets: readonly string[], ask: Ask): Html =>
  html`${sets.map(
    (set, index) =>
      html`${index === 0 ? '' : ', '}<a href="${ask({ verb: 'ListIdentifiers', metadataPrefix: 'oai_dc', set })}"><code>${set}</code></a>`,
  )}`;

function renderRecord(record: AnswerRecord, metadataPrefix: string, ask: Ask): Html {
  const { identifier, datestamp, sets, deleted, metadata, abouts } = record;
  return html`<article class="oai-record">
  <h2 class="oai-title"><a href="${ask({ verb: 'GetRecord', metadataPrefix, identifier })}">${identifier}</a></h2>
  <p class="facts">${deleted ? html`<span class="badge">deleted</span>` : ''}<span>${datestamp}</span><span>in ${renderSetLinks(sets, ask)}</span><a href="${ask({ verb: 'ListMetadataFormats', identifier })}">formats<span class="hidden"> of ${identifier}</span></a></p>
  ${metadata ? renderMetadata(metadata) : ''}
  ${abouts.map((about) => html`<details><summary>About this record: ${localName(about)}</summary>${renderXmlSource(about)}</details>`)}
</article>`;
}

/** Dublin Core as people read it; every other format as it is written. */
function renderMetadata(metadata: AnswerElement): Html {
  const values = metadata.content.filter((part) => typeof part !== 'string');
  if (localName(metadata) !== 'dc' || values.length === 0) return renderXmlSource(metadata);
  return html`<dl class="oai-fields">${values.map((value) => html`<dt>${localName(value)}</dt><dd>${renderValue(textOf(value))}</dd>`)}</dl>
  <details><summary>XML</summary>${renderXmlSource(metadata)}</details>`;
}

function renderPaging({ verb, token, records, sets }: OaiAnswer, ask: Ask): Html | string {
  if (!token || verb === undefined) return '';
  const { cursor = 0, completeListSize: size, expirationDate } = token;
  const shown = records.length + sets.length;
  const range = `${(cursor + 1).toLocaleString('en')}–${(cursor + shown).toLocaleString('en')}`;
  return html`<nav class="paging" aria-label="Pages">
    <span>${range}${size === undefined ? '' : ` of ${size.toLocaleString('en')}`}</span>
    ${
      token.text === ''
        ? html`<span class="muted">End of the list</span>`
        : html`<a href="${ask({ verb, resumptionToken: token.text })}" rel="next" ${expirationDate === undefined ? '' : html`title="good until ${expirationDate}"`}>Next page</a>`
    }
  </nav>`;
}

const table = (label: string, columns: readonly string[], rows: readonly Html[]): Html =>
  html`<div class="scroll" role="region" aria-label="${label}" tabindex="0"><table>
    <thead><tr>${columns.map((column) => html`<th scope="col">${column}</th>`)}</tr></thead>
    <tbody>${rows}</tbody>
  </table></div>`;

const renderValue = (value: string): Html | string =>
  /^https?:\/\/[^\s<>"]+$/.test(value) ? html`<a href="${value}">${value}</a>` : value;

const localName = ({ name }: AnswerElement): string => name.slice(name.indexOf(':') + 1);

const textOf = ({ content }: AnswerElement): string =>
  content.map((part) => (typeof part === 'string' ? part : textOf(part))).join('');
