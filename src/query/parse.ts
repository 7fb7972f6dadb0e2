/**
 * The text syntax: `ice AND "sea level"~3 title:cloud* date:[2004 TO 2006-06] bbox:[-5,47,20,55] -draft`.
 * NOT binds closest, then AND (which may be left out), then OR. One pass, one token of look-ahead.
 */
import { GarnerError } from '../core/errors.ts';
import { type Bound, MATCH_ALL, type QueryNode } from './ast.ts';
import { readBox } from './box-syntax.ts';
import { type CatalogueField, type FieldCatalogue, getField } from './catalogue.ts';
import { type BracketToken, lexQuery, type Token } from './lexer.ts';
import { placeError, queryError } from './query-error.ts';
import { readRange } from './range-syntax.ts';
import { type LeafNode, resolveLeaf } from './resolve.ts';
import { splitWords } from './words.ts';

export const MAX_QUERY_LENGTH = 10_000;
export const MAX_QUERY_DEPTH = 50;
export const MAX_QUERY_CLAUSES = 500;
const MAX_SLOP = 1000;
const EXISTS = '_exists_';

/** Nothing was asked; whether that means everything is for the caller to say. */
export function isBlank(text: string): boolean {
  return text.trim() === '';
}

/** Throws `query.syntax`, `query.unknown-field` or `query.unsupported`, with the position. */
export function parseQuery(text: string, fields: FieldCatalogue): QueryNode {
  if (text.length > MAX_QUERY_LENGTH) {
    throw queryError('query.syntax', `the query is longer than ${MAX_QUERY_LENGTH} characters`, text, {
      position: MAX_QUERY_LENGTH,
      expected: `at most ${MAX_QUERY_LENGTH} characters`,
      found: `${text.length} characters`,
    });
  }
  return new Parser(text, fields).parse();
}

/** Where an error about a clause belongs: its value, or one of the bounds. */
interface Places {
  readonly value: number;
  readonly from?: number;
  readonly to?: number;
}

class Parser {
  readonly #text: string;
  readonly #fields: FieldCatalogue;
  readonly #tokens: readonly Token[];
  #at = 0;
  #depth = 0;
  #clauses = 0;

  constructor(text: string, fields: FieldCatalogue) {
    this.#text = text;
    this.#fields = fields;
    this.#tokens = lexQuery(text, (name) => name === EXISTS || fields.find(name) !== undefined);
  }

  parse(): QueryNode {
    const node = this.#or(undefined);
    if (this.#peek().kind !== 'end') throw this.#unexpected('an operator, a term or the end of the query');
    if (node) return node;
    throw this.#fault('there is no letter or digit to search for', 0, 'a word', this.#text.trim());
  }

  #peek(): Token {
    // The last token is `end`, which nothing steps over.
    return this.#tokens[this.#at] ?? this.#tokens.at(-1)!;
  }

