/**
 * Small elements (headers, tokens, descriptions) as trees, read without the parser and without its
 * strictness: unknown references stay as they are, what is not closed ends with its parent.
 */
import { MarkupScanner } from './scan.ts';
import { decodeReferences } from './start-tag.ts';

export interface SmallElement {
  /** Local name. */
  readonly name: string;
  /** By local name; namespace declarations are left out. */
  readonly attributes: ReadonlyMap<string, string>;
  /** Of its own and of all below, as written. */
  readonly text: string;
  readonly children: readonly SmallElement[];
}

interface OpenElement {
  readonly name: string;
  readonly qualifiedName: string;
  readonly attributes: ReadonlyMap<string, string>;
  readonly children: SmallElement[];
  text: string;
}

const TAG_NAME = /^<\/?([^\s/>]+)/;
const ATTRIBUTE = /\s([^\s=>/]+)\s*=\s*(?:"([^"]*)"|'([^']*)')/g;
const localName = (name: string): string => name.slice(name.indexOf(':') + 1);

/** The first element of the bytes; undefined when there is none. */
export function parseSmallTree(bytes: Uint8Array): SmallElement | undefined {
  const scanner = MarkupScanner.over(bytes);
  const open: OpenElement[] = [];
  let root: SmallElement | undefined;
  let textFrom = 0;

  const close = () => {
    const element = open.pop();
    if (!element) return;
    const { name, attributes, text, children } = element;
    const parent = open.at(-1);
    const done: SmallElement = { name, attributes, text, children };
    if (!parent) root = done;
    else {
      parent.children.push(done);
      parent.text += text;
    }
  };

  while (!root && scanner.next() === 'markup') {
    const current = open.at(-1);
    if (current && scanner.start > textFrom)
      current.text += decodeReferences(scanner.slice(textFrom, scanner.start).toString());
    textFrom = scanner.end;
    const markup = () => scanner.slice(scanner.start, scanner.end).toString();
    if (scanner.kind === 'cdata') {
      if (current) current.text += markup().slice(9, -3);
    } else if (scanner.kind === 'start' || scanner.kind === 'empty') {
      open.push(openElement(markup()));
      if (scanner.kind === 'empty') close();
    } else if (scanner.kind === 'end') {
      const name = TAG_NAME.exec(markup())?.[1];
      if (!open.some(({ qualifiedName }) => qualifiedName === name)) continue;
      while (open.at(-1)?.qualifiedName !== name) close();
      close();
    }
  }
  while (!root && open.length > 0) close();
  return root;
}

function openElement(tag: string): OpenElement {
  const qualifiedName = TAG_NAME.exec(tag)?.[1] ?? '';
  const attributes = new Map<string, string>();
  for (const [, name = '', double, single] of tag.matchAll(ATTRIBUTE))
    if (!/^xmlns(?::|$)/.test(name))
      attributes.set(localName(name), decodeReferences(double ?? single ?? ''));
  return { name: localName(qualifiedName), qualifiedName, attributes, children: [], text: '' };
}

/** Trimmed text of the first child of that name; undefined when it is absent or blank. */
export function childText(element: SmallElement, name: string): string | undefined {
  return element.children.find((child) => child.name === name)?.text.trim() || undefined;
}

export function childTexts(element: SmallElement, name: string): string[] {
  return element.children
    .filter((child) => child.name === name)
    .map((child) => child.text.trim())
    .filter((text) => text !== '');
}
