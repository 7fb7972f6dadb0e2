/** Snippets with their matches marked. */
import { html } from 'hono/html';
import type { Snippet } from '../store/index.ts';
import type { Html } from './page.ts';

export function renderSnippet({ text, marks }: Snippet): Html {
  const pieces: (string | Html)[] = [];
  let place = 0;
  for (const [start, end] of marks) {
    if (start < place || end <= start) continue;
    pieces.push(text.slice(place, start), html`<mark>${text.slice(start, end)}</mark>`);
    place = end;
  }
  pieces.push(text.slice(place));
  return html`${pieces}`;
}

/** Cut at a word's end. */
export function shorten(text: string, length: number): string {
  const plain = text.replace(/\s+/g, ' ').trim();
  if (plain.length <= length) return plain;
  const cut = plain.slice(0, length);
  return `${cut.slice(0, Math.max(cut.lastIndexOf(' '), length / 2)).replace(/[\s,;:.–-]+$/, '')} …`;
}
