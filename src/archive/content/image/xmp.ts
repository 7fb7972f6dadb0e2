/**
 * XMP (ISO 16684-1): RDF/XML of a known shape. Read by its tags rather than as RDF, since half of the
 * packets in the wild are cut or padded; properties come out by the name that they were written with.
 */
import { openPageText } from '../markup/page-text.ts';
import { type HtmlElement, walkHtml } from '../markup/walk-html.ts';
import type { NamedValue } from '../metadata/extracted.ts';
import { joinSpace } from '../metadata/plain-text.ts';

const MAX_PACKET = 1 << 20;
const MAX_PROPERTIES = 300;
const MAX_VALUE = 4000;
const NOT_PROPERTIES = /^(?:xmlns(?::|$)|rdf:|xml:|x:)/;

export function parseXmp(packet: string): NamedValue[] {
  const values: NamedValue[] = [];
  const add = (name: string, value: string) => {
    const text = joinSpace(value, MAX_VALUE);
    if (text !== '' && values.length < MAX_PROPERTIES) values.push({ name, value: text });
  };
  let text = '';
  const page = openPageText(Buffer.from(packet.slice(0, MAX_PACKET)), 'utf-8');
  walkHtml(
    page,
    [
      {
        open(element) {
          text = '';
          for (const { name, text: value } of element.attributes)
            if (!NOT_PROPERTIES.test(name)) add(propertyPath(element, name), value);
        },
        text(piece) {
          if (text.length < MAX_VALUE * 2) text += piece.text;
        },
        close(element) {
          const value = text;
          text = '';
          // `rdf:li` and `rdf:Description` are structure; the property around them has the name.
          const owner = element.name.startsWith('rdf:') ? propertyOf(element) : element.name;
          if (owner !== undefined) add(propertyPath(element, undefined) || owner, value);
        },
      },
    ],
    { xml: true },
  );
  return values;
}

function propertyOf(element: HtmlElement): string | undefined {
  for (let at: HtmlElement | undefined = element; at; at = at.parent)
    if (!NOT_PROPERTIES.test(at.name)) return at.name;
  return undefined;
}

/** `xmpMM:History/stEvt:action`: a field of a structure is told with what it is in. */
function propertyPath(element: HtmlElement, attribute: string | undefined): string {
  const names = attribute === undefined ? [] : [attribute];
  for (let at: HtmlElement | undefined = element; at && names.length < 4; at = at.parent)
    if (!NOT_PROPERTIES.test(at.name)) names.unshift(at.name);
  return names.join('/');
}
