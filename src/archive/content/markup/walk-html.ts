/**
 * Elements of a page, opened and closed in balance: what the collectors of links, metadata and text listen
 * to. No tree is built. End tags that are missing are supplied as far as the reading of old pages needs it.
 */
import type { PageText } from './page-text.ts';
import { type Attribute, type MarkupHandler, type ScanOptions, type StartTag, scanMarkup } from './scan.ts';
import type { Piece } from './source-text.ts';

export interface HtmlElement extends StartTag {
  readonly parent: HtmlElement | undefined;
  readonly depth: number;
}

export interface HtmlListener {
  open?(element: HtmlElement): void;
  /** `end` is the `raw` index of the end tag, or of whatever closed the element. */
  close?(element: HtmlElement, end: number): void;
  text?(piece: Piece, parent: HtmlElement | undefined): void;
  /** Text that nobody wants need not be decoded. */
  skipsText?(parent: HtmlElement | undefined): boolean;
  comment?(start: number, end: number): void;
  instruction?(start: number, end: number): void;
}

/** Deeper elements are seen, but as if they had no content. */
const MAX_DEPTH = 512;

const VOID = new Set(
  (
    'area base basefont bgsound br col command embed frame hr image img input isindex keygen link meta ' +
    'nextid param source spacer track wbr'
  ).split(' '),
);

/** An open element of the first name is closed by a start tag of the others (HTML Standard §13.1.2.4). */
const CLOSED_BY: Readonly<Record<string, ReadonlySet<string>>> = {
  li: new Set(['li']),
  dt: new Set(['dt', 'dd']),
  dd: new Set(['dt', 'dd']),
  option: new Set(['option', 'optgroup']),
  td: new Set(['td', 'th', 'tr', 'tbody', 'tfoot', 'thead']),
  th: new Set(['td', 'th', 'tr', 'tbody', 'tfoot', 'thead']),
  tr: new Set(['tr', 'tbody', 'tfoot', 'thead']),
  head: new Set(['body', 'frameset']),
  a: new Set(['a']),
  p: new Set(
    (
      'address article aside blockquote center details div dl fieldset figure footer form h1 h2 h3 h4 h5 ' +
      'h6 header hr main menu nav ol p pre section table ul'
    ).split(' '),
  ),
};

export function attributeOf(element: StartTag, name: string): Attribute | undefined {
  return element.attributes.find((attribute) => attribute.name === name);
}

/** The trimmed value, or undefined when the attribute is absent or blank. */
export function valueIn(element: StartTag, name: string): string | undefined {
  return attributeOf(element, name)?.text.trim() || undefined;
}

export function walkHtml(
  page: PageText,
  listeners: readonly HtmlListener[],
  options: ScanOptions = {},
): void {
  const stack: HtmlElement[] = [];
  /** How many elements of each name are open, so that a stray end tag costs nothing. */
  const openNames = new Map<string, number>();

  function pop(end: number): void {
    const element = stack.pop();
    if (!element) return;
    openNames.set(element.name, (openNames.get(element.name) ?? 1) - 1);
    for (const listener of listeners) listener.close?.(element, end);
  }

  const handler: MarkupHandler = {
    open(tag) {
      if (!options.xml) {
        for (let top = stack.at(-1); top && CLOSED_BY[top.name]?.has(tag.name); top = stack.at(-1))
          pop(tag.start);
      }
      const parent = stack.at(-1);
      const element: HtmlElement = { ...tag, parent, depth: stack.length };
      for (const listener of listeners) listener.open?.(element);
      const empty = tag.selfClosing || (!options.xml && VOID.has(tag.name));
      if (empty || stack.length >= MAX_DEPTH) {
        for (const listener of listeners) listener.close?.(element, tag.end);
        return;
      }
      stack.push(element);
      openNames.set(tag.name, (openNames.get(tag.name) ?? 0) + 1);
    },
    close(name, start) {
      if ((openNames.get(name) ?? 0) === 0) return;
      while (stack.at(-1)?.name !== name) pop(start);
      pop(start);
    },
    skipsText() {
      const parent = stack.at(-1);
      return listeners.every((listener) => !listener.text || listener.skipsText?.(parent) === true);
    },
    text(piece) {
      const parent = stack.at(-1);
      for (const listener of listeners) listener.text?.(piece, parent);
    },
    comment(start, end) {
      for (const listener of listeners) listener.comment?.(start, end);
    },
    instruction(start, end) {
      for (const listener of listeners) listener.instruction?.(start, end);
    },
  };
  scanMarkup(page, handler, options);
  while (stack.length > 0) pop(options.to ?? page.raw.length);
}
