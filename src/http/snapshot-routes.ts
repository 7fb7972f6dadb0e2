/** /snapshots: the whole of a snapshot as one file. It is put together on the disk, then sent, then removed. */
import { createReadStream } from 'node:fs';
import { rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import type { Hono } from 'hono';
import type { Viewer } from '../core/access.ts';
import { GarnerError } from '../core/errors.ts';
import { webSnapshot } from '../formats/web-snapshot.ts';
import {
  type ChosenPage,
  type ExportDeps,
  exportTar,
  exportWacz,
  exportWarc,
  openScratch,
  selectSnapshot,
} from '../publish/captures/index.ts';
import type { HttpEnv } from './context.ts';
import type { HttpDeps } from './deps.ts';

export const SNAPSHOT_PATH = '/snapshots';
/** Each writes as much as the snapshot has. */
const AT_ONCE = 2;

interface Kind {
  readonly ending: string;
  readonly type: string;
  write(
    deps: ExportDeps,
    pages: AsyncIterable<ChosenPage>,
    target: string,
    viewer: Viewer,
    title: string,
  ): Promise<unknown>;
}

const KINDS: Readonly<Record<string, Kind>> = {
  wacz: { ending: '.wacz', type: 'application/wacz', write: exportWacz },
  warc: { ending: '.warc.gz', type: 'application/warc', write: exportWarc },
  tar: { ending: '.tar.gz', type: 'application/gzip', write: exportTar },
};

export function addSnapshotRoutes(app: Hono<HttpEnv>, deps: HttpDeps): void {
  const { store, dataFolder, clock, version } = deps;
  if (dataFolder === undefined) return;
  let underWay = 0;
  app.get(SNAPSHOT_PATH, async (c) => {
    const { source = '', identifier = '', as = 'wacz' } = c.req.query();
    const kind = Object.hasOwn(KINDS, as) ? KINDS[as] : undefined;
    if (!kind) throw new GarnerError('request.invalid', `as: ${Object.keys(KINDS).join(', ')}`);
    const viewer = c.get('viewer');
    const item = await store.items.findItem({ source, identifier }, viewer);
    if (item?.status !== 'live' || item.schema !== webSnapshot.name)
      throw new GarnerError('item.unknown', 'there is no such snapshot');
    if (underWay >= AT_ONCE)
      throw new GarnerError('server.busy', 'other snapshots are being put together; try again in a while');
    const name = `${identifier.replace(/[^\w.-]+/g, '_').slice(0, 100)}${kind.ending}`;
    underWay++;
    try {
      const folder = await openScratch(dataFolder, clock());
      try {
        const target = join(folder, name);
        const exporting = { store, dataFolder, clock, software: `Garner/${version}` };
        const pages = whileWanted(selectSnapshot(store, item, viewer), c.req.raw.signal);
        await kind.write(exporting, pages, target, viewer, item.title ?? identifier);
        const { size } = await stat(target);
        const bytes = createReadStream(target).once(
          'close',
          () => void rm(folder, { recursive: true, force: true }),
        );
        return c.body(Readable.toWeb(bytes) as ReadableStream<Uint8Array>, 200, {
          'content-type': kind.type,
          'content-length': String(size),
          'content-disposition': `attachment; filename="${name}"`,
        });
      } catch (error) {
        await rm(folder, { recursive: true, force: true });
        throw error;
      }
    } finally {
      underWay--;
    }
  });
}

/** Nobody waits any more: what is put together is for nobody. */
async function* whileWanted(
  pages: AsyncIterable<ChosenPage>,
  signal: AbortSignal,
): AsyncGenerator<ChosenPage> {
  for await (const page of pages) {
    if (signal.aborted) throw new GarnerError('request.invalid', 'the reader has gone');
    yield page;
  }
}
