/**
 * Tags, texts and comments of HTML or XML, well-formed or not, each with its place. The tokenizer of
 * htmlparser2 does the reading; linear in the size of the page, and nothing makes it throw.
 */
import { QuoteType, Tokenizer } from 'htmlparser2';
import type { PageText } from './page-text.ts';
import type { Piece, SourceText } from './source-text.ts';

export interface Attribute extends SourceText {
  /** Lower case in HTML, as written in XML. */
  readonly name: string;
}

export interface StartTag {
  readonly name: string;
  readonly attributes: readonly Attribute[];
  /** `raw` indices of `<` and after `>`. */
  readonly start: number;
  readonly end: number;
  readonly selfClosing: boolean;
}

export interface MarkupHandler {
  open(tag: StartTag): void;
  close(name: string, start: number): void;
  text(piece: Piece): void;
  /** Whether the text that comes now is not wanted. */
  skipsText?(): boolean;
  comment?(start: number, end: number): void;
  instruction?(start: number, end: number): void;
}

export interface ScanOptions {
  readonly xml?: boolean;
  /** Only this part of `raw`; offsets still count from its start. */
  readonly from?: number;
  readonly to?: number;
}

/** A tag with more is no work of a person; the rest of its attributes is dropped. */
const MAX_ATTRIBUTES = 256;
/** Tag and attribute names beyond this are noise. */
const MAX_NAME = 128;

const isSpace = (code: number): boolean => code === 0x20 || (code >= 0x09 && code <= 0x0d && code !== 0x0b);

export function scanMarkup(page: PageText, handler: MarkupHandler, options: ScanOptions = {}): void {
  const { xml = false, from = 0, to = page.raw.length } = options;
  const { raw } = page;
  const nameOf = (start: number, end: number) => {
    const name = page.decode(from + start, from + Math.min(end, start + MAX_NAME));
    return xml ? name : name.toLowerCase();
  };

  let tagName = '';
  let tagStart = 0;
  let attributes: Attribute[] = [];
  let attributeName = '';
  let valueFrom = 0;
  let pieces: Piece[] = [];
  let foreignDepth = 0;
  let textEnd = 0;

  /** Where the value begins: the tokenizer tells that only for values that do not begin with an entity. */
  function valueStart(nameEnd: number): number {
    let at = nameEnd;
    while (isSpace(raw.charCodeAt(at))) at++;
    if (raw[at] !== '=') return nameEnd;
    at++;
    while (isSpace(raw.charCodeAt(at))) at++;
    return raw[at] === '"' || raw[at] === "'" ? at + 1 : at;
  }

  function endTag(end: number, selfClosing: boolean): void {
    if (!xml && (tagName === 'svg' || tagName === 'math') && !selfClosing) foreignDepth++;
    textEnd = from + end + 1;
    handler.open({
      name: tagName,
      attributes,
      start: tagStart,
      end: textEnd,
      selfClosing: selfClosing && (xml || foreignDepth > 0),
    });
  }

  const tokenizer = new Tokenizer(
    { xmlMode: xml, decodeEntities: true },
    {
      onopentagname(start, end) {
        tagName = nameOf(start, end);
        tagStart = from + start - 1;
        attributes = [];
      },
      onattribname(start, end) {
        attributeName = nameOf(start, end);
        valueFrom = valueStart(from + end);
        pieces = [];
      },
      onattribdata(start, end) {
        addPiece(pieces, page, from + start, from + end);
      },
      onattribentity(code) {
        addEntity(pieces, code, valueFrom);
      },
      onattribend(quote, end) {
        const hasValue = quote !== QuoteType.NoValue;
        const quoted = quote === QuoteType.Double || quote === QuoteType.Single;
        const start = hasValue ? valueFrom : from + end;
        const attribute = toSource(page, pieces, start, hasValue ? from + end - (quoted ? 1 : 0) : start);
        // As in browsers, the first of two attributes with one name counts.
        if (attributes.length < MAX_ATTRIBUTES && !attributes.some(({ name }) => name === attributeName))
          attributes.push({ ...attribute, name: attributeName });
      },
      onopentagend: (end) => endTag(end, false),
      onselfclosingtag: (end) => endTag(end, true),
      onclosetag(start, end) {
        const name = nameOf(start, end);
        if ((name === 'svg' || name === 'math') && foreignDepth > 0) foreignDepth--;
        textEnd = from + end + 1;
        handler.close(name, from + start - 2);
      },
      ontext(start, end) {
        // The tokenizer gives a tag that breaks off at its slash as text from nowhere.
        if (start < 0) return;
        textEnd = from + end;
        if (handler.skipsText?.() !== true) handler.text(pieceOf(page, from + start, textEnd));
      },
      ontextentity(code, end) {
        handler.text({ text: characterOf(code), start: textEnd, end: from + end, exact: false });
        textEnd = from + end;
      },
      oncdata(start, end, endOffset) {
        handler.text(pieceOf(page, from + start, Math.max(from + start, from + end - endOffset)));
        textEnd = from + end + 1;
      },
      oncomment(start, end, endOffset) {
        handler.comment?.(from + start, Math.max(from + start, from + end - endOffset));
        textEnd = from + end + 1;
      },
      onprocessinginstruction(start, end) {
        handler.instruction?.(from + start, from + end);
        textEnd = from + end + 1;
      },
      ondeclaration(_, end) {
        textEnd = from + end + 1;
      },
      onend: () => undefined,
      isInForeignContext: () => foreignDepth > 0,
    },
  );
  tokenizer.write(from === 0 && to === raw.length ? raw : raw.slice(from, to));
  tokenizer.end();
}

export function characterOf(code: number): string {
  return code > 0x10ffff || code < 0 ? '\ufffd' : String.fromCodePoint(code);
}

function pieceOf(page: PageText, start: number, end: number): Piece {
  const text = page.decode(start, end);
  return { text, start, end, exact: text.length === end - start };
}

function addPiece(pieces: Piece[], page: PageText, start: number, end: number): void {
  if (end > start) pieces.push(pieceOf(page, start, end));
}

function addEntity(pieces: Piece[], code: number, valueFrom: number): void {
  const last = pieces.at(-1);
  const text = characterOf(code);
  if (last && last.end < 0) pieces[pieces.length - 1] = { ...last, text: last.text + text };
  else pieces.push({ text, start: last?.end ?? valueFrom, end: -1, exact: false });
}

/** Entities are pieces whose end is not known (-1) until the next piece begins. */
function toSource(page: PageText, found: readonly Piece[], start: number, end: number): SourceText {
  const first = found[0];
  if (!first) return { text: '', page, start, end };
  if (found.length === 1 && first.end >= 0) return { text: first.text, page, start, end };
  const pieces = found.map((piece, index) =>
    piece.end < 0 ? { ...piece, end: found[index + 1]?.start ?? end } : piece,
  );
  return { text: pieces.map(({ text }) => text).join(''), page, start, end, pieces };
}
