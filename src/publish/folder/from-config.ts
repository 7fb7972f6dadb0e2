/** What the configuration says of a source of kind `folder`, as the publisher wants it. */
import type { AccessRule } from '../../core/access.ts';
import type { SourceConfig } from '../../core/config.ts';
import type { FolderSource } from './folder-source.ts';
import type { PublishOptions } from './published-folder.ts';
import { normaliseBase } from './url-path.ts';

export type FolderConfig = Extract<SourceConfig, { kind: 'folder' }>;

const SECOND_MS = 1000;
const DAY_MS = 86_400 * SECOND_MS;

/** `access`: the rule of the source, defaults applied. */
export function readFolderSource(name: string, config: FolderConfig, access: AccessRule): FolderSource {
  return {
    name,
    folder: config.path[0] ?? '.',
    baseUrl: normaliseBase(config.url),
    access,
    rules: config.rules,
    ...(config.httpdConf !== undefined && { httpdConf: config.httpdConf }),
    htaccess: config.htaccess,
    indexNames: config.index,
    sitemaps: config.sitemaps,
    urlLists: config.urlLists,
    delivery: config.delivery,
    maxValueBytes: config.maxValueBytes,
    redigestMs: config.redigestDays * DAY_MS,
    maxDeleteShare: config.maxDeleteShare,
  };
}

export const readPublishOptions = (config: FolderConfig): PublishOptions => ({
  rescanMs: config.rescanSeconds * SECOND_MS,
  liveHeaders: config.liveHeaders,
});
