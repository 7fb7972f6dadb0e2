/** Every verb, in the order of `garner --help`. A new verb is a new file and one line here. */
import type { Verb } from '../verb.ts';
import { backupVerb } from './backup.ts';
import { checkVerb } from './check.ts';
import { demoVerb } from './demo.ts';
import { explainVerb } from './explain.ts';
import { getVerb } from './get.ts';
import { historyVerb } from './history.ts';
import { importVerb } from './import.ts';
import { initVerb } from './init.ts';
import { reindexVerb } from './reindex.ts';
import { restoreVerb } from './restore.ts';
import { rollbackVerb } from './rollback.ts';
import { runsVerb } from './runs.ts';
import { searchVerb } from './search.ts';
import { serveVerb } from './serve.ts';
import { verifyVerb } from './verify.ts';

const all: readonly Verb[] = [
  demoVerb,
  initVerb,
  checkVerb,
  importVerb,
  serveVerb,
  searchVerb,
  getVerb,
  explainVerb,
  historyVerb,
  rollbackVerb,
  reindexVerb,
  backupVerb,
  restoreVerb,
  verifyVerb,
  runsVerb,
];

export const VERBS: ReadonlyMap<string, Verb> = new Map(all.map((verb) => [verb.name, verb]));
