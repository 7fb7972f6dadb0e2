/**
 * Formats that are made when they are asked for, beside the records that are stored. A part that adds one
 * implements this interface and puts it into the list that `app.ts` hands to the provider.
 */
import type { FormatRegistry } from '../../formats/registry.ts';
import type { HarvestRecord } from '../../store/index.ts';
import type { OaiMetadata, OaiMetadataFormat } from './backend.ts';

/** A listed record with the content that the form asked for. */
export interface FormRecord extends HarvestRecord {
  /** Stored fields as JSON, or the record's bytes, as `content` of the form says. */
  readonly bytes: Uint8Array;
  readonly formats: FormatRegistry;
}

export interface ItemForm extends OaiMetadataFormat {
  /** The stored format that it is made of; absent: it is made of any item's fields. */
  readonly madeOf?: string;
  /** What `render` needs. */
  readonly content: 'fields' | 'raw' | 'transformed';
  /** By the header alone. Only asked of live records; where it may say no, lists are filtered and uncounted. */
  readonly appliesTo?: (record: HarvestRecord) => boolean;
  /** One XML element with its own namespaces; a large one may come in pieces. */
  render(record: FormRecord): OaiMetadata | Promise<OaiMetadata>;
}
