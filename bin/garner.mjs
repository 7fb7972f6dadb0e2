#!/usr/bin/env node
// Starts the command line: from its TypeScript in the project's tree, from its JavaScript in the package.
import { existsSync } from 'node:fs';
import * as nodeModule from 'node:module';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { isNewEnough, runUnderNode } from './node-runtime.mjs';

if (isNewEnough) {
  // What `--disable-warning` does, which cannot be set from inside: SQLite is marked experimental.
  const emitWarning = process.emitWarning;
  process.emitWarning = (warning, ...rest) => {
    const type = typeof rest[0] === 'object' ? rest[0]?.type : rest[0];
    if (type !== 'ExperimentalWarning') Reflect.apply(emitWarning, process, [warning, ...rest]);
  };
  // Compiled code is kept from one start to the next, which halves the time until the first answer; in a folder
  // of the user's own, since what lies in it is run. Where it cannot be written, nothing is kept.
  const caches = process.env.XDG_CACHE_HOME ?? homeCaches();
  if (caches !== undefined) {
    const kept = join(caches, 'garner');
    nodeModule.enableCompileCache?.(kept);
    // Threads look here.
    process.env.NODE_COMPILE_CACHE ??= kept;
  }
  const inTree = new URL('../src/cli/main.ts', import.meta.url);
  const inPackage = new URL('../dist/cli/main.js', import.meta.url);
  const { main } = await import((existsSync(inTree) ? inTree : inPackage).href);
  await main();
} else {
  runUnderNode([fileURLToPath(import.meta.url), ...process.argv.slice(2)]);
}

function homeCaches() {
  try {
    return join(homedir(), '.cache');
  } catch {
    // In a container a number may be all that there is of a user, without a home.
    return undefined;
  }
}
