/** What a record of a list, or of a file, is called. */
import { asGarnerError } from '../../core/errors.ts';
import { parseJson } from '../../formats/extract-json.ts';
import type { ApiKind } from './find-lists.ts';
import { isObject } from './links.ts';

/** Identifiers of STAC items are unique in their collection only; those of records may be. */
export function identifyBy(kind: ApiKind, collection?: string): (bytes: Uint8Array) => string | undefined {
  return (bytes) => {
    const record = parsed(bytes);
    if (!isObject(record)) return undefined;
    const { id } = record;
    if (typeof id !== 'string' && typeof id !== 'number') return undefined;
    const own = kind === 'stac' && typeof record.collection === 'string' ? record.collection : collection;
    return own === undefined ? String(id) : `${own}/${id}`;
  };
}

function parsed(bytes: Uint8Array): unknown {
  try {
    return parseJson(bytes);
  } catch (error) {
    // Extraction will say what is wrong with it.
    if (asGarnerError(error).code === 'json.malformed') return undefined;
    throw error;
  }
}
