/** Values made of attributes: `{data_set_id}:{image_id}`. */
const PLACE = /\{([^{}]*)\}/g;

/** Undefined when an attribute that the template names has no value. */
export function fillTemplate(
  template: string,
  lookUp: (name: string) => string | undefined,
): string | undefined {
  let missing = false;
  const filled = template.replace(PLACE, (_, name: string) => {
    const value = lookUp(name.trim());
    if (value === undefined) missing = true;
    return value ?? '';
  });
  return missing ? undefined : filled;
}
