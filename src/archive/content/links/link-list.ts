/** Gathers the links of one file, up to a limit, and resolves them once the file's base is known. */
import type { Link, LinkKind } from '../link.ts';
import type { PageText, Span } from '../markup/page-text.ts';
import { type SourceText, spanOf } from '../markup/source-text.ts';
import { parseUrl, resolveLink } from './resolve.ts';

export interface LinkNotes {
  readonly rel?: string | undefined;
  readonly heuristic?: boolean | undefined;
  /** Of the value; all of it when absent. */
  readonly from?: number;
  readonly to?: number;
  /** Takes the place of the document's base: an applet's codebase, xml:base. */
  readonly base?: string | undefined;
  /** The bytes of the value are not the file's own: HTML inside a feed's text. */
  readonly placeless?: boolean;
}

/** A link whose anchor text may still grow. */
export interface LinkDraft {
  anchor: string | undefined;
  /** `raw` indices of the element's start and end. */
  extent: readonly [start: number, end: number] | undefined;
}

interface Entry extends LinkDraft {
  readonly source: SourceText;
  readonly from: number;
  readonly to: number;
  readonly kind: LinkKind;
  readonly notes: LinkNotes;
  /** The base when the link was met. */
  readonly base: string;
}

/** Resolved when a reader uses them, so by a `<base>` that comes late, too; others are loaded at once. */
const RESOLVED_LATE: ReadonlySet<LinkKind> = new Set([
  'page',
  'form',
  'canonical',
  'alternate',
  'feed',
  'data',
  'redirect',
]);

export class LinkList {
  readonly #documentUrl: string;
  readonly #limit: number;
  readonly #entries: Entry[] = [];
  #base: string | undefined;
  #cut = false;

  constructor(documentUrl: string, limit: number) {
    this.#documentUrl = documentUrl;
    this.#limit = limit;
  }

  /** True when links were left out. */
  get cut(): boolean {
    return this.#cut;
  }

  get base(): string {
    return this.#base ?? this.#documentUrl;
  }

  /** The first base of a document counts; it may be relative itself. */
  setBase(href: string): void {
    if (this.#base !== undefined) return;
    this.#base = parseUrl(href.trim(), this.#documentUrl)?.href;
  }

  add(source: SourceText, kind: LinkKind, notes: LinkNotes = {}): LinkDraft | undefined {
    if (this.#entries.length >= this.#limit) {
      this.#cut = true;
      return undefined;
    }
    const { from = 0, to = source.text.length } = notes;
    const entry: Entry = {
      source,
      from,
      to,
      kind,
      notes,
      base: notes.base ?? this.base,
      anchor: undefined,
      extent: undefined,
    };
    this.#entries.push(entry);
    return entry;
  }

  finish(): Link[] {
    const links: Link[] = [];
    for (const { source, from, to, kind, notes, base, anchor, extent } of this.#entries) {
      const late = notes.base === undefined && RESOLVED_LATE.has(kind);
      const url = resolveLink(source, from, to, late ? this.base : base);
      if (url === undefined) continue;
      links.push({
        url,
        written: source.text.slice(from, to),
        kind,
        ...(notes.rel && { rel: notes.rel }),
        ...(anchor && { anchor }),
        ...(!notes.placeless && { position: spanOf(source, from, to) }),
        ...(!notes.placeless && extent && { extent: spanBetween(source.page, ...extent) }),
        ...(notes.heuristic && { heuristic: true }),
      });
    }
    return links;
  }
}

function spanBetween(page: PageText, start: number, end: number): Span {
  const at = page.offsetOf(start);
  return { at, length: page.offsetOf(end) - at };
}
