/** What is to be said of an expression: a mistake in it, with its place, or a name that nobody knows. */
import { html } from 'hono/html';
import type { Html } from './page.ts';

export interface ExpressionNote {
  readonly message: string;
  /** Offset into the expression, in UTF-16 units; absent: no place is to blame. */
  readonly position?: number | undefined;
}

export function renderExpressionNote(expression: string, { message, position }: ExpressionNote): Html {
  return html`<div class="note" role="alert"><p>${sentence(message)}</p>${position === undefined ? '' : renderCaret(expression, position)}</div>`;
}

export function renderCaret(query: string, position: number | undefined): Html {
  if (position === undefined) return html`<pre class="caret">${query}</pre>`;
  const line = query.replace(/\s/g, ' ');
  // Characters that fill two units (outside the BMP) still take one column.
  const column = Array.from(line.slice(0, position)).length;
  return html`<pre class="caret" tabindex="0" aria-label="The query, with the place of the mistake marked">${line}
${' '.repeat(column)}<span class="sign" aria-hidden="true">▲</span></pre>`;
}

export function sentence(message: string): string {
  const text = message.charAt(0).toUpperCase() + message.slice(1);
  return /[.!?]$/.test(text) ? text : `${text}.`;
}
