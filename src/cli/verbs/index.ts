/** Every verb, in the order of `garner --help`; loaded when it is asked for. A new verb is a file and one line here. */
import type { Verb } from '../verb.ts';

const LOADERS: Readonly<Record<string, () => Promise<Verb>>> = {
  demo: async () => (await import('./demo.ts')).demoVerb,
  init: async () => (await import('./init.ts')).initVerb,
  check: async () => (await import('./check.ts')).checkVerb,
  import: async () => (await import('./import.ts')).importVerb,
  expose: async () => (await import('./expose.ts')).exposeVerb,
  crawl: async () => (await import('./crawl.ts')).crawlVerb,
  harvest: async () => (await import('./harvest.ts')).harvestVerb,
  discover: async () => (await import('./discover.ts')).discoverVerb,
  topics: async () => (await import('./topics.ts')).topicsVerb,
  serve: async () => (await import('./serve.ts')).serveVerb,
  search: async () => (await import('./search.ts')).searchVerb,
  query: async () => (await import('./query.ts')).queryVerb,
  profile: async () => (await import('./profile.ts')).profileVerb,
  get: async () => (await import('./get.ts')).getVerb,
  export: async () => (await import('./export.ts')).exportVerb,
  'site-model': async () => (await import('./site-model.ts')).siteModelVerb,
  explain: async () => (await import('./explain.ts')).explainVerb,
  history: async () => (await import('./history.ts')).historyVerb,
  modify: async () => (await import('./modify.ts')).modifyVerb,
  describe: async () => (await import('./describe.ts')).describeVerb,
  judge: async () => (await import('./judge.ts')).judgeVerb,
  rollback: async () => (await import('./rollback.ts')).rollbackVerb,
  pin: async () => (await import('./pin.ts')).pinVerb,
  thin: async () => (await import('./thin.ts')).thinVerb,
  reindex: async () => (await import('./reindex.ts')).reindexVerb,
  drop: async () => (await import('./drop.ts')).dropVerb,
  backup: async () => (await import('./backup.ts')).backupVerb,
  restore: async () => (await import('./restore.ts')).restoreVerb,
  verify: async () => (await import('./verify.ts')).verifyVerb,
  missing: async () => (await import('./missing.ts')).missingVerb,
  quality: async () => (await import('./quality.ts')).qualityVerb,
  dictionary: async () => (await import('./dictionary.ts')).dictionaryVerb,
  runs: async () => (await import('./runs.ts')).runsVerb,
};

export const VERB_NAMES: readonly string[] = Object.keys(LOADERS);

export async function findVerb(name: string): Promise<Verb | undefined> {
  return Object.hasOwn(LOADERS, name) ? LOADERS[name]?.() : undefined;
}

export async function loadVerbs(): Promise<Verb[]> {
  return Promise.all(Object.values(LOADERS).map((load) => load()));
}
