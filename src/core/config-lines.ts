/** The config file as YAML that remembers where each key stands. */
import { isMap, isNode, isPair, isScalar, isSeq, LineCounter, type Node, parseDocument, visit } from 'yaml';
import { type KeyPath, writeKeyPath } from './config-keys.ts';
import type { Place } from './config-mistakes.ts';

export interface TextMistake {
  readonly place: Place;
  readonly message: string;
}

export interface ConfigText {
  readonly mistakes: readonly TextMistake[];
  /** Calls with every text value (keys are left alone); what comes back replaces it. */
  replaceTexts(replace: (text: string, path: KeyPath, place: Place) => string | number | boolean): void;
  /** Plain data; undefined for an empty file. */
  toValue(): unknown;
  /** Where the key stands, or the nearest key above it that exists. */
  placeOf(path: KeyPath): Place;
  /** Every key of the file, as `sources.samples.path`. */
  listPlaces(): Record<string, Place>;
}

export function readConfigText(text: string): ConfigText {
  const lineCounter = new LineCounter();
  const document = parseDocument(text, { lineCounter, prettyErrors: false });
  const place = (offset: number): Place => {
    const { line, col } = lineCounter.linePos(offset);
    return { line, column: col };
  };
  const lines = text.split('\n');
  const mistakes = [...document.errors, ...document.warnings].map(({ pos, message }) => {
    const at = place(pos[0]);
    // In a flow map the braces of ${NAME} are YAML's own.
    const hint = lines[at.line - 1]?.includes('${') ? ' (inside { } and [ ] write "${NAME}" in quotes)' : '';
    return { place: at, message: `${message}${hint}` };
  });
  const places = (mistakes.length === 0 ? [...walk(document.contents, [])] : []).map(
    ([path, offset]) => [path, place(offset)] as const,
  );
  const byPath = new Map(places.map(([path, at]) => [writeKeyPath(path), at]));
  return {
    mistakes,
    replaceTexts: (replace) => {
      visit(document, {
        Scalar: (key, node, ancestors) => {
          if (key === 'key' || typeof node.value !== 'string' || !node.range) return;
          node.value = replace(node.value, pathOf(key, ancestors), place(node.range[0]));
        },
      });
    },
    toValue: (): unknown => document.toJS() ?? undefined,
    placeOf: (path) => {
      for (let length = path.length; length > 0; length--) {
        const found = byPath.get(writeKeyPath(path.slice(0, length)));
        if (found) return found;
      }
      return { line: 1, column: 1 };
    },
    listPlaces: () => Object.fromEntries(byPath),
  };
}

function* walk(node: unknown, path: KeyPath): Generator<readonly [KeyPath, number]> {
  if (isMap(node)) {
    for (const { key, value } of node.items) {
      if (!isScalar(key) || !key.range) continue;
      const inner = [...path, String(key.value)];
      yield [inner, key.range[0]];
      yield* walk(value, inner);
    }
  } else if (isSeq(node)) {
    for (const [i, entry] of node.items.entries()) {
      const range = isNode(entry) ? entry.range : undefined;
      if (range) yield [[...path, i], range[0]];
      yield* walk(entry, [...path, i]);
    }
  }
}

function pathOf(key: number | string | null, ancestors: readonly unknown[]): KeyPath {
  const path: (string | number)[] = [];
  for (const [i, ancestor] of ancestors.entries()) {
    if (isPair(ancestor)) path.push(String(isScalar(ancestor.key) ? ancestor.key.value : ancestor.key));
    else if (isSeq(ancestor)) {
      const next: unknown = ancestors[i + 1];
      path.push(next === undefined ? Number(key) : ancestor.items.indexOf(next as Node));
    }
  }
  return path;
}
