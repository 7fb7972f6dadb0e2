/**
 * The file of a worker thread beside the module that starts it: `workerUrl(import.meta.url, './store-worker')`.
 * It ends in `.ts` in the tree and in `.js` in the published package, as its caller does; the compiler
 * rewrites such endings in imports, but not in URLs.
 */
export function workerUrl(callerUrl: string, name: string): URL {
  return new URL(`${name}${callerUrl.endsWith('.ts') ? '.ts' : '.js'}`, callerUrl);
}
