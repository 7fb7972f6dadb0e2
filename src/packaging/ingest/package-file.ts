/** A file that came in a package made by others, on its way into the archive. */
import type { Instant, RecordProblem } from '../../core/model.ts';
import type { HttpHeader } from '../../formats/http-header.ts';

export interface PackageFile {
  /** Where it was, or a name that is one all over the world. */
  readonly url: string;
  readonly at: Instant;
  /** As the package says; absent: by its bytes. */
  readonly mediaType?: string;
  /** Of the answer that it came with; absent: nothing is known of one. */
  readonly headers?: readonly HttpHeader[];
  readonly path: string;
}

/** What a package holds. */
export interface UnpackedPackage {
  readonly title?: string;
  /** Paths of web archives that are in it: they are taken in as they are. */
  readonly archives: readonly string[];
  readonly files: readonly PackageFile[];
  /** Files that are missing, broken, refused or only referred to. */
  readonly problems: readonly RecordProblem[];
}

/** For what has no address of its own: the package and the place in it. */
export const packageUrn = (name: string, path: string): string =>
  `urn:garner:package:${encodeURIComponent(name)}/${path.split('/').map(encodeURIComponent).join('/')}`;

/** What captures can be of. */
export const isCaptureUrl = (text: string): boolean =>
  /^(?:https?|ftp):\/\/[^\s]+$/i.test(text) && URL.canParse(text);
