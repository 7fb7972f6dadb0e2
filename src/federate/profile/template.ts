/** Values made of attributes: `{data_set_id}:{image_id}`. */
import type { ComposedPart } from '../../query/ast.ts';

const PLACE = /\{([^{}]*)\}/g;

/**
 * `fieldsOf`: the fields that may hold an attribute. Undefined when there are none: the template never has a value.
 */
export function parseTemplate(
  template: string,
  fieldsOf: (name: string) => readonly string[],
): readonly ComposedPart[] | undefined {
  const parts: ComposedPart[] = [];
  const written = template.trim();
  let end = 0;
  for (const match of written.matchAll(PLACE)) {
    const fields = fieldsOf((match[1] ?? '').trim());
    if (fields.length === 0) return undefined;
    if (match.index > end) parts.push(written.slice(end, match.index));
    parts.push({ fields });
    end = match.index + match[0].length;
  }
  if (end < written.length) parts.push(written.slice(end));
  return parts;
}
