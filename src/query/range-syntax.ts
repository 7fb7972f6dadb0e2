/** `[a TO b]`, `{a TO b}` and mixtures of the two; `*` is no bound. */
import type { Bound } from './ast.ts';
import type { BracketPart, BracketToken } from './lexer.ts';
import { queryError } from './query-error.ts';

interface WrittenRange {
  readonly from: Bound | undefined;
  readonly to: Bound | undefined;
  /** Positions of the bounds. */
  readonly places: { readonly value: number; readonly from: number; readonly to: number };
}

export function readRange(query: string, token: BracketToken): WrittenRange {
  const misplaced = (part: BracketPart | undefined, expected: string) => {
    const found = part?.text ?? query.slice(token.innerEnd, token.innerEnd + 1);
    const position = part?.start ?? token.innerEnd;
    const message = `expected ${expected} in the range, found ${found}`;
    return queryError('query.syntax', message, query, { position, expected, found });
  };
  const [from, middle, to, extra] = token.parts;
  if (!from || isTo(from)) throw misplaced(from, 'the lower bound or *');
  if (!middle || !isTo(middle)) throw misplaced(middle, 'TO');
  if (!to || isTo(to)) throw misplaced(to, 'the upper bound or *');
  if (extra) throw misplaced(extra, '] or } (quote bounds of several words)');
  return {
    from: readBound(from, token.openInclusive),
    to: readBound(to, token.closeInclusive),
    places: { value: token.start, from: from.start, to: to.start },
  };
}

function isTo(part: BracketPart): boolean {
  return part.text === 'TO' && !part.quoted;
}

function readBound({ text, quoted }: BracketPart, inclusive: boolean): Bound | undefined {
  return text === '*' && !quoted ? undefined : { value: text, inclusive };
}
