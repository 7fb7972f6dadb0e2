/** The words between `<a>` and `</a>`, images counted by their `alt`. */
import type { HtmlElement } from '../markup/walk-html.ts';
import type { LinkDraft } from './link-list.ts';

const UNSEEN = new Set(['script', 'style', 'noframes', 'noembed', 'iframe', 'title']);

export class AnchorTexts {
  readonly #limit: number;
  #element: HtmlElement | undefined;
  #draft: LinkDraft | undefined;
  #text = '';

  constructor(limit: number) {
    this.#limit = limit;
  }

  /** Anchors do not nest: a second one ends the first. */
  start(element: HtmlElement, draft: LinkDraft): void {
    this.#finish(element.start);
    this.#element = element;
    this.#draft = draft;
  }

  text(text: string, parent: string | undefined): void {
    if (this.#draft && this.#text.length < this.#limit && !UNSEEN.has(parent ?? '')) this.#text += text;
  }

  image(alt: string | undefined): void {
    if (alt !== undefined) this.text(` ${alt} `, undefined);
  }

  get isOpen(): boolean {
    return this.#draft !== undefined;
  }

  isOf(element: HtmlElement): boolean {
    return element === this.#element;
  }

  /** `end`: behind the end tag, or where the element was cut off. */
  end(end: number): void {
    this.#finish(end);
  }

  #finish(end: number): void {
    const text = this.#text.replace(/\s+/g, ' ').trim().slice(0, this.#limit);
    if (this.#draft && text !== '') this.#draft.anchor = text;
    if (this.#draft && this.#element) this.#draft.extent = [this.#element.start, end];
    this.#element = undefined;
    this.#draft = undefined;
    this.#text = '';
  }
}
