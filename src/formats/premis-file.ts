/** PREMIS 3 on one file that stands alone: who it is, how long, and the digest by which damage is noticed. */
import { PREMIS_BINDINGS, writePremisObject } from './premis-write.ts';

export interface PremisFile {
  /** The address of the file. */
  readonly url: string;
  readonly size: number;
  readonly mediaType: string;
  /** Hex. */
  readonly sha256: string;
}

/** One element without an XML declaration. */
export function writePremisFile({ url, size, mediaType, sha256 }: PremisFile): string {
  const object = {
    identifier: { type: 'URL', value: url },
    fixities: [{ algorithm: 'SHA-256', digest: sha256 }],
    size,
    format: mediaType,
    events: [],
  };
  return writePremisObject(object, PREMIS_BINDINGS);
}
