/**
 * XML elements as JSON: `{"name": …}`, where an element is its text, or an object with `@attribute`s, children by
 * name (a list where there are several) and `#text`. Where names would lose the order, `#content` is the list of
 * texts and children. White space between elements is left out; nothing else is lost.
 */
import type { TreeElement } from '../../xml/tree.ts';

export type ElementJson = string | { [key: string]: ElementJson | ElementJson[] };

const isElement = (part: TreeElement | string): part is TreeElement => typeof part !== 'string';

export function rootToJson(root: TreeElement): ElementJson {
  return single(root.name, elementToJson(root));
}

function elementToJson({ attributes, content }: TreeElement): ElementJson {
  const children = content.filter(isElement);
  const texts = content.filter((part) => typeof part === 'string');
  const isMixed = children.length > 0 && texts.some((text) => text.trim() !== '');
  const text = texts.join('');
  if (attributes.length === 0 && children.length === 0) return text;
  // Without a prototype, so that an element may have any name.
  const json = Object.create(null) as Record<string, ElementJson | ElementJson[]>;
  for (const [name, value] of attributes) json[`@${name}`] = value;
  if (children.length === 0) {
    if (text !== '') json['#text'] = text;
  } else if (isMixed || !isGrouped(children))
    json['#content'] = (isMixed ? content : children).map((part) =>
      isElement(part) ? single(part.name, elementToJson(part)) : part,
    );
  else
    for (const [name, group] of Map.groupBy(children, (child) => child.name)) {
      const values = group.map(elementToJson);
      json[name] = values.length === 1 ? values[0]! : values;
    }
  return json;
}

function single(name: string, value: ElementJson): ElementJson {
  const json = Object.create(null) as Record<string, ElementJson>;
  json[name] = value;
  return json;
}

/** Whether children of one name stand side by side. */
function isGrouped(children: readonly TreeElement[]): boolean {
  const ended = new Set<string>();
  for (const [i, { name }] of children.entries()) {
    if (ended.has(name)) return false;
    if (children[i + 1]?.name !== name) ended.add(name);
  }
  return true;
}

const NAME = /^[\p{L}_][\p{L}\p{N}\p{M}_.·-]*(?::[\p{L}_][\p{L}\p{N}\p{M}_.·-]*)?$/u;

/** Undefined for JSON that does not look like an element; whether it is one shows when it is read back. */
export function jsonToRoot(json: unknown): TreeElement | undefined {
  const [entry, more] = isObject(json) ? Object.entries(json) : [];
  return entry && !more ? toElement(entry[0], entry[1]) : undefined;
}

function toElement(name: string, json: unknown): TreeElement | undefined {
  if (!NAME.test(name)) return undefined;
  if (typeof json === 'string') return { name, attributes: [], content: json === '' ? [] : [json] };
  if (!isObject(json)) return undefined;
  const attributes: (readonly [string, string])[] = [];
  const content: (TreeElement | string)[] = [];
  for (const [key, value] of Object.entries(json)) {
    if (key.startsWith('@') && typeof value === 'string' && NAME.test(key.slice(1)))
      attributes.push([key.slice(1), value]);
    else if (key === '#text' && typeof value === 'string') content.push(value);
    else {
      const parts =
        key === '#content' && Array.isArray(value)
          ? value.map((part: unknown) => (typeof part === 'string' ? part : jsonToRoot(part)))
          : (Array.isArray(value) ? value : [value]).map((part: unknown) => toElement(key, part));
      for (const part of parts) {
        if (part === undefined) return undefined;
        content.push(part);
      }
    }
  }
  return { name, attributes, content };
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
