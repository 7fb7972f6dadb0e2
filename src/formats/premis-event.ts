/** PREMIS 3 on what happened to an object: captured, fixed, migrated, rolled back. */
import { rawXml, xml } from '../xml/write.ts';

export interface PremisEvent {
  readonly identifier: string;
  readonly type: string;
  /** ISO 8601. */
  readonly at: string;
  readonly detail: string;
  /** Who or what did it. */
  readonly agent?: string | undefined;
  /** What it happened to. */
  readonly object?: string | undefined;
}

/** Element order is that of premis-v3-0.xsd. One element without an XML declaration. */
export function writePremisEvent({ identifier, type, at, detail, agent, object }: PremisEvent): string {
  const detailed = xml`<premis:eventDetailInformation><premis:eventDetail>${detail}</premis:eventDetail></premis:eventDetailInformation>`;
  const linkedAgent =
    agent === undefined
      ? ''
      : xml`<premis:linkingAgentIdentifier><premis:linkingAgentIdentifierType>name</premis:linkingAgentIdentifierType><premis:linkingAgentIdentifierValue>${agent}</premis:linkingAgentIdentifierValue></premis:linkingAgentIdentifier>`;
  const linkedObject =
    object === undefined
      ? ''
      : xml`<premis:linkingObjectIdentifier><premis:linkingObjectIdentifierType>URI</premis:linkingObjectIdentifierType><premis:linkingObjectIdentifierValue>${object}</premis:linkingObjectIdentifierValue></premis:linkingObjectIdentifier>`;
  return xml`<premis:event xmlns:premis="http://www.loc.gov/premis/v3"><premis:eventIdentifier><premis:eventIdentifierType>local</premis:eventIdentifierType><premis:eventIdentifierValue>${identifier}</premis:eventIdentifierValue></premis:eventIdentifier><premis:eventType>${type}</premis:eventType><premis:eventDateTime>${at}</premis:eventDateTime>${rawXml(detailed, linkedAgent, linkedObject)}</premis:event>`;
}
