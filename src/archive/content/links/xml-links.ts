/**
 * Links of XML that is no page: RSS of all versions, Atom, sitemaps and their indexes, OPML, style sheets of
 * XSLT, schemas, and `xlink:href` wherever it stands. Elements are known by their local names: feeds of the
 * wild declare namespaces wrongly, or not at all.
 */
import type { LinkKind } from '../link.ts';
import { openPageText, type PageText } from '../markup/page-text.ts';
import { joinPieces, type Piece, type SourceText } from '../markup/source-text.ts';
import { attributeOf, type HtmlElement, type HtmlListener, valueIn, walkHtml } from '../markup/walk-html.ts';
import { addStylesheetInstruction, htmlLinkListener } from './html-links.ts';
import type { LinkDraft, LinkList } from './link-list.ts';
import { kindOfRel } from './link-rel.ts';
import { kindByName } from './looks-like-url.ts';
import { parseUrl } from './resolve.ts';

/** Elements whose text is an address; by `parent/name` where the name alone says too little. */
const TEXT_KINDS: Readonly<Record<string, { readonly kind: LinkKind; readonly rel?: string }>> = {
  link: { kind: 'page' },
  comments: { kind: 'page', rel: 'comments' },
  docs: { kind: 'page', rel: 'docs' },
  'image/url': { kind: 'image' },
  logo: { kind: 'image' },
  icon: { kind: 'image' },
  uri: { kind: 'page', rel: 'author' },
  'url/loc': { kind: 'page' },
  'sitemap/loc': { kind: 'feed', rel: 'sitemap' },
  'image/loc': { kind: 'image' },
  thumbnail_loc: { kind: 'image' },
  content_loc: { kind: 'media' },
  player_loc: { kind: 'frame' },
  commentrss: { kind: 'feed' },
  origlink: { kind: 'page' },
};

/** Attributes that hold an address, by element. */
const ATTRIBUTE_KINDS: Readonly<Record<string, Readonly<Record<string, LinkKind>>>> = {
  enclosure: { url: 'media' },
  content: { url: 'media', src: 'embed' },
  thumbnail: { url: 'image' },
  player: { url: 'frame' },
  source: { url: 'feed' },
  outline: { xmlUrl: 'feed', htmlUrl: 'page', url: 'page' },
  image: { href: 'image' },
  import: { href: 'style', schemaLocation: 'data' },
  include: { href: 'style', schemaLocation: 'data' },
  script: { src: 'script' },
};

/** Elements that may hold HTML as text. */
const HTML_TEXT = new Set(['description', 'encoded', 'content', 'summary', 'fulltext', 'body']);
const MAX_TEXT = 1 << 20;

const localName = (name: string): string => name.slice(name.indexOf(':') + 1);

interface Frame {
  readonly element: HtmlElement;
  readonly base: string | undefined;
}

