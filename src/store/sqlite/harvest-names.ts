/** Names in the requests of harvesters, as the ids that the tables have; and back. */
import type { DatabaseSync } from 'node:sqlite';
import type { Viewer } from '../../core/access.ts';
import { GarnerError } from '../../core/errors.ts';
import type { HarvestScope } from '../harvest.ts';
import { type AccessFilter, mayRead } from './access-filter.ts';

/** An id that no row has. */
const NONE = -1;

export interface ScopeIds {
  readonly source: number | null;
  readonly view: number | null;
  readonly set: number | null;
}

export function createHarvestNames(db: DatabaseSync, access: AccessFilter) {
  const findSource = db.prepare('SELECT id FROM source WHERE name = ?');
  const findView = db.prepare('SELECT id, access_id FROM view WHERE name = ? AND dropped_at IS NULL');
  const findSet = db.prepare('SELECT id FROM oai_set WHERE spec = ?');
  const findFormat = db.prepare('SELECT id FROM format WHERE name = ?');
  const formatName = db.prepare('SELECT name FROM format WHERE id = ?');
  const allFormats = db.prepare('SELECT id FROM format ORDER BY id');
  const formatNames = new Map<number, string>();

  function getSource(name: string): number {
    const row = findSource.get(name);
    if (!row)
      throw new GarnerError('source.unknown', `no source is named ${name}`, { details: { source: name } });
    return Number(row.id);
  }

  /** A view that the viewer may not read is as unknown to him as one that is not there. */
  function getView(name: string, viewer: Viewer): number {
    const row = findView.get(name);
    if (!row || !mayRead(access.allowed(viewer), Number(row.access_id)))
      throw new GarnerError('view.unknown', `no view is named ${name}`, { details: { view: name } });
    return Number(row.id);
  }

  return {
    scope: ({ source, view, set }: HarvestScope, viewer: Viewer): ScopeIds => ({
      source: source === undefined ? null : getSource(source),
      view: view === undefined ? null : getView(view, viewer),
      set: set === undefined ? null : Number(findSet.get(set)?.id ?? NONE),
    }),
    format: (name: string | undefined): number =>
      name === undefined ? NONE : Number(findFormat.get(name)?.id ?? NONE),
    formats: (): number[] => allFormats.all().map(({ id }) => Number(id)),
    formatName: (id: number): string => {
      let name = formatNames.get(id);
      if (name === undefined) {
        name = String(formatName.get(id)?.name);
        formatNames.set(id, name);
      }
      return name;
    },
  };
}

export type HarvestNames = ReturnType<typeof createHarvestNames>;
