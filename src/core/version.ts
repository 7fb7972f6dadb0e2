import { readFileSync } from 'node:fs';

/** From package.json, which lies two folders up in the tree and in the published package alike. */
export const VERSION: string = (
  JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as { version: string }
).version;
