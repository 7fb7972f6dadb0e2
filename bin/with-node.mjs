#!/usr/bin/env node
// Runs a TypeScript file under Node 24 or newer: the system's own when it is new enough, else the
// one that the npm package `node` installed beside us. Plain JavaScript that any Node >= 20 reads.
import { fileURLToPath } from 'node:url';
import { runUnderNode } from './node-runtime.mjs';

const [script, ...rest] = process.argv.slice(2);
if (!script) {
  console.error('usage: with-node.mjs <script.ts> [arguments]');
  process.exit(2);
}
runUnderNode([fileURLToPath(new URL(`../${script}`, import.meta.url)), ...rest]);
