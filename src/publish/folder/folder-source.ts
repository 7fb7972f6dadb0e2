/** A folder that is published as a web site's repository: what the configuration says of it. */
import type { AccessRule } from '../../core/access.ts';

export interface PathRule {
  /** A glob on the path below the base URL, decoded: `private/**`. */
  readonly match: string;
  readonly access: AccessRule;
}

/** How a DIDL carries a file. */
export type Delivery = 'value' | 'reference' | 'both';

export interface FolderSource {
  readonly name: string;
  readonly folder: string;
  /** The address of the folder on the web, with a slash at the end. */
  readonly baseUrl: string;
  /** The source's own rule: no file is more open than that. */
  readonly access: AccessRule;
  readonly rules: readonly PathRule[];
  /** The web server's configuration. */
  readonly httpdConf?: string;
  /** Whether .htaccess files count; with `httpdConf` its AllowOverride decides as well. */
  readonly htaccess: boolean;
  /** Index files when the web server's configuration names none, best first. */
  readonly indexNames: readonly string[];
  /** Sitemaps (or sitemap indexes), and files with one address per line. */
  readonly sitemaps: readonly string[];
  readonly urlLists: readonly string[];
  readonly delivery: Delivery;
  /** Larger files are given by reference only. */
  readonly maxValueBytes: number;
  /** After this time a file is digested again even if its size and time are as before. */
  readonly redigestMs: number;
  readonly maxDeleteShare: number;
}
