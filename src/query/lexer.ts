/**
 * The pieces of a query in the text syntax. What a character means depends on where it stands: after
 * `field:` a value begins, in which further colons, signs and operator words are ordinary, so that
 * `id:oai:example.org:1` and `state:OR` need no escape.
 */
import { queryError } from './query-error.ts';
import { escapePattern } from './wildcard.ts';

interface Place {
  readonly start: number;
  /** Exclusive. */
  readonly end: number;
}

/** A bound in brackets. */
export interface BracketPart extends Place {
  readonly text: string;
  readonly quoted: boolean;
}

export type Token = Place &
  (
    | { readonly kind: 'and' | 'or' | 'not' | 'minus' | 'plus' | 'open' | 'close' | 'equals' | 'all' | 'end' }
    | { readonly kind: 'field'; readonly name: string }
    | { readonly kind: 'compare'; readonly operator: '<' | '<=' | '>' | '>=' }
    /** `pattern` only with unescaped wildcards, in the escaping of `wildcard.ts`. */
    | { readonly kind: 'word'; readonly text: string; readonly pattern?: string }
    | { readonly kind: 'quoted'; readonly text: string }
    /** `~2`, `^1.5`: the digits and dots after the sign, perhaps none. */
    | { readonly kind: 'tilde' | 'caret'; readonly number: string }
    | {
        readonly kind: 'bracket';
        readonly relation?: string;
        readonly openInclusive: boolean;
        readonly closeInclusive: boolean;
        readonly parts: readonly BracketPart[];
        readonly innerStart: number;
        readonly innerEnd: number;
      }
  );

export type BracketToken = Extract<Token, { kind: 'bracket' }>;

const SPACE = /\s/;
function findOperator(word: string): 'and' | 'or' | 'not' | undefined {
  return word === 'AND' ? 'and' : word === 'OR' ? 'or' : word === 'NOT' ? 'not' : undefined;
}

/** `isField` decides whether `name:` begins a fielded value or, before `//`, a URL. */
export function lexQuery(query: string, isField: (name: string) => boolean): Token[] {
  return new Lexer(query, isField).lex();
}

class Lexer {
  readonly #query: string;
  readonly #isField: (name: string) => boolean;
  readonly #tokens: Token[] = [];
  /** For every open parenthesis: does it stand in `field:( … )`? */
  readonly #groups: boolean[] = [];
  #at = 0;

  constructor(query: string, isField: (name: string) => boolean) {
    this.#query = query;
    this.#isField = isField;
  }

  lex(): Token[] {
    for (;;) {
      while (SPACE.test(this.#query[this.#at] ?? '')) this.#at++;
      if (this.#at >= this.#query.length) break;
      this.#next();
    }
    this.#tokens.push({ kind: 'end', start: this.#at, end: this.#at });
    return this.#tokens;
  }

  #next(): void {
    const start = this.#at;
    const char = this.#query[start]!;
    const previous = this.#tokens.at(-1);
    const inValue = previous?.kind === 'field' || previous?.kind === 'compare' || previous?.kind === 'equals';
    const two = this.#query.slice(start, start + 2);
    if (char === '(') {
      this.#groups.push(previous?.kind === 'field' || this.#groups.at(-1) === true);
      this.#push({ kind: 'open', start, end: start + 1 });
    } else if (char === ')') {
      this.#groups.pop();
      this.#push({ kind: 'close', start, end: start + 1 });
    } else if (char === '"') this.#quoted();
    else if (char === '[' || char === '{') this.#bracket(undefined, start);
    else if (char === ']' || char === '}') {
      throw this.#unexpected(start, `a search term; write \\${char} for the character itself`);
    } else if (char === '^') {
      if (previous?.end !== start) throw this.#unexpected(start, 'a search term before the boost');
      this.#suffix('caret');
    } else if (char === '~' && previous?.end === start && previous.kind === 'quoted') this.#suffix('tilde');
    else if (two === '&&') this.#push({ kind: 'and', start, end: start + 2 });
    else if (two === '||') this.#push({ kind: 'or', start, end: start + 2 });
    else if ((char === '<' || char === '>') && previous?.kind !== 'compare' && previous?.kind !== 'equals') {
      this.#compare(char);
    } else if (char === '=' && previous?.kind === 'field' && previous.end === start) {
      this.#push({ kind: 'equals', start, end: start + 1 });
    } else if (!inValue && this.#isPrefix(char)) {
      this.#push({ kind: char === '+' ? 'plus' : char === '-' ? 'minus' : 'not', start, end: start + 1 });
    } else this.#word(inValue);
  }

  #push(token: Token): void {
    this.#tokens.push(token);
    this.#at = token.end;
  }

  /** A sign before a blank (`air - sea`) is only punctuation; `!` is an operator even there. */
  #isPrefix(char: string): boolean {
    if (char === '!') return true;
    if (char !== '+' && char !== '-') return false;
    const next = this.#query[this.#at + 1];
    return next !== undefined && next !== ')' && !SPACE.test(next);
  }

