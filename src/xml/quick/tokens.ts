/** The tokens of an XPath expression; undefined when one is of no use here. */

export interface Token {
  readonly kind: 'name' | 'sign' | 'literal' | 'number';
  readonly text: string;
}

const NAME = '[A-Za-z_][A-Za-z0-9_.-]*';
const TOKEN = new RegExp(
  [
    '\\s*(?:',
    '(?<number>[0-9]+)',
    `|"(?<double>[^"]*)"|'(?<single>[^']*)'`,
    '|(?<sign>//|::|!=|[()\\[\\]@,|/.=*])',
    `|(?<name>${NAME}(?::(?:${NAME}|\\*))?)`,
    ')\\s*',
  ].join(''),
  'y',
);

export function readTokens(expression: string): readonly Token[] | undefined {
  const tokens: Token[] = [];
  TOKEN.lastIndex = 0;
  for (let at = 0; at < expression.length; at = TOKEN.lastIndex) {
    TOKEN.lastIndex = at;
    const groups = TOKEN.exec(expression)?.groups;
    if (!groups) return undefined;
    const { number, double, single, sign, name } = groups;
    const literal = double ?? single;
    if (number !== undefined) tokens.push({ kind: 'number', text: number });
    else if (literal !== undefined) tokens.push({ kind: 'literal', text: literal });
    else if (sign !== undefined) tokens.push({ kind: 'sign', text: sign });
    else if (name !== undefined) tokens.push({ kind: 'name', text: name });
  }
  return tokens;
}
