/** Which words of a stored text a query found: marks for titles, the best piece of longer texts. */
import { editDistance } from '../../../core/edit-distance.ts';
import type { FieldSpec, Fields } from '../../../core/model.ts';
import type { QueryNode } from '../../../query/ast.ts';
import { compilePattern, parsePattern } from '../../../query/wildcard.ts';
import { foldWord, type PlacedWord, placeWords, splitWords, stemWord } from '../../../query/words.ts';
import type { Snippet } from '../../search.ts';

/** Marks the places of words that one leaf of the query matches. */
interface Marker {
  readonly field: string | undefined;
  mark(words: readonly PlacedWord[], marked: Set<number>): void;
}

type Mark = readonly [start: number, end: number];

const SNIPPET_LENGTH = 200;
/** What stands before the first mark. */
const LEAD_LENGTH = 40;
/** Longer texts are searched for marks only so far. */
const MAX_TEXT_LENGTH = 100_000;

export type Highlighter = (fields: Fields) => Readonly<Record<string, readonly Snippet[]>>;

export function createHighlighter(query: QueryNode, specs: ReadonlyMap<string, FieldSpec>): Highlighter {
  const markers = collectMarkers(query, specs);
  return (fields) => {
    const highlights: Record<string, readonly Snippet[]> = {};
    for (const [name, values] of Object.entries(fields)) {
      const relevant = markers.filter(({ field }) => field === undefined || field === name);
      if (relevant.length === 0) continue;
      const best = bestSnippet(
        values.filter((value) => typeof value === 'string'),
        relevant,
        name === 'title',
      );
      if (best) highlights[name] = [best];
    }
    return highlights;
  };
}

function collectMarkers(node: QueryNode, specs: ReadonlyMap<string, FieldSpec>): Marker[] {
  switch (node.type) {
    case 'and':
    case 'or':
      return node.of.flatMap((child) => collectMarkers(child, specs));
    case 'boost':
      return collectMarkers(node.of, specs);
    case 'term': {
      const spec = node.field === undefined ? undefined : specs.get(node.field);
      const stemmed = node.field === undefined || spec?.stemmed === true;
      const form = stemmed ? stemWord : (word: string) => word;
      return [sequenceMarker(node.field, splitWords(node.text).map(form), form)];
    }
    case 'phrase': {
      const words = splitWords(node.text);
      if (node.slop === 0) return [sequenceMarker(node.field, words, (word) => word)];
      return [wordMarker(node.field, (word) => words.includes(word))];
    }
    case 'wildcard':
      return [wordMarker(node.field, compilePattern(parsePattern(node.pattern, foldWord)))];
    case 'fuzzy': {
      const [wanted = ''] = splitWords(node.text);
      return [wordMarker(node.field, (word) => editDistance(wanted, word, node.distance) <= node.distance)];
    }
    case 'value':
      return [sequenceMarker(node.field, splitWords(node.value), (word) => word)];
    default:
      return [];
  }
}

function wordMarker(field: string | undefined, test: (word: string) => boolean): Marker {
  return {
    field,
    mark(words, marked) {
      for (const [i, { word }] of words.entries()) if (test(word)) marked.add(i);
    },
  };
}

/** Words side by side. */
function sequenceMarker(
  field: string | undefined,
  wanted: readonly string[],
  form: (word: string) => string,
): Marker {
  return {
    field,
    mark(words, marked) {
      const forms = words.map(({ word }) => form(word));
      for (let start = 0; wanted.length > 0 && start + wanted.length <= forms.length; start++) {
        if (!wanted.every((word, i) => forms[start + i] === word)) continue;
        for (let i = 0; i < wanted.length; i++) marked.add(start + i);
      }
    },
  };
}

function bestSnippet(
  texts: readonly string[],
  markers: readonly Marker[],
  whole: boolean,
): Snippet | undefined {
  let best: Snippet | undefined;
  for (const text of texts) {
    const marks = findMarks(text.slice(0, MAX_TEXT_LENGTH), markers);
    if (marks.length === 0) continue;
    const snippet = whole ? { text, marks } : cutSnippet(text, marks);
    if (!best || snippet.marks.length > best.marks.length) best = snippet;
  }
  return best;
}

function findMarks(text: string, markers: readonly Marker[]): Mark[] {
  const words = [...placeWords(text)];
  const marked = new Set<number>();
  for (const marker of markers) marker.mark(words, marked);
  return [...marked].sort((a, b) => a - b).map((i) => [words[i]!.start, words[i]!.end]);
}

/** The piece with the most marks, cut at spaces. */
function cutSnippet(text: string, marks: readonly Mark[]): Snippet {
  let first = 0;
  let most = 0;
  for (let i = 0, j = 0; i < marks.length; i++) {
    const limit = marks[i]![0] + SNIPPET_LENGTH - LEAD_LENGTH;
    while (j < marks.length && marks[j]![1] <= limit) j++;
    if (j - i > most) {
      most = j - i;
      first = i;
    }
  }
  const wantedStart = Math.max(0, marks[first]![0] - LEAD_LENGTH);
  const start = wantedStart === 0 ? 0 : nextWordStart(text, wantedStart, marks[first]![0]);
  const wantedEnd = Math.min(text.length, Math.max(start + SNIPPET_LENGTH, marks[first]![1]));
  const end = wantedEnd === text.length ? wantedEnd : lastWordEnd(text, wantedEnd, marks[first]![1]);
  const lead = start > 0 ? '…' : '';
  return {
    text: lead + text.slice(start, end) + (end < text.length ? '…' : ''),
    marks: marks
      .filter(([from, to]) => from >= start && to <= end)
      .map(([from, to]) => [from - start + lead.length, to - start + lead.length] as const),
  };
}

function nextWordStart(text: string, from: number, limit: number): number {
  const space = text.slice(from, limit).search(/\s\S/);
  return space < 0 ? limit : from + space + 1;
}

function lastWordEnd(text: string, from: number, limit: number): number {
  const space = text.slice(limit, from).search(/\s\S*$/);
  return space < 0 ? from : limit + space;
}
