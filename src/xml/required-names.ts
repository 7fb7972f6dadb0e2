/**
 * Which elements a document must have for a path to select anything. Formats have dozens of paths, most of
 * them for what few records have: knowing the names in a document, most paths need not be run.
 */

/** The path selects nothing unless all names of one of the lists are in the document. */
export type RequiredNames = readonly (readonly string[])[];

const LITERAL_OR_BRACKET = /"[^"]*"|'[^']*'|[[\]]/g;
const NAME = '[\\p{L}_][\\p{L}\\p{N}_.-]*';
const STEP = `(?:\\.\\.?|(?:text|node)\\(\\)|(?:@|[a-z-]+::)?(?:\\*|${NAME}(?::(?:\\*|${NAME}))?))`;
const STEPS = new RegExp(`^(?:/?/?${STEP}(?://?${STEP})*)?$`, 'u');
const ONE_STEP = new RegExp(STEP, 'gu');
/** Others would have to be decoded to be compared. */
const PLAIN = /^[A-Za-z_][\w.-]*$/;

/** Undefined when it is not plainly a location path, or a union of some: then nothing is known. */
export function findRequiredNames(expression: string): RequiredNames | undefined {
  const plain = withoutPredicates(expression)
    ?.replace(/\s*([|()/])\s*/g, '$1')
    .trim();
  return plain === undefined || /\s/.test(plain) ? undefined : readUnion(plain);
}

/** Predicates only make a path select less. */
function withoutPredicates(expression: string): string | undefined {
  let kept = '';
  let depth = 0;
  let from = 0;
  for (const { 0: found, index } of expression.matchAll(LITERAL_OR_BRACKET)) {
    if (depth === 0) kept += expression.slice(from, index);
    if (found === '[') depth++;
    else if (found === ']') depth--;
    else if (depth === 0) return undefined;
    from = index + found.length;
  }
  return depth === 0 ? kept + expression.slice(from) : undefined;
}

function readUnion(union: string): RequiredNames | undefined {
  const lists: (readonly string[])[] = [];
  for (const path of splitUnion(union)) {
    const found = readPath(path);
    if (!found) return undefined;
    lists.push(...found);
  }
  return lists;
}

function splitUnion(union: string): string[] {
  const paths: string[] = [];
  let depth = 0;
  let from = 0;
  for (let at = 0; at < union.length; at++) {
    if (union[at] === '(') depth++;
    else if (union[at] === ')') depth--;
    else if (union[at] === '|' && depth === 0) {
      paths.push(union.slice(from, at));
      from = at + 1;
    }
  }
  return [...paths, union.slice(from)];
}

/** `(a|b)/c/d`: what one of those in parentheses needs, and what follows. */
function readPath(path: string): RequiredNames | undefined {
  if (!path.startsWith('(')) return path === '' ? undefined : readSteps(path, [[]]);
  const close = closingParenthesis(path);
  const inner = close < 0 ? undefined : readUnion(path.slice(1, close));
  return inner && readSteps(path.slice(close + 1), inner);
}

function closingParenthesis(path: string): number {
  let depth = 0;
  for (let at = 0; at < path.length; at++) {
    if (path[at] === '(') depth++;
    else if (path[at] === ')' && --depth === 0) return at;
  }
  return -1;
}

function readSteps(steps: string, before: RequiredNames): RequiredNames | undefined {
  if (!STEPS.test(steps)) return undefined;
  const names = Array.from(steps.matchAll(ONE_STEP), ([step]) => step)
    .filter((step) => !/^(?:@|attribute::|namespace::|\.)|\)$/.test(step))
    .map((step) => step.slice(step.lastIndexOf(':') + 1))
    .filter((name) => PLAIN.test(name));
  return before.map((list) => [...list, ...names]);
}

const LESS = '<';
const GREATER = 0x3e;
const SLASH = 0x2f;
const COLON = 0x3a;
const SPACE = 0x20;

/** The local names in the tags of a document in UTF-8; comments may add some that are in none. */
export function elementNames(utf8: Uint8Array): ReadonlySet<string> {
  const text = Buffer.from(utf8.buffer, utf8.byteOffset, utf8.byteLength).toString('latin1');
  const names = new Set<string>();
  for (let at = text.indexOf(LESS) + 1; at > 0; at = text.indexOf(LESS, at) + 1) {
    if (text.charCodeAt(at) === SLASH) continue;
    let start = at;
    for (; at < text.length; at++) {
      const code = text.charCodeAt(at);
      if (code === COLON) start = at + 1;
      else if (code === GREATER || code === SLASH || code <= SPACE) break;
    }
    names.add(text.slice(start, at));
  }
  return names;
}
