/**
 * The models of an installation: one file each below the data folder, made when it is first asked for and
 * again when what it was made of has changed. They hold nothing that the captures do not. Whoever may not see
 * every capture of the source gets a model of those that he may see, made for him and not kept.
 */
import { hash } from 'node:crypto';
import { rmSync } from 'node:fs';
import { mkdir, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { OPERATOR, type Viewer } from '../../core/access.ts';
import { GarnerError } from '../../core/errors.ts';
import type { ItemRef } from '../../core/model.ts';
import type { WebSnapshot } from '../../formats/web-snapshot.ts';
import type { GarnerStore, StoredCapture } from '../../store/index.ts';
import { makeScratch } from '../scratch.ts';
import { buildModel } from './build-model.ts';
import { listSnapshotCaptures, listSourceCaptures } from './list-captures.ts';
import type { SiteNames } from './model-facts.ts';
import { MODEL_LAYOUT } from './model-schema.ts';
import { SiteModel } from './site-model.ts';

export interface SiteModelDeps {
  readonly store: Pick<GarnerStore, 'captures' | 'blobs'>;
  readonly dataFolder: string;
}

export interface SiteModels {
  /** Whoever opens a model closes it. */
  openSnapshot(snapshot: SnapshotNames, viewer: Viewer): Promise<SiteModel>;
  /** Of all captures of a source. `source.unknown` when there are none for the viewer. */
  openSource(source: string, viewer: Viewer): Promise<SiteModel>;
}

/** A snapshot in one of its versions; who asks may see it. */
interface SnapshotNames {
  readonly item: Pick<ItemRef, 'source'>;
  readonly record: Pick<WebSnapshot, 'identifier' | 'title' | 'manifest'>;
}

interface Wanted {
  readonly names: SiteNames;
  /** Models of one name take each other's place. */
  readonly name: string;
  /** A model of another state is made anew; so is that of a source that has lost captures. */
  readonly state: string;
  readonly count: number;
  readonly captures: (viewer: Viewer) => AsyncIterable<StoredCapture>;
}

const modelFolder = (dataFolder: string, source: string): string =>
  join(dataFolder, 'packages', 'site-models', source);

/** When the source is dropped: what nothing leads to any more must not be told by its models. */
export async function forgetModels(dataFolder: string, source: string): Promise<void> {
  await rm(modelFolder(dataFolder, source), { recursive: true, force: true });
}

export function createSiteModels({ store, dataFolder }: SiteModelDeps): SiteModels {
  const access = { captures: store.captures, dataFolder };
  const building = new Map<string, Promise<void>>();
  /** One after another: each takes a processor and some memory. */
  let last: Promise<unknown> = Promise.resolve();

  async function build(path: string, { names, state, count, captures }: Wanted): Promise<void> {
    await mkdir(dirname(path), { recursive: true });
    const draft = `${path}.${process.pid}.new`;
    await rm(draft, { force: true });
    try {
      const db = await buildModel(access, names, captures(OPERATOR), draft, OPERATOR);
      const note = db.prepare('INSERT INTO fact(name, value) VALUES (?, ?)');
      note.run('state', state);
      note.run('captures', String(count));
      db.close();
      await rename(draft, path);
    } finally {
      await rm(draft, { force: true });
    }
  }

  async function open(wanted: Wanted): Promise<SiteModel> {
    const name = hash('sha256', wanted.name, 'hex').slice(0, 32);
    const path = join(modelFolder(dataFolder, wanted.names.source), `${name}.sqlite`);
    const known = openKnown(path, wanted);
    if (known) return known;
    const key = `${path} ${wanted.state}`;
    let running = building.get(key);
    if (!running) {
      running = last.then(() => build(path, wanted)).finally(() => building.delete(key));
      last = running.catch(() => undefined);
      building.set(key, running);
    }
    await running;
    const made = openKnown(path, wanted);
    if (!made) throw new GarnerError('store.busy', 'the site model was changed while it was made; try again');
    return made;
  }

  /** In its turn, as the others: nobody gets more of the processor by being refused something. */
  function makeFor(viewer: Viewer, { names, captures }: Wanted): Promise<SiteModel> {
    const made = last.then(async () => {
      const folder = await makeScratch(dataFolder);
      const forget = (): void => rmSync(folder, { recursive: true, force: true });
      try {
        const db = await buildModel(access, names, captures(viewer), join(folder, 'model.sqlite'), viewer);
        return new SiteModel(db, names.title, forget);
      } catch (error) {
        forget();
        throw error;
      }
    });
    last = made.catch(() => undefined);
    return made;
  }

  return {
    async openSnapshot({ item: { source }, record }, viewer) {
      const { identifier, title, manifest } = record;
      const [{ count }, own] = await Promise.all([stateOf(store, source), stateOf(store, source, viewer)]);
      const wanted: Wanted = {
        names: { source, snapshot: identifier, title },
        name: `${source}\n${identifier}\n${manifest.digest}`,
        state: manifest.digest,
        count,
        captures: (reader) => listSnapshotCaptures(store, source, record, reader),
      };
      return own.count < count ? makeFor(viewer, wanted) : open(wanted);
    },
    async openSource(source, viewer) {
      const [{ count, lastAt }, own] = await Promise.all([
        stateOf(store, source),
        stateOf(store, source, viewer),
      ]);
      if (own.count === 0)
        throw new GarnerError('source.unknown', `there are no captures in a source "${source}"`);
      const wanted: Wanted = {
        names: { source, title: source },
        name: source,
        state: `${count} ${lastAt}`,
        count,
        captures: (reader) => listSourceCaptures(store, source, reader),
      };
      return own.count < count ? makeFor(viewer, wanted) : open(wanted);
    },
  };
}

async function stateOf(
  { captures }: Pick<GarnerStore, 'captures'>,
  source: string,
  viewer = OPERATOR,
): Promise<{ count: number; lastAt: number }> {
  const totals = await captures.count({ urlKey: '', match: 'prefix', sources: [source] }, viewer);
  return { count: totals.captures, lastAt: totals.lastAt ?? 0 };
}

function openKnown(path: string, { names, state, count }: Wanted): SiteModel | undefined {
  let db: DatabaseSync;
  try {
    db = new DatabaseSync(path, { readOnly: true });
  } catch {
    // There is none yet; what else is wrong with the place shows when one is made.
    return undefined;
  }
  try {
    const noted = (name: string) => db.prepare('SELECT value FROM fact WHERE name = ?').get(name)?.value;
    if (
      db.prepare('PRAGMA user_version').get()?.user_version === MODEL_LAYOUT &&
      noted('state') === state &&
      Number(noted('captures')) <= count
    )
      return new SiteModel(db, names.title);
  } catch (error) {
    db.close();
    // No database of ours: it is made anew.
    if (error instanceof Error && 'errcode' in error) return undefined;
    throw error;
  }
  db.close();
  return undefined;
}
