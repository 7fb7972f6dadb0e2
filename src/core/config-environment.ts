/** How the environment reaches the config: `${NAME}` inside texts, and GARNER_… for single keys. */
import { type KeyPath, listKeys, retype } from './config-keys.ts';
import type { Environment } from './environment.ts';

/** `$${` is a plain `${`. */
const VARIABLE = /\$(\$\{)|\$\{([A-Za-z_][A-Za-z0-9_]*)(?::-([^}]*))?\}/g;

/** The text with its variables replaced; one that is empty counts as not set, as in a shell's `:-`. */
export function substitute(
  text: string,
  env: Environment,
  onMissing: (name: string) => void,
): { text: string; changed: boolean } {
  let changed = false;
  const replaced = text.replace(
    VARIABLE,
    (whole, escaped: string | undefined, name: string | undefined, fallback: string | undefined) => {
      changed = true;
      if (escaped !== undefined || name === undefined) return '${';
      const value = env[name] || fallback;
      if (value !== undefined) return value;
      onMissing(name);
      return whole;
    },
  );
  return { text: replaced, changed };
}

export interface Override {
  readonly name: string;
  readonly path: KeyPath;
  readonly value: string | number | boolean;
}

/** Keys that the environment sets, above what the file says. */
export function listOverrides(env: Environment): Override[] {
  // The list of all keys takes a while to make, and every command would wait for it.
  if (!Object.keys(env).some((name) => name.startsWith('GARNER_'))) return [];
  return listKeys().flatMap(({ env: name, path }) => {
    const value = name === undefined ? undefined : env[name];
    return name === undefined || !value ? [] : [{ name, path, value: retype(path, value) }];
  });
}
