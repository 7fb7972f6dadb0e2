/**
 * The models of an installation: one file each below the data folder, made when it is first asked for and
 * again when what it was made of has changed. They hold nothing that the captures do not.
 */
import { hash } from 'node:crypto';
import { mkdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { OPERATOR, type Viewer } from '../../core/access.ts';
import { GarnerError } from '../../core/errors.ts';
import type { ItemRef } from '../../core/model.ts';
import { parseJson } from '../../formats/extract-json.ts';
import { type WebSnapshot, webSnapshot } from '../../formats/web-snapshot.ts';
import type { GarnerStore, StoredItem } from '../../store/index.ts';
import { buildModel } from './build-model.ts';
import { listSnapshotCaptures, listSourceCaptures } from './list-captures.ts';
import type { SiteNames } from './model-facts.ts';
import { MODEL_LAYOUT } from './model-schema.ts';
import { SiteModel } from './site-model.ts';

export interface SiteModelDeps {
  readonly store: Pick<GarnerStore, 'items' | 'captures' | 'blobs'>;
  readonly dataFolder: string;
}

export interface SiteModels {
  /** Of a snapshot that the viewer may see; whoever opens it closes it. */
  openSnapshot(item: ItemRef, viewer: Viewer): Promise<{ model: SiteModel; snapshot: WebSnapshot }>;
  /** Of all captures of a source. */
  openSource(source: string): Promise<SiteModel>;
}

export const modelsFolder = (dataFolder: string): string => join(dataFolder, 'packages', 'site-models');

export function createSiteModels({ store, dataFolder }: SiteModelDeps): SiteModels {
  const access = { captures: store.captures, dataFolder };
  const building = new Map<string, Promise<void>>();

  /** `state`: changes when the model must be made anew; so does a source that has lost captures. */
  async function open(
    names: SiteNames,
    state: string,
    count: number,
    captures: () => ReturnType<typeof listSourceCaptures>,
  ): Promise<SiteModel> {
    const name = hash('sha256', `${names.source}\n${names.snapshot ?? ''}`, 'hex').slice(0, 32);
    const folder = modelsFolder(dataFolder);
    const path = join(folder, `${name}.sqlite`);
    const known = openKnown(path, state, count);
    if (known) return known;
    const build = async (): Promise<void> => {
      await mkdir(folder, { recursive: true });
      const draft = `${path}.${process.pid}.new`;
      await rm(draft, { force: true });
      try {
        const db = await buildModel(access, names, captures(), draft, OPERATOR);
        const note = db.prepare('INSERT INTO fact(name, value) VALUES (?, ?)');
        note.run('state', state);
        note.run('captures', String(count));
        db.close();
        await rename(draft, path);
      } finally {
        await rm(draft, { force: true });
      }
    };
    const key = `${path} ${state}`;
    const running = building.get(key) ?? build().finally(() => building.delete(key));
    building.set(key, running);
    await running;
    const made = openKnown(path, state, count);
    if (!made) throw new GarnerError('store.busy', 'the site model was changed while it was made; try again');
    return made;
  }

  return {
    async openSnapshot(item, viewer) {
      const snapshot = await readSnapshot(store, item, viewer);
      const { source } = item;
      const names = { source, snapshot: snapshot.identifier, title: snapshot.title };
      const { count } = await stateOf(store, source);
      const model = await open(names, `${snapshot.manifest.digest} ${snapshot.title}`, count, () =>
        listSnapshotCaptures(store, source, snapshot, OPERATOR),
      );
      return { model, snapshot };
    },
    async openSource(source) {
      const { count, lastAt } = await stateOf(store, source);
      if (count === 0)
        throw new GarnerError('source.unknown', `there are no captures in a source "${source}"`);
      return open({ source, title: source }, `${count} ${lastAt}`, count, () =>
        listSourceCaptures(store, source, OPERATOR),
      );
    },
  };
}

async function stateOf(
  { captures }: Pick<GarnerStore, 'captures'>,
  source: string,
): Promise<{ count: number; lastAt: number }> {
  const totals = await captures.count({ urlKey: '', match: 'prefix', sources: [source] }, OPERATOR);
  return { count: totals.captures, lastAt: totals.lastAt ?? 0 };
}

function openKnown(path: string, state: string, count: number): SiteModel | undefined {
  let db: DatabaseSync;
  try {
    db = new DatabaseSync(path, { readOnly: true });
  } catch {
    // There is none yet; what else is wrong with the place shows when one is made.
    return undefined;
  }
  try {
    const layout = db.prepare('PRAGMA user_version').get()?.user_version;
    if (layout === MODEL_LAYOUT) {
      const noted = (name: string) => db.prepare('SELECT value FROM fact WHERE name = ?').get(name)?.value;
      if (noted('state') === state && Number(noted('captures')) <= count) return new SiteModel(db);
    }
  } catch (error) {
    db.close();
    // No database: it is made anew.
    if (error instanceof Error && 'errcode' in error) return undefined;
    throw error;
  }
  db.close();
  return undefined;
}

async function readSnapshot(
  { items }: Pick<GarnerStore, 'items'>,
  item: ItemRef,
  viewer: Viewer,
): Promise<WebSnapshot> {
  const content = await items.findContent(item, { format: webSnapshot.name }, viewer);
  const value = content && parseJson(content.bytes);
  if (isSnapshot(value)) return value;
  throw new GarnerError('item.unknown', `"${item.identifier}" of ${item.source} is no snapshot`);
}

export function isSnapshot(value: unknown): value is WebSnapshot {
  return typeof value === 'object' && value !== null && 'webSnapshot' in value && 'manifest' in value;
}

export const isSnapshotItem = ({ records, status }: Pick<StoredItem, 'records' | 'status'>): boolean =>
  status === 'live' &&
  records.some(({ format, status: state }) => format === webSnapshot.name && state === 'live');
