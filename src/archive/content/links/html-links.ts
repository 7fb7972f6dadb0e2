/** The links of an HTML page, of whatever age. Listens to the walk over the page's elements. */
import type { PageText } from '../markup/page-text.ts';
import { openPageText } from '../markup/page-text.ts';
import type { Attribute } from '../markup/scan.ts';
import { joinPieces, type Piece, type SourceText, sourceOf } from '../markup/source-text.ts';
import { attributeOf, type HtmlElement, type HtmlListener, valueIn, walkHtml } from '../markup/walk-html.ts';
import { isScriptType, parseMediaType } from '../media-type.ts';
import { AnchorTexts } from './anchor-texts.ts';
import { addCssLinks } from './css-links.ts';
import { type AttributeRule, attributeRule } from './html-attributes.ts';
import { addJsonLinks } from './json-links.ts';
import type { LinkDraft, LinkList, LinkNotes } from './link-list.ts';
import { kindOfRel } from './link-rel.ts';
import { parseRefresh } from './meta-refresh.ts';
import { addObjectLinks, addParamLink } from './object-links.ts';
import { addScriptLinks } from './script-links.ts';
import { listCandidates } from './srcset.ts';

/** Their content is text to the tokenizer and a page to a browser without frames or plug-ins. */
const FALLBACK_CONTENT = new Set(['noframes', 'noembed', 'iframe']);
const RAW_TEXT = new Set(['script', 'style', ...FALLBACK_CONTENT]);

/** META properties that name a picture or film. */
const META_KINDS: Readonly<Record<string, 'image' | 'media' | 'frame'>> = {
  'og:image': 'image',
  'og:image:url': 'image',
  'og:image:secure_url': 'image',
  'og:video': 'media',
  'og:video:url': 'media',
  'og:audio': 'media',
  'twitter:image': 'image',
  'twitter:image:src': 'image',
  'twitter:player': 'frame',
  'msapplication-tileimage': 'image',
  thumbnail: 'image',
};

export interface HtmlLinkOptions {
  readonly xml?: boolean;
  readonly maxAnchor: number;
  /** Of a page inside a page: how often that may happen. */
  readonly nested?: number;
  /** For every link of this part: a conditional comment's are a guess. */
  readonly notes?: LinkNotes;
}

export function htmlLinkListener(page: PageText, list: LinkList, options: HtmlLinkOptions): HtmlListener {
  const { notes = {}, nested = 0 } = options;
  const anchors = new AnchorTexts(options.maxAnchor);
  let rawPieces: Piece[] = [];

  const nest = (start: number, end: number, more: LinkNotes = {}) => {
    if (nested >= 3 || end <= start) return;
    const inner = { ...options, nested: nested + 1, notes: { ...notes, ...more } };
    walkHtml(page, [htmlLinkListener(page, list, inner)], { from: start, to: end });
  };

  function readRule(element: HtmlElement, attribute: Attribute, rule: AttributeRule): void {
    const marked = { ...notes, rel: rule.rel, heuristic: rule.heuristic ?? notes.heuristic };
    if (rule.form === 'url') {
      if (isScriptUrl(attribute.text)) addScriptLinks(list, attribute, notes);
      else remember(element, list.add(attribute, rule.kind, { ...marked, rel: rule.rel ?? relOf(element) }));
      return;
    }
    const parts = rule.form === 'srcset' ? listCandidates(attribute.text) : listWords(attribute.text);
    for (const part of parts) list.add(attribute, rule.kind, { ...marked, ...part });
  }

  function remember(element: HtmlElement, draft: LinkDraft | undefined): void {
    if (!draft) return;
    if (element.name === 'a') anchors.start(element, draft);
    else draft.anchor = valueIn(element, 'alt') ?? valueIn(element, 'title');
    if (element.name === 'area') draft.extent = [element.start, element.end];
  }

  return {
    open(element) {
      rawPieces = [];
      anchors.image(valueIn(element, 'alt'));
      switch (element.name) {
        case 'base':
          list.setBase(valueIn(element, 'href') ?? '');
          return;
        case 'meta':
          addMetaLink(list, element, notes);
          return;
        case 'link':
          addLinkElement(list, element, notes);
          break;
        case 'object':
        case 'applet':
        case 'embed':
          addObjectLinks(list, element, notes);
          break;
        case 'param':
          addParamLink(list, element, notes);
          break;
      }
      for (const attribute of element.attributes) {
        const rule = attributeRule(element.name, element.parent?.name, attribute.name);
        if (rule) readRule(element, attribute, rule);
        else if (attribute.name === 'style') addCssLinks(list, attribute, notes);
        else if (attribute.name.startsWith('on')) addScriptLinks(list, attribute, notes);
        else if (attribute.name === 'srcdoc') addSrcdoc(list, attribute, options);
      }
    },
    skipsText: (parent) => !anchors.isOpen && !RAW_TEXT.has(parent?.name ?? ''),
    text(piece, parent) {
      anchors.text(piece.text, parent?.name);
      if (parent && RAW_TEXT.has(parent.name)) rawPieces.push(piece);
    },
    close(element, end) {
      if (anchors.isOf(element)) anchors.end(behindEndTag(page.raw, element.name, end));
      if (!RAW_TEXT.has(element.name)) return;
      const source = joinPieces(page, rawPieces);
      rawPieces = [];
      if (!source) return;
      if (FALLBACK_CONTENT.has(element.name)) nest(source.start, source.end);
      else if (element.name === 'style') addCssLinks(list, source, notes);
      else addInlineScript(list, element, source, notes);
    },
    comment(start, end) {
      // `<!--[if lt IE 9]> … <![endif]-->`: loaded by the browsers it was written for.
      const open = /^\s*\[if[^\]>]{0,200}\]>/i.exec(page.raw.slice(start, Math.min(end, start + 300)));
      if (open) nest(start + open[0].length, end, { heuristic: true });
    },
    instruction(start, end) {
      addStylesheetInstruction(list, sourceOf(page, start, end), notes);
    },
  };
}

