/** The history of an item as PREMIS events: one for each version, with who drove it. */
import { eventOf } from '../../core/version-event.ts';
import { writePremisEvent } from '../../formats/premis-event.ts';
import type { VersionInfo } from '../../store/index.ts';

export function premisHistory(object: string, history: readonly VersionInfo[]): string[] {
  return history.map((version) => {
    const { type, driver, agent, reason } = eventOf(version);
    return writePremisEvent({
      identifier: `${object}#${version.version}`,
      type,
      at: new Date(version.at).toISOString(),
      detail: [
        `${driver}-driven`,
        `version ${version.version}`,
        ...(reason === undefined ? [] : [reason]),
      ].join('; '),
      agent,
      object,
    });
  });
}
