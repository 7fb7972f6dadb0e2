/** Strings that are one of many. */

/** The folded value, and with `parts` what follows each of its dots: `data.image` is an image. */
export function isOneOf(folded: string, wanted: ReadonlySet<string>, parts = false): boolean {
  if (wanted.has(folded)) return true;
  if (!parts) return false;
  for (let dot = folded.indexOf('.'); dot >= 0; dot = folded.indexOf('.', dot + 1))
    if (wanted.has(folded.slice(dot + 1))) return true;
  return false;
}
