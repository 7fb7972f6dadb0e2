/** For tests: a repository on SQLite, served over real HTTP, with a clock that tests move. */
import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type AccessRule, PUBLIC } from '../src/core/access.ts';
import { defaultConfig } from '../src/core/config.ts';
import { silentLog } from '../src/core/log.ts';
import { createFormatRegistry } from '../src/formats/registry.ts';
import { createExtraction } from '../src/harvest/extract-record.ts';
import type { HttpDeps, TokenSpec } from '../src/http/deps.ts';
import { createHttpApp, startServer } from '../src/http/server.ts';
import { createCatalogue } from '../src/query/catalogue.ts';
import { parseQuery } from '../src/query/parse.ts';
import { createFileBlobs } from '../src/store/files/blobs.ts';
import type { CommitBatch, GarnerStore, IncomingRecord } from '../src/store/index.ts';
import { openSqliteStore } from '../src/store/sqlite/open.ts';
import { parseXml, type XmlDocument } from '../src/xml/engine.ts';

export const CURATOR: TokenSpec = {
  name: 'keeper',
  secret: 'keeper-secret-0123456789',
  role: 'curator',
  groups: [],
};

/** Schemas that others wrote lie beside the project, where they are present. */
export const SCHEMAS = fileURLToPath(new URL('../../shared/standards/xsd/', import.meta.url));

export interface TestRepository {
  readonly baseUrl: string;
  readonly store: GarnerStore;
  /** Seconds. */
  wait(seconds: number): void;
  now(): number;
  readonly commit: (source: string, batch: Omit<CommitBatch, 'source' | 'runId'>) => Promise<void>;
  /** Records from XML or JSON, extracted as imports do it. */
  readonly extract: (text: string, more?: Partial<IncomingRecord>) => IncomingRecord;
  readonly get: (query: string, init?: RequestInit & { path?: string }) => Promise<Response>;
  readonly ask: (query: string, init?: RequestInit & { path?: string }) => Promise<Answer>;
  close(): Promise<void>;
}

/** An answer that was proven to be well-formed. */
export interface Answer {
  readonly text: string;
  readonly response: Response;
  readonly errors: readonly string[];
  /** Texts of all elements of that name, wherever they stand. */
  all(name: string): string[];
  readonly token: string | undefined;
}

export interface RepositoryOptions {
  readonly oai?: Record<string, unknown>;
  readonly rules?: Readonly<Record<string, AccessRule>>;
  readonly view?: string;
}

export async function openRepository(options: RepositoryOptions = {}): Promise<TestRepository> {
  const folder = await mkdtemp(join(tmpdir(), 'garner-oai-'));
  let now = Date.parse('2026-03-01T12:00:00Z');
  const clock = () => now;
  const formats = createFormatRegistry();
  const catalogue = createCatalogue(formats.fieldSpecs());
  const names = ['ocean', 'sky', 'closed'];
  const sources = names.map((name) => ({ name, title: name, access: options.rules?.[name] ?? PUBLIC }));
  const store: GarnerStore = {
    ...openSqliteStore(
      {
        folder,
        fields: formats.fieldSpecs(),
        sources,
        views: [{ name: 'north', access: PUBLIC, query: parseQuery(options.view ?? 'title:ice', catalogue) }],
        repositoryIdentifier: 'repository.example.org',
      },
      { clock },
    ),
    blobs: createFileBlobs(folder),
  };
  const { repository } = defaultConfig(folder, { repository: { oai: options.oai ?? {} } }, {});
  const deps = (baseUrl: string): HttpDeps => ({
    store,
    formats,
    catalogue,
    repository: {
      name: 'Tide & <Ice>',
      baseUrl,
      adminEmail: 'keeper@example.org',
      identifier: 'repository.example.org',
    },
    oai: repository.oai,
    tokens: [CURATOR],
    sources,
    views: [{ name: 'north', title: 'The north', access: PUBLIC }],
    clock,
    log: silentLog,
    version: '0.0.0-test',
  });
  const { promise: app, resolve } = Promise.withResolvers<ReturnType<typeof createHttpApp>>();
  const server = await startServer(
    { fetch: async (request, env) => (await app).fetch(request, env) },
    { host: '127.0.0.1', port: 0 },
  );
  resolve(createHttpApp(deps(server.url)));
  const extraction = createExtraction({ formats, validation: 'report' });

  const get: TestRepository['get'] = (query, { path = '/oai', ...init } = {}) =>
    fetch(`${server.url}${path}${query === '' ? '' : '?'}${query}`, {
      ...init,
      headers: { 'accept-encoding': 'identity', ...(init.headers as Record<string, string> | undefined) },
    });
  return {
    baseUrl: `${server.url}/oai`,
    store,
    wait: (seconds) => {
      now += seconds * 1000;
    },
    now: clock,
    commit: async (source, batch) => {
      const { id: runId } = await store.runs.startRun(source, 'import');
      await store.items.commit({ ...batch, source, runId });
      await store.runs.finishRun(runId, 'complete');
    },
    extract: (text, more) => {
      const { record, problems } = extraction({
        bytes: new TextEncoder().encode(text),
        syntax: text.trimStart().startsWith('<') ? 'xml' : 'json',
        where: 'test',
        line: 1,
        fallbackIdentifier: 'without-identifier',
      });
      assert.ok(record, JSON.stringify(problems));
      return { ...record, ...more };
    },
    get,
    ask: async (query, init) => readAnswer(await get(query, init)),
    close: async () => {
      await server.close();
      await store.close();
      await rm(folder, { recursive: true });
    },
  };
}

