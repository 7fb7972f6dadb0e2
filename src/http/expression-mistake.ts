/** Mistakes in an expression belong beside it, where it can be mended; everything else is an error of the page. */
import { asGarnerError } from '../core/errors.ts';
import type { ExpressionNote } from '../portal/expression-note.ts';

export function asMistake(thrown: unknown): ExpressionNote {
  const { code, message, details } = asGarnerError(thrown);
  if (!code.startsWith('query.')) throw thrown;
  const position = details?.position;
  return { message: message.split('\n', 1)[0] ?? message, ...(typeof position === 'number' && { position }) };
}
