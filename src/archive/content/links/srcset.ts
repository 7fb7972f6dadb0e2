/** Image candidates of `srcset` and `imagesrcset` (HTML Standard §4.8.4.2). */
export interface Candidate {
  readonly from: number;
  readonly to: number;
}

const isSpace = (code: number): boolean => code === 0x20 || (code >= 0x09 && code <= 0x0d);
const COMMA = 0x2c;

/** Where each candidate's URL stands in the value. URLs may hold commas, but not at either end. */
export function listCandidates(value: string): Candidate[] {
  const candidates: Candidate[] = [];
  let at = 0;
  while (at < value.length) {
    while (at < value.length && (isSpace(value.charCodeAt(at)) || value.charCodeAt(at) === COMMA)) at++;
    const from = at;
    while (at < value.length && !isSpace(value.charCodeAt(at))) at++;
    let to = at;
    if (to === from) break;
    if (value.charCodeAt(to - 1) === COMMA) {
      while (to > from && value.charCodeAt(to - 1) === COMMA) to--;
    } else at = skipDescriptors(value, at);
    if (to > from) candidates.push({ from, to });
  }
  return candidates;
}

/** Commas inside parentheses belong to a descriptor of the future. */
function skipDescriptors(value: string, from: number): number {
  let inside = false;
  let at = from;
  for (; at < value.length; at++) {
    const char = value[at];
    if (char === '(') inside = true;
    else if (char === ')') inside = false;
    else if (char === ',' && !inside) return at + 1;
  }
  return at;
}
