/**
 * DIS, the expression language of resource profiles: `TARGET_NAME = IO AND NOT FILTER_NAME = RED`.
 * Relations are `= != < <= > >=`, `EQ NE LT LE GT GE`, `LIKE NOTLIKE`, `IS ISNOT`; connectors `AND & OR | NOT !`,
 * in any case, binding in the order NOT, AND, OR. `RETURN = name` and `FROM = name` are no conditions: they
 * say what is wanted of the answer and from whom. An expression parses as a whole or not at all.
 */
import type { GarnerError } from '../../core/errors.ts';
import { nearestNames } from '../../core/nearest.ts';
import { type CompareOperator, MATCH_ALL, type QueryNode } from '../ast.ts';
import { queryError } from '../query-error.ts';
import { type DisToken, lexDis } from './lex-dis.ts';

export interface DisName {
  readonly name: string;
  /** UTF-16 offset into the expression. */
  readonly position: number;
}

export interface DisQuery {
  readonly query: QueryNode;
  /** `RETURN = name`. */
  readonly select: readonly string[];
  /** `FROM = name`. */
  readonly from: readonly string[];
  /** Every attribute that is compared, where it stands. */
  readonly names: readonly DisName[];
}

const MAX_DEPTH = 200;

const RELATION_WORDS: Readonly<Record<string, CompareOperator>> = {
  EQ: '=',
  NE: '!=',
  LT: '<',
  LE: '<=',
  GT: '>',
  GE: '>=',
  LIKE: 'LIKE',
  NOTLIKE: 'NOTLIKE',
  IS: '=',
  ISNOT: '!=',
};
const RELATION = 'a relation: = != < <= > >= EQ NE LT LE GT GE LIKE NOTLIKE IS ISNOT';

/** Something that is no condition, and where it stands. */
interface Wish {
  readonly type: 'wish';
  readonly word: string;
  readonly position: number;
}

export function parseDis(expression: string): DisQuery {
  return new DisParser(expression).parse();
}

class DisParser {
  readonly #expression: string;
  readonly #tokens: readonly DisToken[];
  readonly #select: string[] = [];
  readonly #from: string[] = [];
  readonly #names: DisName[] = [];
  #at = 0;
  #depth = 0;

  constructor(expression: string) {
    this.#expression = expression;
    this.#tokens = lexDis(expression);
  }

  parse(): DisQuery {
    const node = this.#or();
    const next = this.#peek();
    if (next.kind !== 'end') {
      const hint = next.kind === 'word' ? ' (a value with blanks needs quotes)' : '';
      throw this.#unexpected(next, `AND, OR or the end${hint}`);
    }
    return {
      query: node.type === 'wish' ? MATCH_ALL : node,
      select: this.#select,
      from: this.#from,
      names: this.#names,
    };
  }

  #or(): QueryNode | Wish {
    const of = this.#list('or', () => this.#and());
    const [only, second] = of;
    if (only && !second) return only;
    return { type: 'or', of: of.map((part) => this.#condition(part)) };
  }

  #and(): QueryNode | Wish {
    const of = this.#list('and', () => this.#not());
    const conditions = of.filter((part) => part.type !== 'wish');
    const [only, second] = conditions;
    if (second) return { type: 'and', of: conditions };
    return only ?? of[0]!;
  }

