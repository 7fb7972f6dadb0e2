/** A query back in the text syntax. Reading what was written gives the same query. */
import type { Bound, ComposedPart, QueryNode } from './ast.ts';
import { writeComparison } from './dis/write-dis.ts';

export function writeQuery(node: QueryNode): string {
  switch (node.type) {
    case 'and':
      return node.of
        .map((child) => writeOperand(child, child.type === 'and' || child.type === 'or'))
        .join(' AND ');
    case 'or':
      return node.of.map((child) => writeOperand(child, child.type === 'or')).join(' OR ');
    case 'not':
      return `NOT ${writeOperand(node.of, node.of.type === 'and' || node.of.type === 'or')}`;
    case 'boost': {
      const loose = ['and', 'or', 'not', 'boost'].includes(node.of.type);
      return `${writeOperand(node.of, loose)}^${node.factor}`;
    }
    case 'all':
      return '*';
    case 'term':
      return writeField(node.field) + escapeWord(node.text, node.field !== undefined);
    case 'phrase':
      return `${writeField(node.field)}${quote(node.text)}${node.slop > 0 ? `~${node.slop}` : ''}`;
    case 'wildcard':
      return writeField(node.field) + escapePatternWord(node.pattern, node.field !== undefined);
    case 'fuzzy':
      return `${writeField(node.field)}${escapeWord(node.text, node.field !== undefined)}~${node.distance}`;
    case 'value':
      return `${writeField(node.field)}=${quote(node.value)}`;
    case 'oneOf':
      return `(${node.values.map((value) => `${writeField(node.field)}=${quote(value)}`).join(' OR ')})`;
    case 'range':
      return writeField(node.field) + writeRange(node.from, node.to);
    case 'box': {
      const { west, south, east, north } = node.box;
      const relation = node.relation === 'intersects' ? '' : node.relation;
      return `${writeField(node.field)}${relation}[${west},${south},${east},${north}]`;
    }
    case 'compare':
      // The text syntax has no comparisons by kind; these are for reading only.
      return writeComparison(node);
    case 'composed':
      return `${node.parts.map(writePart).join('')} ${node.operator} ${quote(node.value)}`;
    case 'exists':
      return `_exists_:${escapeWord(node.field, true)}`;
  }
}

const writePart = (part: ComposedPart): string =>
  typeof part === 'string' ? part : `{${part.fields.join('|')}}`;

function writeOperand(node: QueryNode, loose: boolean): string {
  const text = writeQuery(node);
  return loose ? `(${text})` : text;
}

function writeField(field: string | undefined): string {
  return field === undefined ? '' : `${escapeWord(field, false)}:`;
}

function quote(text: string): string {
  return `"${text.replace(/["\\]/g, '\\$&')}"`;
}

/** Open bounds need no kind of bracket; a closed one reads best. */
function writeRange(from: Bound | undefined, to: Bound | undefined): string {
  const open = from && !from.inclusive ? '{' : '[';
  const close = to && !to.inclusive ? '}' : ']';
  return `${open}${writeBound(from)} TO ${writeBound(to)}${close}`;
}

function writeBound(bound: Bound | undefined): string {
  if (!bound) return '*';
  return /^[^\s[\]{}"\\*]+$/.test(bound.value) && bound.value !== 'TO' ? bound.value : quote(bound.value);
}

const EVERYWHERE = /[\s()[\]{}"\\^~*?]|&(?=&)|\|(?=\|)/g;
const AT_START = /^[-+!<>=]/;

/** After a field's colon, further colons and operator words are ordinary. */
function escapeWord(text: string, inValue: boolean): string {
  const escaped = text.replace(EVERYWHERE, '\\$&').replace(AT_START, '\\$&');
  if (inValue) return escaped;
  return /^(?:AND|OR|NOT)$/.test(escaped) ? `\\${escaped}` : escaped.replace(/:/g, '\\:');
}

/** Wildcards stay, escaped characters stay escaped. */
function escapePatternWord(pattern: string, inValue: boolean): string {
  let written = '';
  for (const [piece] of pattern.matchAll(/\\[\s\S]|[*?]|[^\\*?]+|\\$/g)) {
    if (piece === '*' || piece === '?') written += piece;
    else if (piece.length === 2 && piece.startsWith('\\')) written += escapeWord(piece.slice(1), inValue);
    else written += escapeWord(piece, inValue);
  }
  return written;
}
