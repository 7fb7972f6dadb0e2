/** An XML element as its indented source, coloured: tags, attributes and texts are told apart. */
import { html } from 'hono/html';
import type { AnswerElement } from '../publish/index.ts';
import type { Html } from './page.ts';

/** Texts that are longer than any person reads (files by value): their beginning, and how long they are. */
const SHOWN_CHARACTERS = 2000;

export function renderXmlSource(element: AnswerElement): Html {
  return html`<pre class="xml-source" tabindex="0">${renderElement(element, '')}</pre>`;
}

function renderElement({ name, attributes, content }: AnswerElement, indent: string): Html {
  const written = attributes.map(
    ([key, value]) =>
      html` <span class="xml-key">${key}</span>=<span class="xml-value">"${cut(value)}"</span>`,
  );
  const parts = content.filter((part) => typeof part !== 'string' || part.trim() !== '');
  if (parts.length === 0)
    return html`${indent}<span class="xml-tag">&lt;${name}</span>${written}<span class="xml-tag">/&gt;</span>\n`;
  const open = html`<span class="xml-tag">&lt;${name}</span>${written}<span class="xml-tag">&gt;</span>`;
  const close = html`<span class="xml-tag">&lt;/${name}&gt;</span>`;
  const [only] = parts;
  if (parts.length === 1 && typeof only === 'string')
    return html`${indent}${open}${cut(only.trim())}${close}\n`;
  const deeper = `${indent}  `;
  return html`${indent}${open}\n${parts.map((part) =>
    typeof part === 'string' ? html`${deeper}${cut(part.trim())}\n` : renderElement(part, deeper),
  )}${indent}${close}\n`;
}

const cut = (text: string): string =>
  text.length > SHOWN_CHARACTERS
    ? `${text.slice(0, SHOWN_CHARACTERS).toWellFormed()}… (${text.length.toLocaleString('en')} characters)`
    : text;