export async function readAnswer(response: Response): Promise<Answer> {
  const text = await response.text();
  parse(text).dispose();
  const all = (name: string) =>
    [...text.matchAll(new RegExp(`<(?:\\w+:)?${name}(?:\\s[^>]*)?>([^<]*)</`, 'g'))].map(([, value]) =>
      plainText(value ?? ''),
    );
  return {
    text,
    response,
    errors: [...text.matchAll(/<error code="(\w+)"/g)].map(([, code]) => code ?? ''),
    all,
    token: all('resumptionToken').find(Boolean),
  };
}

export function parse(text: string): XmlDocument {
  return parseXml(new TextEncoder().encode(text));
}

const plainText = (text: string): string =>
  text.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&quot;', '"').replaceAll('&amp;', '&');

/** All pages of a list, by its tokens. */
export async function* listPages(
  repository: Pick<TestRepository, 'ask'>,
  verb: string,
  query: string,
  init?: { path?: string },
): AsyncGenerator<Answer> {
  let page = await repository.ask(`verb=${verb}&${query}`, init);
  for (;;) {
    assert.deepEqual(page.errors, []);
    yield page;
    if (page.token === undefined) return;
    page = await repository.ask(`verb=${verb}&resumptionToken=${page.token}`, init);
  }
}

/** `-` before deleted ones. */
export const headersOf = ({ text }: Answer): string[] =>
  [...text.matchAll(/<header( status="deleted")?><identifier>([^<]*)</g)].map(
    ([, deleted, identifier]) => `${deleted ? '-' : ''}${plainText(identifier ?? '')}`,
  );

export const dublinCore = (identifier: string, title: string): string =>
  `<?xml version="1.0" encoding="UTF-8"?>\n<!-- as it came -->\n<oai_dc:dc xmlns:oai_dc="http://www.openarchives.org/OAI/2.0/oai_dc/" xmlns:dc="http://purl.org/dc/elements/1.1/"><dc:title>${title}</dc:title><dc:identifier>${identifier}</dc:identifier></oai_dc:dc>`;

/** A small record that the schema of ISO 19139 accepts. */
export const iso = (identifier: string, title: string): string => {
  const text = (value: string) => `<gco:CharacterString>${value}</gco:CharacterString>`;
  const role = '<gmd:role><gmd:CI_RoleCode codeList="urn:role" codeListValue="pointOfContact"/></gmd:role>';
  return `<gmd:MD_Metadata xmlns:gmd="http://www.isotc211.org/2005/gmd" xmlns:gco="http://www.isotc211.org/2005/gco">
  <gmd:fileIdentifier>${text(identifier)}</gmd:fileIdentifier>
  <gmd:contact><gmd:CI_ResponsibleParty><gmd:organisationName>${text('Harbour office')}</gmd:organisationName>${role}</gmd:CI_ResponsibleParty></gmd:contact>
  <gmd:dateStamp><gco:Date>2020-02-02</gco:Date></gmd:dateStamp>
  <gmd:identificationInfo><gmd:MD_DataIdentification>
    <gmd:citation><gmd:CI_Citation><gmd:title>${text(title)}</gmd:title><gmd:date><gmd:CI_Date><gmd:date><gco:Date>2019-01-01</gco:Date></gmd:date><gmd:dateType><gmd:CI_DateTypeCode codeList="urn:date" codeListValue="publication"/></gmd:dateType></gmd:CI_Date></gmd:date></gmd:CI_Citation></gmd:citation>
    <gmd:abstract>${text('Soundings of the harbour.')}</gmd:abstract>
    <gmd:language>${text('eng')}</gmd:language>
  </gmd:MD_DataIdentification></gmd:identificationInfo>
</gmd:MD_Metadata>`;
};
