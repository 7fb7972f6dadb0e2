/** The files of published folders themselves, for whoever takes them from here and not from the live site. */
import type { WebFile } from '../../formats/web-file.ts';
import { type FileParts, givenByValue } from './forms.ts';

export interface FileContents {
  /** Whether files of the source are given at all; a page that is too large is not kept here. */
  gives(source: string, file?: WebFile): boolean;
  /** Undefined when the bytes are not given, or no longer those that were described. */
  open(source: string, file: WebFile): Promise<AsyncIterable<Uint8Array> | undefined>;
  /** Whole, as packages carry it: larger ones are undefined, too. */
  read(source: string, file: WebFile): Promise<Uint8Array | undefined>;
}

export function createFileContents(partsOf: (source: string) => FileParts | undefined): FileContents {
  const gives: FileContents['gives'] = (source, file) => {
    const parts = partsOf(source);
    if (!parts || parts.delivery === 'reference') return false;
    return file === undefined || file.path !== undefined || file.size <= parts.maxValueBytes;
  };
  return {
    gives,
    open: async (source, file) => (gives(source, file) ? partsOf(source)?.bytesOf(file) : undefined),
    read: async (source, file) => {
      const parts = partsOf(source);
      const bytes = parts && (await givenByValue(parts, file));
      if (!bytes) return undefined;
      const pieces: Uint8Array[] = [];
      for await (const piece of bytes) pieces.push(piece);
      return Buffer.concat(pieces);
    },
  };
}
