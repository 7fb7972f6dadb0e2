/** Every text in a JSON document, for the full-text index: values, not keys. */
export function* jsonTexts(value: unknown): Generator<string> {
  if (typeof value === 'string') {
    const text = value.trim();
    if (text !== '') yield text;
  } else if (typeof value === 'number') yield String(value);
  else if (typeof value === 'object' && value !== null) {
    for (const inner of Object.values(value)) yield* jsonTexts(inner);
  }
}