/** An element may also be closed by the end of another, or by the start of the next. */
function behindEndTag(raw: string, name: string, at: number): number {
  if (raw.slice(at, at + 2 + name.length).toLowerCase() !== `</${name}`) return at;
  const end = raw.indexOf('>', at);
  return end < 0 ? raw.length : end + 1;
}

const isScriptUrl = (text: string): boolean => /^\s{0,99}javascript:/i.test(text);

const relOf = (element: HtmlElement): string | undefined => valueIn(element, 'rel')?.slice(0, 200);

function* listWords(value: string): Generator<{ readonly from: number; readonly to: number }> {
  for (const match of value.matchAll(/[^\s,]+/g))
    yield { from: match.index, to: match.index + match[0].length };
}

function addMetaLink(list: LinkList, element: HtmlElement, notes: LinkNotes): void {
  const content = attributeOf(element, 'content');
  if (!content) return;
  if (valueIn(element, 'http-equiv')?.toLowerCase() === 'refresh') {
    const target = parseRefresh(content.text);
    if (target?.from !== undefined && target.to !== undefined)
      list.add(content, 'redirect', { ...notes, rel: 'refresh', from: target.from, to: target.to });
    return;
  }
  const name = (valueIn(element, 'property') ?? valueIn(element, 'name') ?? '').toLowerCase();
  const kind = Object.hasOwn(META_KINDS, name) ? META_KINDS[name] : undefined;
  // Recommended by the page to others, not shown in it.
  if (kind) list.add(content, kind, { ...notes, rel: name, heuristic: true });
}

function addLinkElement(list: LinkList, element: HtmlElement, notes: LinkNotes): void {
  const rel = relOf(element) ?? '';
  const kind = kindOfRel(rel, valueIn(element, 'type'), valueIn(element, 'as'));
  if (!kind) return;
  const marked = { ...notes, rel };
  const href = attributeOf(element, 'href');
  if (href) {
    const draft = list.add(href, kind, marked);
    if (draft) draft.anchor = valueIn(element, 'title');
  }
  const images = attributeOf(element, 'imagesrcset');
  if (images)
    for (const part of listCandidates(images.text)) list.add(images, 'image', { ...marked, ...part });
}

function addInlineScript(list: LinkList, element: HtmlElement, source: SourceText, notes: LinkNotes): void {
  const type = (valueIn(element, 'type') ?? '').toLowerCase();
  const essence = parseMediaType(type)?.essence ?? type;
  if (essence === 'importmap' || essence === 'importmap-shim')
    addJsonLinks(list, source, 'import-map', notes);
  else if (essence === 'application/ld+json') addJsonLinks(list, source, 'json-ld', notes);
  else if (essence.endsWith('json')) addJsonLinks(list, source, 'json', notes);
  else if (essence === '' || essence === 'module' || isScriptType(essence))
    addScriptLinks(list, source, notes);
}

/** A page in an attribute: its places are the attribute's. */
function addSrcdoc(list: LinkList, attribute: SourceText, options: HtmlLinkOptions): void {
  const { nested = 0, notes = {} } = options;
  if (nested >= 3 || attribute.text === '') return;
  const page = openPageText(Buffer.from(attribute.text), 'utf-8');
  const inner = { ...options, nested: nested + 1, notes: { ...notes, placeless: true } };
  walkHtml(page, [htmlLinkListener(page, list, inner)]);
}

const PSEUDO_HREF = /\shref\s{0,9}=\s{0,9}(["'])(.*?)\1/s;

/** `<?xml-stylesheet href="…"?>` */
export function addStylesheetInstruction(list: LinkList, source: SourceText, notes: LinkNotes = {}): void {
  if (!/^\??xml-stylesheet\s/.test(source.text) || source.text.length > 4096) return;
  const href = PSEUDO_HREF.exec(source.text);
  if (!href?.[2]) return;
  const from = href.index + href[0].indexOf(href[1] ?? '"') + 1;
  list.add(source, 'style', { ...notes, rel: 'xml-stylesheet', from, to: from + href[2].length });
}
