/** Labels of the Planetary Data System, version 3: `KEY = value` in nested objects, before the data in the same file. */
import { GarnerError } from '../../core/errors.ts';

export interface PdsObject {
  /** By upper-case key; pointers begin with `^`. */
  readonly values: ReadonlyMap<string, string>;
  readonly objects: readonly (PdsObject & { readonly name: string })[];
}

interface OpenObject {
  readonly name: string;
  readonly values: Map<string, string>;
  readonly objects: OpenObject[];
}

const MAX_LABEL_BYTES = 1 << 20;
/** Some begin with the label of a standard formatted data unit. */
const START = /^(?:CCSD[^\r\n]*[\r\n]+)?\s*PDS_VERSION_ID\s*=/;
const COMMENT = /\/\*.*?\*\//g;
/** A value is quoted, a list or set in brackets, or what stands on the line. */
const STATEMENT =
  /(\^?[A-Za-z][\w:]*)[ \t]*=\s*("[^"]*"|'[^']*'|\([^)]*\)|\{[^}]*\}|[^\r\n]*)|^[ \t]*(END)[ \t]*$/gm;

export function isPdsLabel(head: Uint8Array): boolean {
  return START.test(Buffer.from(head.subarray(0, 400)).toString('latin1'));
}

export function parsePdsLabel(bytes: Uint8Array): PdsObject {
  const text = Buffer.from(bytes.subarray(0, MAX_LABEL_BYTES)).toString('latin1').replace(COMMENT, ' ');
  const root: OpenObject = { name: '', values: new Map(), objects: [] };
  const open = [root];
  for (const [, key = '', value = '', end] of text.matchAll(STATEMENT)) {
    if (end !== undefined) return root;
    const current = open.at(-1) ?? root;
    const name = key.toUpperCase();
    const plain = value.trim().replace(/^(["'])(.*)\1$/s, '$2');
    if (name === 'OBJECT' || name === 'GROUP') {
      const child: OpenObject = { name: plain.toUpperCase(), values: new Map(), objects: [] };
      current.objects.push(child);
      open.push(child);
    } else if (name === 'END_OBJECT' || name === 'END_GROUP') {
      if (open.length > 1) open.pop();
    } else if (!current.values.has(name)) current.values.set(name, plain);
  }
  throw new GarnerError('product.conversion', 'the PDS label has no END');
}
