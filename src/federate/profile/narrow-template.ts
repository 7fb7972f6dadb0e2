/**
 * What a text says about the fields that it is made of: `{a}:{b}` that is `x:y` needs an `a` that is `x`. It may
 * leave in what is made into another text, but nothing out that is made into this one.
 */
import type { FieldSpec } from '../../core/model.ts';
import { anyOf, type CompareOperator, type ComposedPart, type QueryNode } from '../../query/ast.ts';
import { likePattern, readLiteral } from '../../query/literal.ts';
import { parsePattern, patternPrefix } from '../../query/wildcard.ts';
import { foldPiece } from '../../query/words.ts';

/** What one part must be, or begin with. */
interface Guess {
  readonly fields: readonly string[];
  readonly text: string;
  readonly isBeginning: boolean;
}

/** More ways to read a text are not worth asking for. */
const MOST_READINGS = 16;

/** Undefined: nothing can be said. */
export function narrowTemplate(
  parts: readonly ComposedPart[],
  operator: CompareOperator,
  value: string,
  specs: ReadonlyMap<string, FieldSpec>,
): QueryNode | undefined {
  const readings =
    operator === '='
      ? read(parts, readLiteral(value).folded, false)
      : operator === 'LIKE'
        ? read(parts, patternPrefix(parsePattern(likePattern(value), foldPiece)), true)
        : undefined;
  if (!readings || readings.length > MOST_READINGS) return undefined;
  return anyOf(
    readings.map((guesses): QueryNode => {
      const of = guesses.flatMap((guess) => askGuess(guess, specs) ?? []);
      return of.length === 0 ? { type: 'all' } : { type: 'and', of };
    }),
  );
}

/** The ways in which the parts make the text, or with `open` one that begins with it. */
function read(parts: readonly ComposedPart[], text: string, open: boolean): (readonly Guess[])[] {
  const [part, ...rest] = parts;
  if (part === undefined) return text === '' || open ? [[]] : [];
  if (open && text === '') return [[]];
  if (typeof part === 'string') {
    const piece = foldPiece(part);
    if (text.startsWith(piece)) return read(rest, text.slice(piece.length), open);
    return open && piece.startsWith(text) ? [[]] : [];
  }
  const { fields } = part;
  const [next] = rest;
  if (next === undefined) return [[{ fields, text, isBeginning: open }]];
  // Where one value ends and the next begins is not seen.
  if (typeof next !== 'string') return [[]];
  const piece = foldPiece(next);
  const readings: (readonly Guess[])[] = open ? [[{ fields, text, isBeginning: true }]] : [];
  for (let end = 0; end <= text.length && readings.length <= MOST_READINGS; end++) {
    const after = text.slice(end);
    if (!after.startsWith(piece) && !(open && after !== '' && piece.startsWith(after))) continue;
    const guess = { fields, text: text.slice(0, end), isBeginning: false };
    for (const reading of read(rest, after, open)) readings.push([guess, ...reading]);
  }
  return readings;
}

/** Undefined where the index cannot tell for certain. */
function askGuess({ fields, text, isBeginning }: Guess, specs: ReadonlyMap<string, FieldSpec>) {
  const asked = fields.map((field): QueryNode | undefined => {
    const spec = specs.get(field);
    const isWhole = spec?.type === 'string' || spec?.type === 'uri';
    if (!spec || !(isWhole || (spec.type === 'number' && !isBeginning))) return undefined;
    if (isBeginning && spec.tokenised) return undefined;
    const only = [field];
    return isBeginning
      ? { type: 'compare', field, operator: 'LIKE', value: `${text.replace(/[\\%_]/g, '\\$&')}%`, only }
      : { type: 'compare', field, operator: '=', value: text, only };
  });
  const known = asked.filter((one) => one !== undefined);
  return known.length < asked.length ? undefined : anyOf(known);
}
