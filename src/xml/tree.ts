/** An XML document as a tree with its names as written; comments and instructions are left out. */

import { toUtf8 } from './encoding.ts';
import { parseXml } from './engine.ts';
import { MarkupScanner } from './scan.ts';
import { decodeReferences } from './start-tag.ts';
import { escapeAttribute, escapeText } from './write.ts';

export interface TreeElement {
  readonly name: string;
  readonly attributes: readonly (readonly [name: string, value: string])[];
  /** Texts are never empty and never side by side. */
  readonly content: readonly (TreeElement | string)[];
}

interface OpenElement extends TreeElement {
  readonly content: (TreeElement | string)[];
}

const TAG_NAME = /^<([^\s/>]+)/;
const ATTRIBUTE = /\s([^\s=>/]+)\s*=\s*(?:"([^"]*)"|'([^']*)')/g;

/** Throws what the parser throws; a DOCTYPE is refused. */
export function readXmlTree(bytes: Uint8Array): TreeElement {
  parseXml(bytes).dispose();
  const scanner = MarkupScanner.over(toUtf8(bytes));
  const top: OpenElement = { name: '', attributes: [], content: [] };
  const open = [top];
  let textFrom = 0;
  while (scanner.next() === 'markup') {
    const current = open.at(-1) ?? top;
    addText(current, decodeReferences(lines(scanner.slice(textFrom, scanner.start).toString())));
    textFrom = scanner.end;
    const { kind } = scanner;
    const markup = scanner.slice(scanner.start, scanner.end).toString();
    if (kind === 'cdata') addText(current, lines(markup.slice(9, -3)));
    else if (kind === 'end') open.pop();
    else if (kind === 'start' || kind === 'empty') {
      const element = openElement(markup);
      current.content.push(element);
      if (kind === 'start') open.push(element);
    }
  }
  const [root] = top.content.filter((part) => typeof part !== 'string');
  return root ?? top;
}

/** XML 1.0 §2.11. */
const lines = (text: string): string => text.replace(/\r\n?/g, '\n');

function addText({ content }: OpenElement, text: string): void {
  if (text === '') return;
  const last = content.at(-1);
  if (typeof last === 'string') content[content.length - 1] = last + text;
  else content.push(text);
}

function openElement(tag: string): OpenElement {
  const attributes = [...tag.matchAll(ATTRIBUTE)].map(
    ([, name = '', double, single]) =>
      // XML 1.0 §3.3.3: white space that is written as such is a blank, references to it are not.
      [name, decodeReferences(lines(double ?? single ?? '').replace(/[\t\n]/g, ' '))] as const,
  );
  return { name: TAG_NAME.exec(tag)?.[1] ?? '', attributes, content: [] };
}

export function writeXmlTree({ name, attributes, content }: TreeElement): string {
  const written = attributes.map(([key, value]) => ` ${key}="${escapeAttribute(value)}"`).join('');
  if (content.length === 0) return `<${name}${written}/>`;
  const inner = content.map((part) => (typeof part === 'string' ? escapeText(part) : writeXmlTree(part)));
  return `<${name}${written}>${inner.join('')}</${name}>`;
}
