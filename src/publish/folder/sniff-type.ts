/** The media type of a file: what a server would say by its name, unless the first bytes know better. */
import {
  isTextualType,
  SNIFF_BYTES,
  sniffType as sniffContent,
  typeByExtension,
} from '../../archive/content/index.ts';

export interface SniffedType {
  readonly mediaType: string;
  /** `utf-8` when the bytes are text in it; undefined for anything else. */
  readonly charset?: string;
}

export function sniffType(head: Uint8Array, fileName: string): SniffedType {
  const { type } = sniffContent(head, typeByExtension(fileName), fileName);
  const mediaType = type === 'application/x-ole-storage' ? 'application/octet-stream' : type;
  return isTextualType(mediaType) && isUtf8(head) ? { mediaType, charset: 'utf-8' } : { mediaType };
}

function isUtf8(head: Uint8Array): boolean {
  try {
    // A character that the cut went through is no mistake: streaming decoders wait for the rest.
    new TextDecoder('utf-8', { fatal: true }).decode(head.subarray(0, SNIFF_BYTES), {
      stream: head.length >= SNIFF_BYTES,
    });
    return true;
  } catch {
    // Not UTF-8.
    return false;
  }
}
