/** The functions of XPath 1.0 §4 that paths of metadata use. */
import { type Expression, text, toText, toTruth, truth } from './expression.ts';
import { localNameOf, localNameText, namespaceOf, namespaceText } from './names.ts';
import { ATTRIBUTE, ELEMENT, type QuickTree } from './tree.ts';

/** Undefined when the function, or this use of it, is not among them. */
export function callFunction(name: string, args: readonly Expression[]): Expression | undefined {
  const texts = args.map(toText).filter((arg) => arg !== undefined);
  const [first, second] = texts;
  const [only] = args;
  switch (name) {
    case 'true':
    case 'false':
      return args.length === 0 ? truth(() => name === 'true') : undefined;
    case 'last':
      return args.length === 0
        ? { gives: 'number', run: (_tree, _node, _position, size) => size }
        : undefined;
    case 'position':
      return args.length === 0 ? { gives: 'number', run: (_tree, _node, position) => position } : undefined;
    case 'local-name':
      return args.length === 0 ? text((tree, node) => localNameAt(tree, node)) : undefined;
    case 'namespace-uri':
      return args.length === 0 ? text((tree, node) => namespaceAt(tree, node)) : undefined;
    case 'boolean':
    case 'not': {
      if (!only || args.length > 1) return undefined;
      const test = toTruth(only);
      return truth(name === 'not' ? (...at) => !test(...at) : test);
    }
  }
  if (texts.length !== args.length) return undefined;
  const [context] = args.length === 0 ? [(tree: QuickTree, node: number) => tree.stringValue(node)] : texts;
  switch (name) {
    case 'string':
      return context && args.length < 2 ? text(context) : undefined;
    case 'normalize-space':
      return context && args.length < 2 ? text((...at) => normaliseSpace(context(...at))) : undefined;
    case 'concat':
      return args.length < 2 ? undefined : text((...at) => texts.map((part) => part(...at)).join(''));
    case 'translate':
      return translate(args);
  }
  if (!first || !second || args.length !== 2) return undefined;
  switch (name) {
    case 'starts-with':
      return truth((...at) => first(...at).startsWith(second(...at)));
    case 'contains':
      return truth((...at) => first(...at).includes(second(...at)));
    case 'substring-before':
      return text((...at) => {
        const whole = first(...at);
        return whole.slice(0, Math.max(whole.indexOf(second(...at)), 0));
      });
    case 'substring-after':
      return text((...at) => {
        const whole = first(...at);
        const part = second(...at);
        const found = whole.indexOf(part);
        return found < 0 ? '' : whole.slice(found + part.length);
      });
    default:
      return undefined;
  }
}

const isNamed = (tree: QuickTree, node: number) =>
  tree.kindOf(node) === ELEMENT || tree.kindOf(node) >= ATTRIBUTE;
const localNameAt = (tree: QuickTree, node: number) =>
  isNamed(tree, node) ? localNameText(localNameOf(tree.nameOf(node))) : '';
const namespaceAt = (tree: QuickTree, node: number) =>
  isNamed(tree, node) ? namespaceText(namespaceOf(tree.nameOf(node))) : '';

/** Only what XML calls white space. */
function normaliseSpace(value: string): string {
  return /^[ \t\n\r]|[ \t\n\r]$|[ \t\n\r][ \t\n\r]|[\t\n\r]/.test(value)
    ? value.replace(/[ \t\n\r]+/g, ' ').replace(/^ | $/g, '')
    : value;
}

/** With a table of characters that is written in the path. */
function translate([value, from, to, ...more]: readonly Expression[]): Expression | undefined {
  const source = value && toText(value);
  if (!source || more.length > 0 || from?.gives !== 'text' || to?.gives !== 'text') return undefined;
  if (from.literal === undefined || to.literal === undefined) return undefined;
  const replacements = Array.from(to.literal);
  const table = new Map<string, string>();
  for (const [index, character] of Array.from(from.literal).entries())
    if (!table.has(character)) table.set(character, replacements[index] ?? '');
  // Signs that mean something in a class of characters.
  const known = Array.from(table.keys(), (character) => character.replace(/[\\\]^-]/, '\\$&')).join('');
  if (known === '') return text(source);
  const found = new RegExp(`[${known}]`, 'gu');
  return text((...at) => source(...at).replace(found, (character) => table.get(character) ?? ''));
}
