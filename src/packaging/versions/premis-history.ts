/** The history of an item as PREMIS events: one for each version, with who drove it. */
import { eventOf } from '../../core/version-event.ts';
import { PREMIS_BINDINGS, writePremisEvent } from '../../formats/premis-write.ts';
import type { VersionInfo } from '../../store/index.ts';

export function premisHistory(object: string, history: readonly VersionInfo[]): string[] {
  return history.map((version) => {
    const { type, agent, detail } = toldEvent(version);
    const event = {
      identifier: `${object}#${version.version}`,
      type,
      at: version.at,
      details: [detail],
      agents: agent === undefined ? [] : [{ name: agent }],
      objects: [{ type: 'URI', value: object }],
    };
    return writePremisEvent(event, PREMIS_BINDINGS);
  });
}

/** A version in the words of events: what happened, by whom, and who drove it. */
export function toldEvent(version: VersionInfo): {
  readonly type: string;
  readonly agent?: string;
  readonly detail: string;
} {
  const { type, driver, agent, reason } = eventOf(version);
  const words = [`${driver}-driven`, `version ${version.version}`, ...(reason === undefined ? [] : [reason])];
  return { type, ...(agent !== undefined && { agent }), detail: words.join('; ') };
}
