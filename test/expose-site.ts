/** For tests: a folder that is published over real HTTP, with the real store. */
import assert from 'node:assert/strict';
import { mkdir, mkdtemp, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { type Garner, openFolders, openGarner } from '../src/app.ts';
import { defaultConfig } from '../src/core/config.ts';
import type { ConfigInput } from '../src/core/config-schema.ts';
import { silentLog } from '../src/core/log.ts';
import { serveGarner } from '../src/http/index.ts';
import type { PublishedFolders } from '../src/publish/folder/index.ts';

type SourceInput = NonNullable<ConfigInput['sources']>[string];
type FolderInput = Partial<Extract<SourceInput, { kind: 'folder' }>>;

export interface Header {
  readonly identifier: string;
  readonly datestamp: string;
  readonly deleted: boolean;
  readonly sets: readonly string[];
}

export interface ExposedSite extends AsyncDisposable {
  readonly folder: string;
  readonly top: string;
  readonly url: string;
  readonly garner: Garner;
  readonly site: PublishedFolders['list'][number];
  /** A harvester's question has reached the folder, and is about to be answered. */
  readonly firstHarvester: Promise<void>;
  /** With the time of last modification, in seconds since 1970. */
  write(name: string, text: string | Uint8Array, modified?: number): Promise<void>;
  get(
    path: string,
    headers?: Record<string, string>,
  ): Promise<{ status: number; text: string; headers: Headers }>;
  headers(more?: string, headers?: Record<string, string>): Promise<Header[]>;
  /** Asks until it is so: lists show only seconds that are over. */
  until(what: string, isSo: (headers: readonly Header[]) => boolean): Promise<readonly Header[]>;
}

/** Only what never happens takes so long. */
export const PATIENCE_MS = 180_000;

export async function exposeSite(
  files: Readonly<Record<string, string>> = {},
  more: FolderInput = {},
  config: ConfigInput = {},
): Promise<ExposedSite> {
  const top = await mkdtemp(join(tmpdir(), 'garner-expose-'));
  const folder = join(top, 'www');
  await mkdir(folder);
  const write = async (name: string, text: string | Uint8Array, modified?: number) => {
    const path = join(folder, name);
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, text);
    if (modified !== undefined) await utimes(path, modified, modified);
  };
  for (const [name, text] of Object.entries(files)) await write(name, text);
  const garner = await openGarner(
    defaultConfig(top, {
      ...config,
      data: join(top, 'data'),
      sources: {
        site: { kind: 'folder', path: folder, url: 'https://www.foo.edu/', liveHeaders: false, ...more },
      },
    }),
  );
  const opened = openFolders(garner, silentLog);
  const harvester = Promise.withResolvers<void>();
  const folders: PublishedFolders = {
    ...opened,
    onHarvest: () => {
      const visited = opened.onHarvest();
      harvester.resolve();
      return visited;
    },
  };
  const server = await serveGarner(garner, { host: '127.0.0.1', port: 0, log: silentLog, folders });
  const [site] = folders.list;
  assert.ok(site);
  const get = async (path: string, headers: Record<string, string> = {}) => {
    const response = await fetch(new URL(path, server.url), { headers, redirect: 'manual' });
    return { status: response.status, text: await response.text(), headers: response.headers };
  };
  const headers = async (argument = '', given: Record<string, string> = {}) => {
    const { text } = await get(`/oai?verb=ListIdentifiers&metadataPrefix=oai_dc${argument}`, given);
    return [...text.matchAll(/<header( status="deleted")?>(.*?)<\/header>/gs)].map(
      ([, deleted, inner = '']): Header => ({
        identifier: /<identifier>(.*?)</.exec(inner)?.[1] ?? '',
        datestamp: /<datestamp>(.*?)</.exec(inner)?.[1] ?? '',
        deleted: deleted !== undefined,
        sets: [...inner.matchAll(/<setSpec>(.*?)</g)].map(([, spec = '']) => spec),
      }),
    );
  };
  return {
    folder,
    top,
    url: server.url,
    garner,
    site,
    firstHarvester: harvester.promise,
    write,
    get,
    headers,
    until: async (what, isSo) => {
      const giveUpAt = Date.now() + PATIENCE_MS;
      for (;;) {
        const found = await headers();
        if (isSo(found)) return found;
        assert.ok(Date.now() < giveUpAt, `${what} did not happen; there is ${JSON.stringify(found)}`);
        await new Promise((resolve) => setTimeout(resolve, 100));
      }
    },
    [Symbol.asyncDispose]: async () => {
      await folders.stop();
      await server.close();
      await garner[Symbol.asyncDispose]();
      await rm(top, { recursive: true, force: true });
    },
  };
}

export const live = (headers: readonly Header[]): string[] =>
  headers
    .filter(({ deleted }) => !deleted)
    .map(({ identifier }) => identifier.replace('https://www.foo.edu/', '/'))
    .toSorted();

export const dead = (headers: readonly Header[]): string[] =>
  headers
    .filter(({ deleted }) => deleted)
    .map(({ identifier }) => identifier.replace('https://www.foo.edu/', '/'))
    .toSorted();
