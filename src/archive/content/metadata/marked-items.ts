/**
 * Things described in the markup itself: microdata (HTML Standard §5) and RDFa Lite 1.1. Both are a tree of
 * items over the tree of elements, so one listener with two vocabularies of attributes reads them.
 */

import { parseUrl } from '../links/resolve.ts';
import { attributeOf, type HtmlElement, type HtmlListener, valueIn } from '../markup/walk-html.ts';
import type { MarkedItem, MarkedProperty } from './extracted.ts';
import { joinSpace } from './plain-text.ts';

interface Vocabulary {
  readonly types: string;
  readonly property: string;
  readonly id: string;
  /** Whether the element starts an item of its own. */
  starts(element: HtmlElement): boolean;
}

const MICRODATA: Vocabulary = {
  types: 'itemtype',
  property: 'itemprop',
  id: 'itemid',
  starts: (element) => attributeOf(element, 'itemscope') !== undefined,
};
const RDFA: Vocabulary = {
  types: 'typeof',
  property: 'property',
  id: 'resource',
  starts: (element) => attributeOf(element, 'typeof') !== undefined,
};

interface OpenItem {
  readonly element: HtmlElement;
  readonly types: readonly string[];
  readonly id: string | undefined;
  readonly properties: MarkedProperty[];
}

interface OpenProperty {
  readonly element: HtmlElement;
  readonly names: readonly string[];
  readonly owner: OpenItem;
  text: string;
}

export interface MarkedItems {
  readonly listener: HtmlListener;
  items(): readonly MarkedItem[];
}

const MAX_DEPTH = 32;
const NO_WORDS: readonly string[] = [];

export function collectMicrodata(
  base: () => string,
  limits: { value: number; entries: number },
): MarkedItems {
  return collect(MICRODATA, base, limits);
}

export function collectRdfa(base: () => string, limits: { value: number; entries: number }): MarkedItems {
  return collect(RDFA, base, limits);
}

function collect(
  vocabulary: Vocabulary,
  base: () => string,
  limits: { readonly value: number; readonly entries: number },
): MarkedItems {
  const finished: MarkedItem[] = [];
  const open: OpenItem[] = [];
  const reading: OpenProperty[] = [];
  let count = 0;
  /** Where RDFa's plain types and properties belong; the outermost `vocab` counts. */
  let vocab = '';

  const expand = (name: string) => (vocab !== '' && !/[:/]/.test(name) ? vocab + name : name);
  const words = (text: string | undefined) => (text === undefined ? NO_WORDS : text.split(/\s+/, 20));

  return {
    listener: {
      open(element) {
        if (element.attributes.length === 0) return;
        if (vocabulary === RDFA) vocab ||= valueIn(element, 'vocab') ?? '';
        const owner = open.at(-1);
        const names = words(valueIn(element, vocabulary.property));
        if (vocabulary.starts(element) && open.length < MAX_DEPTH && count < limits.entries) {
          count++;
          open.push({
            element,
            types: words(valueIn(element, vocabulary.types)).map(expand),
            id: valueIn(element, vocabulary.id),
            properties: [],
          });
        } else if (names.length > 0 && owner && count < limits.entries) {
          count++;
          const value = attributeValue(element, base());
          if (value !== undefined)
            for (const name of names) owner.properties.push({ name, value: joinSpace(value, limits.value) });
          else if (reading.length < MAX_DEPTH) reading.push({ element, names, owner, text: '' });
        }
      },
      text(piece, parent) {
        if (reading.length === 0 || parent?.name === 'script' || parent?.name === 'style') return;
        for (const property of reading)
          if (property.text.length < limits.value * 2) property.text += piece.text;
      },
      close(element) {
        const property = reading.at(-1);
        if (property?.element === element) {
          reading.pop();
          const value = joinSpace(property.text, limits.value);
          for (const name of property.names) property.owner.properties.push({ name, value });
        }
        const item = open.at(-1);
        if (item?.element !== element) return;
        open.pop();
        const { types, id, properties } = item;
        const done: MarkedItem = { types, ...(id !== undefined && { id }), properties };
        const names = words(valueIn(element, vocabulary.property));
        const owner = open.at(-1);
        if (names.length > 0 && owner) for (const name of names) owner.properties.push({ name, value: done });
        else finished.push(done);
      },
    },
    items: () => finished,
  };
}

const URL_ATTRIBUTES: Readonly<Record<string, string>> = {
  a: 'href',
  area: 'href',
  link: 'href',
  audio: 'src',
  embed: 'src',
  iframe: 'src',
  img: 'src',
  source: 'src',
  track: 'src',
  video: 'src',
  object: 'data',
};

/** HTML Standard §5.2.3: the value of an element that has one beside its text. */
function attributeValue(element: HtmlElement, base: string): string | undefined {
  const content = attributeOf(element, 'content');
  if (content) return content.text;
  const address = Object.hasOwn(URL_ATTRIBUTES, element.name) ? URL_ATTRIBUTES[element.name] : undefined;
  const written = address === undefined ? undefined : valueIn(element, address);
  if (written !== undefined) return parseUrl(written, base)?.href ?? written;
  if (element.name === 'time') return valueIn(element, 'datetime');
  return element.name === 'data' || element.name === 'meter' ? valueIn(element, 'value') : undefined;
}
