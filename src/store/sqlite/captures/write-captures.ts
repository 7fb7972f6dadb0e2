/** Taking captures into the index, and out of it. */
import { GarnerError } from '../../../core/errors.ts';
import type { AddedCaptures, CaptureEntry } from '../../captures.ts';
import type { StoreWriter } from '../writer.ts';
import { captureValues, VALUE_COLUMNS } from './capture-row.ts';

export function createCaptureWriter(writer: StoreWriter) {
  const { db } = writer;
  const sourceId = db.prepare('SELECT id FROM source WHERE name = ?');
  const addFile = db.prepare(
    'INSERT INTO capture_file (source_id, name) VALUES (?, ?) ON CONFLICT DO NOTHING',
  );
  const fileId = db.prepare('SELECT id FROM capture_file WHERE source_id = ? AND name = ?');
  const columns = VALUE_COLUMNS.split(',').length;
  const insert = db.prepare(
    `INSERT INTO capture (source_id, file_id, ${VALUE_COLUMNS}) VALUES (${Array(columns + 2)
      .fill('?')
      .join(', ')}) ON CONFLICT DO NOTHING`,
  );
  const findWithoutPlace = db.prepare(
    `SELECT 1 FROM capture WHERE url_key = ? AND at = ? AND source_id = ? AND url = ? AND digest IS ? AND type = ? LIMIT 1`,
  );
  const removeOfFile = db.prepare(
    'DELETE FROM capture WHERE file_id = (SELECT id FROM capture_file WHERE source_id = ? AND name = ?)',
  );
  const removeFileRow = db.prepare('DELETE FROM capture_file WHERE source_id = ? AND name = ?');
  const removeOfSource = db.prepare('DELETE FROM capture WHERE source_id = ?');
  const removeFileRows = db.prepare('DELETE FROM capture_file WHERE source_id = ?');

  const getSource = (name: string): number => {
    const id = sourceId.get(name)?.id;
    if (id === undefined) throw new GarnerError('source.unknown', `there is no source ${name}`);
    return Number(id);
  };

  return {
    add: (sourceName: string, captures: readonly CaptureEntry[]): AddedCaptures =>
      writer.transact(() => {
        const source = getSource(sourceName);
        const files = new Map<string, number>();
        const fileOf = (name: string): number => {
          let id = files.get(name);
          if (id === undefined) {
            addFile.run(source, name);
            id = Number(fileId.get(source, name)?.id);
            files.set(name, id);
          }
          return id;
        };
        let added = 0;
        for (const capture of captures) {
          const { file, offset, urlKey, at, url, digest, type } = capture;
          const hasPlace = file !== undefined && offset !== undefined;
          if (!hasPlace && findWithoutPlace.get(urlKey, at, source, url, digest ?? null, type)) continue;
          const { changes } = insert.run(
            source,
            file === undefined ? null : fileOf(file),
            ...captureValues(capture),
          );
          added += Number(changes);
        }
        return { added, known: captures.length - added };
      }),

    removeFile: (sourceName: string, file: string): number =>
      writer.transact(() => {
        const source = getSource(sourceName);
        const { changes } = removeOfFile.run(source, file);
        removeFileRow.run(source, file);
        return Number(changes);
      }),

    removeSource: (sourceName: string): number =>
      writer.transact(() => {
        const source = getSource(sourceName);
        const { changes } = removeOfSource.run(source);
        removeFileRows.run(source);
        return Number(changes);
      }),
  };
}