  #list(kind: 'and' | 'or', part: () => QueryNode | Wish): (QueryNode | Wish)[] {
    const parts = [part()];
    while (this.#isConnector(this.#peek(), kind)) {
      this.#at++;
      parts.push(part());
    }
    return parts;
  }

  #not(): QueryNode | Wish {
    const token = this.#peek();
    if (++this.#depth > MAX_DEPTH)
      throw queryError('query.too-broad', 'the expression is nested too deeply', this.#expression, {
        position: token.start,
        expected: `at most ${MAX_DEPTH} levels`,
        found: 'more',
      });
    try {
      if (this.#isConnector(token, 'not')) {
        this.#at++;
        return { type: 'not', of: this.#condition(this.#not()) };
      }
      if (token.kind !== 'open') return this.#comparison();
      this.#at++;
      const inner = this.#or();
      const close = this.#peek();
      if (close.kind !== 'close') throw this.#unexpected(close, 'AND, OR or a closing parenthesis');
      this.#at++;
      return inner;
    } finally {
      this.#depth--;
    }
  }

  #comparison(): QueryNode | Wish {
    const name = this.#peek();
    if (name.kind !== 'word' || this.#isReserved(name) || name.text.trim() === '')
      throw this.#unexpected(name, 'the name of an attribute, NOT or an opening parenthesis');
    this.#at++;
    const { operator, isIs } = this.#relation();
    const value = this.#peek();
    if (value.kind !== 'word' || this.#isReserved(value))
      throw this.#unexpected(value, 'a value (AND, OR and NOT as values need quotes)');
    this.#at++;
    const wish = name.quoted ? '' : name.text.toUpperCase();
    if (operator === '=' && (wish === 'RETURN' || wish === 'FROM')) {
      (wish === 'RETURN' ? this.#select : this.#from).push(value.text);
      return { type: 'wish', word: wish, position: name.start };
    }
    this.#names.push({ name: name.text, position: name.start });
    if (isIs && !value.quoted && value.text.toUpperCase() === 'NULL') {
      const exists: QueryNode = { type: 'compare', field: name.text, operator: 'EXISTS', value: '' };
      return operator === '=' ? { type: 'not', of: exists } : exists;
    }
    return { type: 'compare', field: name.text, operator, value: value.text };
  }

  /** `NOT LIKE` and `IS NOT` may be written apart. */
  #relation(): { operator: CompareOperator; isIs: boolean } {
    const token = this.#peek();
    this.#at++;
    if (token.kind === 'relation') return { operator: token.operator, isIs: false };
    const word = token.kind === 'word' && !token.quoted ? token.text.toUpperCase() : '';
    const following = this.#peek();
    if (word === 'NOT' && this.#isWord(following, 'LIKE')) {
      this.#at++;
      return { operator: 'NOTLIKE', isIs: false };
    }
    if (word === 'IS' && this.#isWord(following, 'NOT')) {
      this.#at++;
      return { operator: '!=', isIs: true };
    }
    const operator = Object.hasOwn(RELATION_WORDS, word) ? RELATION_WORDS[word] : undefined;
    if (operator === undefined) {
      this.#at--;
      throw this.#unexpected(token, RELATION);
    }
    return { operator, isIs: word === 'IS' || word === 'ISNOT' };
  }

  #peek(): DisToken {
    return this.#tokens[Math.min(this.#at, this.#tokens.length - 1)]!;
  }

  #isConnector(token: DisToken, kind: 'and' | 'or' | 'not'): boolean {
    return token.kind === kind || this.#isWord(token, kind.toUpperCase());
  }

  #isWord(token: DisToken, word: string): boolean {
    return token.kind === 'word' && !token.quoted && token.text.toUpperCase() === word;
  }

  #isReserved(token: DisToken): boolean {
    return ['AND', 'OR', 'NOT'].some((word) => this.#isWord(token, word));
  }

  #condition(part: QueryNode | Wish): QueryNode {
    if (part.type !== 'wish') return part;
    throw queryError('query.syntax', `${part.word} is no condition`, this.#expression, {
      position: part.position,
      expected: `${part.word} only between ANDs`,
      found: part.word,
    });
  }

  #unexpected(token: DisToken, expected: string): GarnerError {
    const found =
      token.kind === 'end' ? 'the end' : JSON.stringify(this.#expression.slice(token.start, token.end));
    return queryError('query.syntax', `expected ${expected}, found ${found}`, this.#expression, {
      position: token.start,
      expected,
      found,
    });
  }
}

/** The first name that nobody knows, with the nearest that are known. */
export interface UnknownName extends DisName {
  readonly nearest: readonly string[];
  readonly message: string;
}

export function findUnknownName(names: readonly DisName[], known: Iterable<string>): UnknownName | undefined {
  const list = [...known];
  const keys = new Set(list.map((name) => name.toLowerCase()));
  const unknown = names.find(({ name }) => !keys.has(name.toLowerCase()));
  if (!unknown) return undefined;
  // Of several spellings of one name the last counts: that of a dictionary.
  const spelled = new Map(list.map((name) => [name.toLowerCase(), name]));
  const nearest = nearestNames(unknown.name, [...spelled.values()]);
  const guess = nearest.length > 0 ? `; did you mean ${nearest.join(', ')}?` : '';
  return { ...unknown, nearest, message: `there is no attribute "${unknown.name}"${guess}` };
}

/** Refuses an expression with a name that nobody knows. */
export function checkDisNames(expression: string, names: readonly DisName[], known: Iterable<string>): void {
  const unknown = findUnknownName(names, known);
  if (!unknown) return;
  const { name, position, nearest, message } = unknown;
  throw queryError(
    'query.unknown-field',
    message,
    expression,
    { position, expected: 'the name of an attribute', found: name },
    { field: name, nearest },
  );
}
