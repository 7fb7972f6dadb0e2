/** The text of a document that is known to be well-formed, for the full-text index. */
import { decodeReferences } from './start-tag.ts';

const GT = 0x3e;
const QUOTE = 0x22;
const APOSTROPHE = 0x27;

/** After the `>` of the tag at `from`; a `>` may stand in a quoted value. */
function afterTag(xml: string, from: number): number {
  let quote = 0;
  for (let at = from + 1; at < xml.length; at++) {
    const code = xml.charCodeAt(at);
    if (quote !== 0) {
      if (code === quote) quote = 0;
    } else if (code === GT) return at + 1;
    else if (code === QUOTE || code === APOSTROPHE) quote = code;
  }
  return xml.length;
}

function after(xml: string, terminator: string, from: number): number {
  const at = xml.indexOf(terminator, from);
  return at < 0 ? xml.length : at + terminator.length;
}

/**
 * Every text node, trimmed, without blank ones. As in the XPath data model a CDATA section belongs to the
 * text around it, and tags, comments and instructions separate texts.
 */
export function* textNodes(xml: string): Generator<string> {
  let text = '';
  let at = 0;
  while (at < xml.length) {
    let open = xml.indexOf('<', at);
    if (open < 0) open = xml.length;
    if (open > at) text += decodeReferences(xml.slice(at, open));
    if (xml.startsWith('<![CDATA[', open)) {
      at = after(xml, ']]>', open);
      text += xml.slice(open + 9, at - 3);
      continue;
    }
    const trimmed = text.trim();
    if (trimmed !== '') yield trimmed;
    text = '';
    if (xml.startsWith('<!--', open)) at = after(xml, '-->', open + 4);
    else if (xml.startsWith('<?', open)) at = after(xml, '?>', open);
    else at = afterTag(xml, open);
  }
}