  #compare(char: '<' | '>'): void {
    const start = this.#at;
    if (this.#query[start + 1] === '=') {
      this.#push({ kind: 'compare', operator: `${char}=`, start, end: start + 2 });
    } else this.#push({ kind: 'compare', operator: char, start, end: start + 1 });
  }

  #quoted(): void {
    const start = this.#at;
    const { text, end } = this.#readQuoted(start);
    this.#push({ kind: 'quoted', text, start, end });
    this.#requireBoundary('~^');
  }

  #readQuoted(start: number): { text: string; end: number } {
    let text = '';
    for (let i = start + 1; i < this.#query.length; i++) {
      const char = this.#query[i]!;
      if (char === '"') return { text, end: i + 1 };
      if (char === '\\') text += this.#escaped(i++);
      else text += char;
    }
    throw queryError('query.syntax', 'this quotation mark is never closed', this.#query, {
      position: start,
      expected: 'a closing "',
      found: 'end of query',
    });
  }

  /** The character after a backslash at `i`; a pair of surrogates keeps its second half as an ordinary one. */
  #escaped(i: number): string {
    const char = this.#query[i + 1];
    if (char !== undefined) return char;
    throw queryError('query.syntax', 'a backslash must stand before the character it escapes', this.#query, {
      position: i,
      expected: 'a character after \\',
      found: 'end of query',
    });
  }

  #suffix(kind: 'tilde' | 'caret'): void {
    const start = this.#at;
    const number = /^[\d.]*/.exec(this.#query.slice(start + 1, start + 40))?.[0] ?? '';
    this.#push({ kind, number, start, end: start + 1 + number.length });
    this.#requireBoundary('^', number === '' ? 'a number' : 'a space');
  }

  /** Without this, `"sea"*` would quietly become `"sea" AND *`. */
  #requireBoundary(allowed: string, expected = 'a space'): void {
    const char = this.#query[this.#at];
    if (char === undefined || SPACE.test(char) || char === ')' || allowed.includes(char)) return;
    const two = this.#query.slice(this.#at, this.#at + 2);
    if (two === '&&' || two === '||') return;
    throw this.#unexpected(this.#at, expected);
  }

  #bracket(relation: string | undefined, start: number): void {
    const open = this.#query[this.#at];
    const parts: BracketPart[] = [];
    let i = this.#at + 1;
    const innerStart = i;
    for (;;) {
      const char = this.#query[i];
      if (char === undefined) {
        throw queryError('query.syntax', 'this bracket is never closed', this.#query, {
          position: i,
          expected: '] or }',
          found: 'end of query',
        });
      }
      if (char === ']' || char === '}') {
        this.#push({
          kind: 'bracket',
          ...(relation !== undefined && { relation }),
          openInclusive: open === '[',
          closeInclusive: char === ']',
          parts,
          innerStart,
          innerEnd: i,
          start,
          end: i + 1,
        });
        this.#requireBoundary('^');
        return;
      }
      if (SPACE.test(char)) i++;
      else {
        const part = this.#bracketPart(i);
        parts.push(part);
        i = part.end;
      }
    }
  }

  #bracketPart(start: number): BracketPart {
    if (this.#query[start] === '"') return { ...this.#readQuoted(start), quoted: true, start };
    let text = '';
    let i = start;
    for (; i < this.#query.length && !/[\s\]}]/.test(this.#query[i]!); i++) {
      text += this.#query[i] === '\\' ? this.#escaped(i++) : this.#query[i];
    }
    return { text, quoted: false, start, end: i };
  }

  #word(inValue: boolean): void {
    const start = this.#at;
    const inGroup = this.#groups.at(-1) === true;
    let literalColons = inValue;
    let isUrl = false;
    let text = '';
    let pattern = '';
    let wild = false;
    let i = start;
    scan: for (; i < this.#query.length; i++) {
      const char = this.#query[i]!;
      switch (char) {
        case '\\': {
          const escaped = this.#escaped(i++);
          text += escaped;
          pattern += escapePattern(escaped);
          continue;
        }
        case '(':
        case ')':
        case '^':
        case '[':
        case ']':
        case '{':
        case '}':
          break scan;
        case '"':
          throw this.#unexpected(i, 'a space before the quotation mark, or \\" for the character itself');
        case '&':
        case '|':
          if (this.#query[i + 1] === char) break scan;
          break;
        case '~':
          if (i > start && /^~[\d.]*(?:$|[\s)^]|&&|\|\|)/.test(this.#query.slice(i, i + 40))) break scan;
          break;
        case '*':
        case '?':
          text += char;
          pattern += isUrl ? escapePattern(char) : char;
          wild ||= !isUrl;
          continue;
        case ':':
          if (literalColons) break;
          if (!this.#isField(text)) {
            if (text === '*' && wild && this.#query[i + 1] === '*') {
              this.#push({ kind: 'all', start, end: i + 2 });
              this.#requireBoundary('^');
              return;
            }
            if (inGroup) {
              literalColons = true;
              break;
            }
            if (this.#query.startsWith('//', i + 1)) {
              isUrl = true;
              literalColons = true;
              break;
            }
          } else if (inGroup) {
            throw this.#unexpected(start, 'a value: inside field:( … ) no other field can be named');
          }
          if (text === '') throw this.#unexpected(i, 'a field name before the colon');
          this.#push({ kind: 'field', name: text, start, end: i + 1 });
          return;
        default:
          if (SPACE.test(char)) break scan;
      }
      text += char;
      pattern += escapePattern(char);
    }
    this.#endWord(start, i, inValue, wild ? { text, pattern } : { text });
  }

  #endWord(start: number, end: number, inValue: boolean, word: { text: string; pattern?: string }): void {
    const stop = this.#query[end];
    if (stop === '[' && (inValue || this.#groups.at(-1) === true) && word.pattern === undefined) {
      this.#at = end;
      this.#bracket(word.text, start);
      return;
    }
    if (stop !== undefined && '[]{}'.includes(stop)) {
      throw this.#unexpected(end, `a space, or \\${stop} for the character itself`);
    }
    const operator = findOperator(this.#query.slice(start, end));
    const isValue = inValue && this.#tokens.at(-1)?.end === start;
    if (operator && !isValue) this.#push({ kind: operator, start, end });
    else this.#push({ kind: 'word', ...word, start, end });
    if (stop === '~') this.#suffix('tilde');
  }

  #unexpected(position: number, expected: string): Error {
    const found = this.#query[position] ?? 'end of query';
    return queryError('query.syntax', `expected ${expected}, found ${found}`, this.#query, {
      position,
      expected,
      found,
    });
  }
}
