/** What no schema can tell of a record: whether its own references lead somewhere. Such a record is kept as it is. */
import type { ErrorCode } from '../core/errors.ts';
import { toUtf8 } from '../xml/encoding.ts';
import { checkMetsReferences, type ReferenceProblem } from './mets/check-references.ts';
import { METS } from './mets/mets-document.ts';

interface InnerProblem extends ReferenceProblem {
  readonly code: ErrorCode;
}

/** `bytes`: well-formed XML of that format, in any encoding. */
export function checkInside(format: string, bytes: Uint8Array): InnerProblem[] {
  if (format !== METS.prefix) return [];
  return checkMetsReferences([toUtf8(bytes)]).map((problem) => ({ ...problem, code: 'mets.reference' }));
}
