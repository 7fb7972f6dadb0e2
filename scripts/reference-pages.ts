/** Which pages are made from code, and by what. */
import { writeCliReference } from './cli-reference.ts';
import { writeConfigReference } from './config-reference.ts';
import { writeErrorsReference } from './errors-reference.ts';

export const REFERENCE_PAGES: Readonly<Record<string, () => string>> = {
  'docs/errors.md': writeErrorsReference,
  'docs/reference/cli.md': writeCliReference,
  'docs/reference/config.md': writeConfigReference,
};
