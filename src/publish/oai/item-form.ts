/**
 * Formats that are made when they are asked for, beside the records that are stored. A part that adds one
 * implements this interface and puts it into the list that the composition root hands to the provider.
 */
import type { Viewer } from '../../core/access.ts';
import type { HarvestRecord } from '../../store/index.ts';
import type { OaiMetadata, OaiMetadataFormat } from './backend.ts';

/** A live record with the content that the form asked for. */
export interface FormRecord extends HarvestRecord {
  /** Stored fields as JSON, or the record's bytes, as `content` of the form says. */
  readonly bytes: Uint8Array;
}

export interface ItemForm extends OaiMetadataFormat {
  /**
   * The stored format that it is made of: who has no such record has not this form. Absent: any item has it.
   * Several forms may share a prefix, each made of another format.
   */
  readonly madeOf?: string;
  /** What `render` needs. */
  readonly content: 'fields' | 'raw' | 'transformed';
  /** Says of single live records that they have not this form after all; lists then leave them out. */
  readonly fits?: (record: FormRecord) => boolean;
  /** One XML element with its own namespaces; a large one may come in pieces. */
  render(record: FormRecord, viewer: Viewer): OaiMetadata | Promise<OaiMetadata>;
}