export function xmlLinkListener(page: PageText, list: LinkList, maxAnchor: number): HtmlListener {
  const frames: Frame[] = [];
  let pieces: Piece[] = [];
  /** The first link of an entry, which its title describes. */
  let title = '';
  let titled: LinkDraft[] = [];

  const base = () => frames.at(-1)?.base;

  function readAttributes(element: HtmlElement, local: string): void {
    const table = Object.hasOwn(ATTRIBUTE_KINDS, local) ? ATTRIBUTE_KINDS[local] : undefined;
    for (const attribute of element.attributes) {
      const known = table && Object.hasOwn(table, attribute.name) ? table[attribute.name] : undefined;
      if (known) {
        const kind = known === 'media' ? (kindOfType(valueIn(element, 'type')) ?? known) : known;
        list.add(attribute, kind, { base: base(), rel: local });
      } else if (localName(attribute.name) === 'href' && attribute.name !== 'href')
        list.add(attribute, kindByName(attribute.text) ?? 'page', { base: base(), rel: 'xlink' });
    }
  }

  function readLinkElement(element: HtmlElement): void {
    const href = attributeOf(element, 'href');
    if (!href) return;
    const rel = valueIn(element, 'rel') ?? 'alternate';
    const draft = list.add(href, kindOfFeedLink(rel, element), { base: base(), rel });
    if (draft && rel === 'alternate') titled.push(draft);
    if (draft) draft.anchor = valueIn(element, 'title');
  }

  function readText(element: HtmlElement, local: string, source: SourceText): void {
    const parent = localName(element.parent?.name ?? '');
    const found = own(`${parent}/${local}`) ?? own(local);
    if (found) {
      const draft = list.add(source, found.kind, { base: base(), rel: found.rel });
      if (draft && local === 'link') titled.push(draft);
    } else if (local === 'guid' && valueIn(element, 'isPermaLink')?.toLowerCase() !== 'false')
      list.add(source, 'page', {
        base: base(),
        rel: 'guid',
        heuristic: !/^https?:/i.test(source.text.trim()),
      });
    else if (local === 'title') title ||= source.text.replace(/\s+/g, ' ').trim().slice(0, maxAnchor);
    else if (HTML_TEXT.has(local) && source.text.includes('<') && source.text.length <= MAX_TEXT)
      readHtmlText(list, source.text, maxAnchor, base());
  }

  return {
    open(element) {
      const local = localName(element.name);
      const written = valueIn(element, 'xml:base');
      const outer = base() ?? list.base;
      frames.push({
        element,
        base: written === undefined ? base() : (parseUrl(written, outer)?.href ?? base()),
      });
      pieces = [];
      if (local === 'item' || local === 'entry' || local === 'channel') startEntry();
      if (local === 'link') readLinkElement(element);
      readAttributes(element, local);
    },
    text(piece) {
      pieces.push(piece);
    },
    close(element) {
      const local = localName(element.name);
      const source = joinPieces(page, pieces);
      pieces = [];
      if (source && source.text.trim() !== '') readText(element, local, source);
      if (local === 'item' || local === 'entry') finishEntry();
      if (frames.at(-1)?.element === element) frames.pop();
    },
    instruction(start, end) {
      const text = page.decode(start, end);
      addStylesheetInstruction(list, { text, page, start, end });
    },
  };

  function startEntry(): void {
    title = '';
    titled = [];
  }

  function finishEntry(): void {
    for (const draft of titled) draft.anchor ??= title || undefined;
    startEntry();
  }
}

const own = (name: string) => (Object.hasOwn(TEXT_KINDS, name) ? TEXT_KINDS[name] : undefined);

function kindOfType(type: string | undefined): LinkKind | undefined {
  if (type === undefined) return undefined;
  if (type.startsWith('image/')) return 'image';
  return /^(?:audio|video)\//.test(type) ? 'media' : 'page';
}

/** RFC 4287 §4.2.7.2; the registered relations of paging and archives lead to feeds. */
function kindOfFeedLink(rel: string, element: HtmlElement): LinkKind {
  // In a sitemap `xhtml:link` names translations.
  if (element.name !== 'link' && localName(element.parent?.name ?? '') === 'url') return 'alternate';
  if (/^(?:self|next|prev|previous|first|last|current|prev-archive|next-archive|hub|replies)$/i.test(rel))
    return 'feed';
  if (rel === 'enclosure') return kindOfType(valueIn(element, 'type')) ?? 'media';
  if (rel === 'alternate') return 'page';
  return kindOfRel(rel, valueIn(element, 'type'), undefined) ?? 'page';
}

/** A feed carries pages inside its texts, escaped or in CDATA. */
function readHtmlText(list: LinkList, text: string, maxAnchor: number, base: string | undefined): void {
  const page = openPageText(Buffer.from(text), 'utf-8');
  walkHtml(page, [htmlLinkListener(page, list, { maxAnchor, nested: 1, notes: { placeless: true, base } })]);
}
