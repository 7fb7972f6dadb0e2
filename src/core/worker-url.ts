/** Where a worker's file is: beside its caller, `.ts` when run from source and `.js` in the published build. */
import { extname } from 'node:path';

/** `workerUrl(import.meta.url, './x-worker')` */
export function workerUrl(importer: string, module: string): URL {
  return new URL(`${module}${extname(new URL(importer).pathname)}`, importer);
}
