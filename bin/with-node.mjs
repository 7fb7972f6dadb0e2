#!/usr/bin/env node
// Runs a TypeScript file of the project, named relative to its root, under Node 24 or newer.
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { runUnderNode } from './node-runtime.mjs';

const [script, ...rest] = process.argv.slice(2);
if (!script) {
  console.error('usage: with-node.mjs <script.ts> [arguments]');
  process.exit(2);
}
runUnderNode([resolve(fileURLToPath(new URL('..', import.meta.url)), script), ...rest]);
