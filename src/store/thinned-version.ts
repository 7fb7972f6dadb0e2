/** What is told of a version whose content is gone: when it went, and which can be had instead. */
import { GarnerError } from '../core/errors.ts';
import type { Instant, ItemRef } from '../core/model.ts';
import type { VersionInfo } from './items.ts';

/** `history`: of one format. Undefined when the choice leads to a version that is kept, or to none. */
export function thinnedVersion(
  { source, identifier }: ItemRef,
  history: readonly VersionInfo[],
  { version, at }: { readonly version?: number | undefined; readonly at?: Instant | undefined },
): GarnerError | undefined {
  const oldestFirst = history.toSorted((a, b) => a.version - b.version);
  const chosen =
    version === undefined
      ? oldestFirst.findLast((one) => at !== undefined && one.at <= at)
      : oldestFirst.find((one) => one.version === version);
  if (chosen?.thinned !== true) return undefined;
  const since = chosen.thinnedAt === undefined ? '' : ` on ${timeText(chosen.thinnedAt)}`;
  const kept = oldestFirst.filter((one) => one.thinned !== true && one.digest !== undefined);
  return new GarnerError(
    'version.thinned',
    `version ${chosen.version} of "${identifier}", of ${timeText(chosen.at)}, was thinned out${since}; kept are ${kept.map((one) => `${one.version} (${timeText(one.at)})`).join(', ')}`,
    { details: { kept: kept.map((one) => one.version), item: { source, identifier } } },
  );
}

const timeText = (at: Instant): string => new Date(at).toISOString().replace(/\.\d+Z$/, 'Z');
