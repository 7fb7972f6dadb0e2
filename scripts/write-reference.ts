/** Writes the pages that are made from code. `test/reference.test.ts` fails when they are out of step. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { REFERENCE_PAGES } from './reference-pages.ts';

for (const [path, write] of Object.entries(REFERENCE_PAGES)) {
  const file = fileURLToPath(new URL(`../${path}`, import.meta.url));
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, write());
  console.log(path);
}