  #take(): Token {
    const token = this.#peek();
    this.#at++;
    return token;
  }

  /** Undefined: there was nothing but punctuation. */
  #or(field: CatalogueField | undefined): QueryNode | undefined {
    const parts = [this.#and(field)];
    while (this.#peek().kind === 'or') {
      this.#take();
      parts.push(this.#and(field));
    }
    return join('or', parts);
  }

  #and(field: CatalogueField | undefined): QueryNode | undefined {
    const parts = [this.#unary(field)];
    for (;;) {
      const { kind } = this.#peek();
      if (kind === 'end' || kind === 'close' || kind === 'or') return join('and', parts);
      if (kind === 'and') this.#take();
      parts.push(this.#unary(field));
    }
  }

  #unary(field: CatalogueField | undefined): QueryNode | undefined {
    const { kind } = this.#peek();
    if (kind === 'plus') {
      return this.#deeper(() => this.#unary(field));
    }
    if (kind === 'not' || kind === 'minus') {
      const of = this.#deeper(() => this.#unary(field));
      return of && { type: 'not', of };
    }
    return this.#boosted(this.#primary(field));
  }

  /** Takes the token that opens the level. */
  #deeper<T>(parse: () => T): T {
    const token = this.#take();
    if (++this.#depth > MAX_QUERY_DEPTH) {
      throw this.#fault(
        'the query is nested too deeply',
        token.start,
        `at most ${MAX_QUERY_DEPTH} levels`,
        this.#show(token),
      );
    }
    const result = parse();
    this.#depth--;
    return result;
  }

  #boosted(node: QueryNode | undefined): QueryNode | undefined {
    const token = this.#peek();
    if (token.kind !== 'caret') return node;
    this.#take();
    const factor = Number(token.number);
    if (!/^\d+(?:\.\d+)?$/.test(token.number) || factor < 0.01 || factor > 1000) {
      throw this.#fault(
        'a boost is a number',
        token.start,
        'a number from 0.01 to 1000 after ^',
        this.#show(token),
      );
    }
    if (this.#peek().kind === 'caret') throw this.#unexpected('one boost only');
    return node && { type: 'boost', of: node, factor };
  }

  #primary(field: CatalogueField | undefined): QueryNode | undefined {
    const token = this.#peek();
    switch (token.kind) {
      case 'open':
        return this.#group(field);
      case 'field':
        return this.#fielded(token.name, token.start);
      case 'all':
        this.#take();
        return field ? this.#leaf({ type: 'exists', field: field.name }, { value: token.start }) : MATCH_ALL;
      default:
        return field ? this.#value(field, false) : this.#unfielded(token);
    }
  }

  #group(field: CatalogueField | undefined): QueryNode | undefined {
    return this.#deeper(() => {
      const node = this.#or(field);
      if (this.#peek().kind !== 'close') throw this.#unexpected(')');
      this.#take();
      return node;
    });
  }

  #unfielded(token: Token): QueryNode | undefined {
    switch (token.kind) {
      case 'word':
        if (token.pattern !== undefined && /^\*+$/.test(token.pattern)) {
          this.#take();
          this.#refuse('tilde');
          return this.#leaf({ type: 'all' }, { value: token.start });
        }
        if (token.pattern === undefined && splitWords(token.text).length === 0) {
          this.#take();
          this.#refuse('tilde');
          return undefined;
        }
        return this.#words(undefined);
      case 'quoted':
        return this.#words(undefined);
      case 'bracket':
        throw this.#unexpected('a field name and a colon before the bracket');
      case 'compare':
        throw this.#unexpected('a field name and a colon before the comparison');
      default:
        throw this.#unexpected('a search term');
    }
  }

  #fielded(name: string, start: number): QueryNode | undefined {
    if (name === EXISTS) return this.#exists();
    const hint = ' (if the colon belongs to the text, quote it)';
    const field = this.#placed(start, () => getField(this.#fields, name, hint));
    this.#take();
    if (this.#peek().kind === 'open') return this.#group(field);
    return this.#value(field, true);
  }

  #exists(): QueryNode {
    this.#take();
    const token = this.#peek();
    if (token.kind !== 'word' && token.kind !== 'quoted') throw this.#unexpected('a field name');
    this.#take();
    this.#refuse('tilde');
    const field = this.#placed(token.start, () => getField(this.#fields, token.text));
    return this.#leaf({ type: 'exists', field: field.name }, { value: token.start });
  }

  #value(field: CatalogueField, direct: boolean): QueryNode {
    const token = this.#peek();
    switch (token.kind) {
      case 'bracket':
        this.#take();
        return field.type === 'bbox' ? this.#box(field, token) : this.#range(field, token);
      case 'compare':
        this.#take();
        return this.#comparison(field, token.operator);
      case 'equals': {
        this.#take();
        const value = this.#plainValue();
        if (value.text.trim() === '') throw this.#fault('the value is empty', value.start, 'a value', '""');
        return this.#leaf({ type: 'value', field: field.name, value: value.text }, { value: value.start });
      }
      case 'word':
        if (direct && field.tokenised && /^[-+!]/.test(this.#text.slice(token.start))) {
          throw this.#fault(
            'the sign stands before the field',
            token.start,
            `${this.#text[token.start]}${field.name}: or an escaped sign`,
            this.#show(token),
          );
        }
        return this.#dotted(field) ?? this.#words(field);
      case 'quoted':
        return this.#words(field);
      default:
        throw this.#unexpected(direct ? `a value after "${field.name}:"` : 'a value');
    }
  }

  #plainValue(): { text: string; start: number } {
    const token = this.#peek();
    if (token.kind !== 'word' && token.kind !== 'quoted') throw this.#unexpected('a value');
    this.#take();
    this.#refuse('tilde');
    return { text: token.text, start: token.start };
  }

  #words(field: CatalogueField | undefined): QueryNode {
    const token = this.#take();
    if (token.kind !== 'word' && token.kind !== 'quoted') throw this.#unexpected('a search term');
    const named = field && { field: field.name };
    const places = { value: token.start };
    const tilde = this.#peek();
    if (token.kind === 'quoted') {
      const slop = tilde.kind === 'tilde' ? this.#slop(tilde) : 0;
      return this.#leaf({ type: 'phrase', ...named, text: token.text, slop }, places);
    }
    if (token.pattern !== undefined) {
      this.#refuse('tilde');
      return this.#leaf({ type: 'wildcard', ...named, pattern: token.pattern }, places);
    }
    if (tilde.kind !== 'tilde') return this.#leaf({ type: 'term', ...named, text: token.text }, places);
    const distance = this.#distance(tilde, token.text);
    return this.#leaf({ type: 'fuzzy', ...named, text: token.text, distance }, places);
  }

  #slop(tilde: Extract<Token, { kind: 'tilde' | 'caret' }>): number {
    this.#take();
    const slop = Number(tilde.number);
    if (/^\d+$/.test(tilde.number) && slop <= MAX_SLOP) return slop;
    throw this.#fault(
      'after a phrase, ~ takes the number of words that may stand between',
      tilde.start,
      `a whole number up to ${MAX_SLOP} after ~`,
      this.#show(tilde),
    );
  }

  /** `word~` allows one mistake in short words and two in longer ones. */
  #distance(tilde: Extract<Token, { kind: 'tilde' | 'caret' }>, word: string): 1 | 2 {
    this.#take();
    if (tilde.number === '') return word.length > 5 ? 2 : 1;
    if (tilde.number === '1') return 1;
    if (tilde.number === '2') return 2;
    throw this.#fault(
      'after a word, ~ takes the number of letters that may be wrong',
      tilde.start,
      '1 or 2 after ~',
      this.#show(tilde),
    );
  }

  /** `a..b`, for fields whose values hold no dots of their own accord; strings such as paths do. */
  #dotted(field: CatalogueField): QueryNode | undefined {
    const token = this.#peek();
    if (token.kind !== 'word' || !['number', 'date', 'interval'].includes(field.type)) return undefined;
    const dots = token.text.indexOf('..');
    if (dots < 0) return undefined;
    this.#take();
    this.#refuse('tilde');
    const from = token.text.slice(0, dots);
    const to = token.text.slice(dots + 2);
    if ((from === '' || from === '*') && (to === '' || to === '*')) {
      throw this.#fault('a range without bounds', token.start, 'a bound before or after ..', token.text);
    }
    const bound = (value: string): Bound | undefined =>
      value === '' || value === '*' ? undefined : { value, inclusive: true };
    return this.#rangeLeaf(field, bound(from), bound(to), { value: token.start, to: token.start + dots + 2 });
  }

  #comparison(field: CatalogueField, operator: '<' | '<=' | '>' | '>='): QueryNode {
    const value = this.#plainValue();
    const bound: Bound = { value: value.text, inclusive: operator.length === 2 };
    const places = { value: value.start };
    return operator.startsWith('<')
      ? this.#rangeLeaf(field, undefined, bound, places)
      : this.#rangeLeaf(field, bound, undefined, places);
  }

  #range(field: CatalogueField, token: BracketToken): QueryNode {
    if (token.relation !== undefined) {
      throw this.#fault(
        `the field "${field.name}" holds no boxes`,
        token.start,
        'a value or a range',
        token.relation,
        'query.unsupported',
      );
    }
    const { from, to, places } = readRange(this.#text, token);
    return this.#rangeLeaf(field, from, to, places);
  }

  #rangeLeaf(
    field: CatalogueField,
    from: Bound | undefined,
    to: Bound | undefined,
    places: Places,
  ): QueryNode {
    return this.#leaf({ type: 'range', field: field.name, ...(from && { from }), ...(to && { to }) }, places);
  }

  #box(field: CatalogueField, token: BracketToken): QueryNode {
    const { relation, box } = readBox(this.#text, token);
    return this.#leaf({ type: 'box', field: field.name, relation, box }, { value: token.start });
  }

  #leaf(node: LeafNode, places: Places): QueryNode {
    if (++this.#clauses > MAX_QUERY_CLAUSES) {
      throw this.#fault(
        'the query has too many parts',
        places.value,
        `at most ${MAX_QUERY_CLAUSES} words, values and ranges`,
        `part ${this.#clauses}`,
      );
    }
    return this.#placed(places, () => resolveLeaf(node, this.#fields));
  }

  #placed<T>(places: Places | number, work: () => T): T {
    try {
      return work();
    } catch (error) {
      if (!(error instanceof GarnerError)) throw error;
      if (typeof places === 'number') throw placeError(error, this.#text, places);
      const { bound } = error.details;
      const position = bound === 'from' ? places.from : bound === 'to' ? places.to : undefined;
      throw placeError(error, this.#text, position ?? places.value);
    }
  }

  #refuse(kind: 'tilde'): void {
    if (this.#peek().kind === kind) throw this.#unexpected('no ~ here');
  }

  #show(token: Token): string {
    return token.kind === 'end' ? 'end of query' : this.#text.slice(token.start, token.end);
  }

  #unexpected(expected: string): GarnerError {
    const token = this.#peek();
    const found = this.#show(token);
    return this.#fault(`expected ${expected}, found ${found}`, token.start, expected, found);
  }

  #fault(
    message: string,
    position: number,
    expected: string,
    found: string,
    code: 'query.syntax' | 'query.unsupported' = 'query.syntax',
  ): GarnerError {
    return queryError(code, message, this.#text, { position, expected, found });
  }
}

/** Nested lists of one kind are one list, so that equal queries look equal. */
function join(type: 'and' | 'or', parts: readonly (QueryNode | undefined)[]): QueryNode | undefined {
  const of: QueryNode[] = [];
  for (const part of parts) {
    if (part?.type === type) of.push(...part.of);
    else if (part) of.push(part);
  }
  return of.length > 1 ? { type, of } : of[0];
}
