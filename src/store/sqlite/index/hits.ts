/** What a search answer shows of a document. */
import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { GarnerError } from '../../../core/errors.ts';
import type { Fields } from '../../../core/model.ts';
import type { Hit } from '../../search.ts';
import { BlockReader } from '../blocks.ts';
import { documentPlace, readStoredFields } from '../stored-document.ts';
import { firstNumber } from './column-scan.ts';
import { type Columns, SCHEMA_COLUMN, UPDATED_COLUMN } from './columns.ts';

export interface HitWishes {
  readonly fields?: readonly string[] | undefined;
  readonly raw?: boolean | undefined;
  readonly score?: number | undefined;
}

export class HitReader {
  readonly #columns: Columns;
  readonly #blocks: BlockReader;
  readonly #item: StatementSync;
  readonly #record: StatementSync;

  constructor(db: DatabaseSync, columns: Columns) {
    this.#columns = columns;
    this.#blocks = new BlockReader(db);
    this.#item = db.prepare(
      `SELECT item.identifier, item.oai_identifier, item.title, source.name AS source, format.name AS schema
       FROM item JOIN source ON source.id = item.source_id JOIN format ON format.id = ?
       WHERE item.key = ?`,
    );
    this.#record = db.prepare(
      `SELECT raw_block, raw_start, size, doc_block, doc_start, doc_size, rest_size
       FROM record WHERE item_key = ? AND format_id = ?`,
    );
  }

  /** Block ids are given again after a rollback; a reader outside of transactions never needs it. */
  reset(): void {
    this.#blocks.reset();
  }

  storedFields(key: number): Fields {
    return readStoredFields(this.#blocks, documentPlace(this.#getRecord(key)));
  }

  /** The hit, and all of its stored fields, of which it may show only some. */
  read(key: number, { fields, raw, score }: HitWishes): { readonly hit: Hit; readonly stored: Fields } {
    const row = this.#item.get(firstNumber(this.#columns.get(SCHEMA_COLUMN), key), key);
    if (!row) throw missing(key);
    const stored = this.storedFields(key);
    const hit = {
      key,
      source: String(row.source),
      identifier: String(row.identifier),
      oaiIdentifier: String(row.oai_identifier),
      schema: String(row.schema),
      updatedAt: firstNumber(this.#columns.get(UPDATED_COLUMN), key),
      fields: fields ? chooseFields(stored, fields) : stored,
      ...(row.title === null ? {} : { title: String(row.title) }),
      ...(score === undefined ? {} : { score }),
      ...(raw ? { raw: this.#raw(key) } : {}),
    };
    return { hit, stored };
  }

  #raw(key: number): Uint8Array {
    const { raw_block, raw_start, size } = this.#getRecord(key);
    if (typeof raw_block !== 'number') throw missing(key);
    return this.#blocks.read(raw_block, Number(raw_start), Number(size)).slice();
  }

  #getRecord(key: number): Record<string, unknown> {
    const row = this.#record.get(key, firstNumber(this.#columns.get(SCHEMA_COLUMN), key));
    if (!row) throw missing(key);
    return row;
  }
}

function chooseFields(fields: Fields, names: readonly string[]): Fields {
  const chosen: Record<string, Fields[string]> = {};
  for (const name of names) {
    const values = Object.hasOwn(fields, name) ? fields[name] : undefined;
    if (values) chosen[name] = values;
  }
  return chosen;
}

function missing(key: number): GarnerError {
  return new GarnerError('store.corrupt', `the index names document ${key}, which the store does not have`, {
    details: { key },
  });
}
