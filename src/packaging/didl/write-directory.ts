/** What lies in a directory that is packed, file by file: from where and when each came, with its fixity. */
import { identifierOf } from '../../archive/items/index.ts';
import type { PackedFile } from './pack-directory.ts';
import { PackageXml } from './package-xml.ts';

/** One element; the file of the URL itself is the first. */
export function writeDirectory(files: readonly PackedFile[]): string {
  const xml = new PackageXml();
  const listed = files.map(({ name, size, sha256, capture }) =>
    xml.text('file', name, {
      url: identifierOf(capture.url),
      capturedAt: new Date(capture.at).toISOString(),
      size,
      sha256,
    }),
  );
  return xml.root('directory', listed.join(''));
}
