/** Tests by which JSON formats are known: `/stac_version and /type=Feature`. */
import { compilePointer, followPointer } from './json-pointer.ts';

export type JsonTest = (value: unknown) => boolean;

export function compileJsonTest(test: string): JsonTest {
  const conditions = test.split(/\s+and\s+/).map((condition): JsonTest => {
    // An equals sign inside of `*?key=value` belongs to the pointer.
    const [, pointer = condition, wanted] = /^((?:[^=?]|\?[^=/]+=)*?)=(.*)$/s.exec(condition.trim()) ?? [];
    const compiled = compilePointer(pointer.trim());
    return (value) => {
      const found = followPointer(compiled, value);
      return wanted === undefined ? found.length > 0 : found.some((one) => String(one) === wanted);
    };
  });
  return (value) => conditions.every((holds) => holds(value));
}
