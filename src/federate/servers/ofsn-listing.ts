/** Lists of files and folders, as the product servers of old gave them. */
import { rawXml, xml } from '../../xml/write.ts';

export interface ListedFile {
  /** From the folder of products, with a slash before. */
  readonly ofsn: string;
  /** Of files. */
  readonly size?: number;
}

const NAMESPACE = 'http://oodt.jpl.nasa.gov/xml/namespaces/dirlist/1.0';

export function writeListing(files: readonly ListedFile[], { sizesOnly = false } = {}): string {
  const entries = files.map(
    ({ ofsn, size }) =>
      xml`<dirEntry>${rawXml(sizesOnly ? '' : xml`<OFSN>${ofsn}</OFSN>`)}${rawXml(size === undefined ? '' : xml`<fileSize>${size}</fileSize>`)}</dirEntry>`,
  );
  return `<?xml version="1.0" encoding="UTF-8"?>\n${xml`<dirResult xmlns="${NAMESPACE}">${rawXml(entries)}</dirResult>`}\n`;
}
