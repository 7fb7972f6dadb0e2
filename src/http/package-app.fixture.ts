/** For tests: the portal of a test archive, with its packages. */
import { openPackages } from '../app/packages.ts';
import { defaultConfig } from '../core/config.ts';
import type { ConfigInput } from '../core/config-schema.ts';
import { silentLog } from '../core/log.ts';
import { createFormatRegistry } from '../formats/registry.ts';
import { SOURCE, type TestArchive } from '../packaging/archive.fixture.ts';
import { createCatalogue } from '../query/catalogue.ts';
import type { HttpDeps } from './deps.ts';
import { createHttpApp } from './server.ts';

interface PackageAppOptions {
  readonly curation?: ConfigInput['curation'];
  readonly tokens?: HttpDeps['tokens'];
}

export function createPackageApp(
  { store, folder }: TestArchive,
  { curation, tokens = [] }: PackageAppOptions = {},
): ReturnType<typeof createHttpApp> {
  const config = defaultConfig(folder, { data: folder, ...(curation && { curation }) }, {});
  const formats = createFormatRegistry();
  const catalogue = createCatalogue(formats.fieldSpecs());
  const { name, adminEmail, identifier, oai } = config.repository;
  const repository = { name, adminEmail, identifier, baseUrl: 'https://data.example.org' };
  const { forms, itemForms, ...sites } = openPackages(
    {
      config,
      store,
      formats,
      ownFormats: [],
      catalogue,
      topics: new Map(),
      [Symbol.asyncDispose]: async () => {},
    },
    repository.baseUrl,
  );
  return createHttpApp({
    store,
    dataFolder: folder,
    formats,
    catalogue,
    repository,
    oai,
    forms: itemForms,
    packages: forms,
    sites,
    authorities: config.curation,
    tokens,
    sources: [{ name: SOURCE, title: SOURCE, access: { public: true } }],
    views: [],
    clock: Date.now,
    log: silentLog,
    version: 'test',
  });
}
