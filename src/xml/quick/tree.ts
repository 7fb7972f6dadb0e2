/**
 * A document as columns of numbers. Nodes are counted in document order, 0 is the document itself; the
 * attributes of an element follow it, then its children. Texts stay where they are in the source.
 */
import { decodeReferences } from '../start-tag.ts';
import { localNameOf, localNameText, type NameId, namespaceOf, namespaceText } from './names.ts';

/** `…_CODED`: with references in it, or with white space that an attribute takes as spaces. */
export const DOCUMENT = 0;
export const ELEMENT = 1;
export const TEXT = 2;
export const TEXT_CODED = 3;
export const CDATA = 4;
export const ATTRIBUTE = 5;
export const ATTRIBUTE_CODED = 6;

const INITIAL_NODES = 8192;
let lastEdition = 0;

export class QuickTree {
  text = '';
  /** Another one for every document that was ever read. */
  edition = 0;
  count = 0;
  kinds = new Uint8Array(INITIAL_NODES);
  names: Int32Array = new Int32Array(INITIAL_NODES);
  /** After the last node below. */
  ends: Int32Array = new Int32Array(INITIAL_NODES);
  /** Of the document and of elements: the first child, if it is before `ends`; of others: where the text begins. */
  starts: Int32Array = new Int32Array(INITIAL_NODES);
  stops: Int32Array = new Int32Array(INITIAL_NODES);

  /** Every node takes a character at least, so that there is always room. */
  reset(text: string): void {
    this.text = text;
    this.edition = ++lastEdition;
    this.count = 0;
    const needed = text.length + 1;
    if (needed <= this.kinds.length) return;
    this.kinds = new Uint8Array(needed);
    this.names = new Int32Array(needed);
    this.ends = new Int32Array(needed);
    this.starts = new Int32Array(needed);
    this.stops = new Int32Array(needed);
  }

  /** A node without nodes below, as yet. */
  add(kind: number, name: NameId, start: number, stop: number): number {
    const node = this.count++;
    this.kinds[node] = kind;
    this.names[node] = name;
    this.ends[node] = node + 1;
    this.starts[node] = start;
    this.stops[node] = stop;
    return node;
  }

  kindOf(node: number): number {
    return this.kinds[node] as number;
  }

  /** Of elements and attributes. */
  nameOf(node: number): NameId {
    return this.names[node] as number;
  }

  endOf(node: number): number {
    return this.ends[node] as number;
  }

  startOf(node: number): number {
    return this.starts[node] as number;
  }

  isText(node: number): boolean {
    const kind = this.kinds[node] as number;
    return kind >= TEXT && kind <= CDATA;
  }

  /** XPath's string-value. */
  stringValue(node: number): string {
    if (this.kindOf(node) > ELEMENT) return this.#ownText(node);
    let value = '';
    const end = this.endOf(node);
    for (let at = this.startOf(node); at < end; at++) if (this.isText(at)) value += this.#ownText(at);
    return value;
  }

  /** The root element's name. */
  get root(): { readonly namespace: string; readonly localName: string } {
    const name = this.nameOf(1);
    return { namespace: namespaceText(namespaceOf(name)), localName: localNameText(localNameOf(name)) };
  }

  /** As `textNodes`: a CDATA section belongs to the text around it; trimmed, without blank ones. */
  texts(): string[] {
    const texts: string[] = [];
    for (let node = 1; node < this.count; node++) {
      if (!this.isText(node)) continue;
      let text = this.#ownText(node);
      while (node + 1 < this.count && this.isText(node + 1) && this.#follows(node))
        text += this.#ownText(++node);
      const trimmed = text.trim();
      if (trimmed !== '') texts.push(trimmed);
    }
    return texts;
  }

  /** Whether nothing, not even a comment, stands between a text and the next one. */
  #follows(node: number): boolean {
    const stop = this.stops[node] as number;
    const after = this.kindOf(node) === CDATA ? stop + 3 : stop;
    const next = this.startOf(node + 1);
    return after === (this.kindOf(node + 1) === CDATA ? next - 9 : next);
  }

  #ownText(node: number): string {
    const written = this.text.slice(this.starts[node], this.stops[node]);
    switch (this.kindOf(node)) {
      case TEXT_CODED:
        return decodeReferences(written);
      case ATTRIBUTE_CODED:
        return decodeReferences(written.replace(/[\t\n]/g, ' '));
      default:
        return written;
    }
  }
}
