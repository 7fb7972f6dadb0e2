/** PREMIS 3: what a file is, what happened to it, who did it, and what may be done with it. */
import { rawXml, xml } from '../xml/write.ts';

export const PREMIS = {
  namespace: 'http://www.loc.gov/premis/v3',
  schema: 'http://www.loc.gov/standards/premis/v3/premis-v3-0.xsd',
  version: '3.0',
} as const;

interface PremisIdentifier {
  /** `URL`, `name`, `URI` … */
  readonly type: string;
  readonly value: string;
}

export interface PremisObject {
  readonly identifier: PremisIdentifier;
  readonly fixities: readonly {
    readonly algorithm: string;
    readonly digest: string;
    /** Who worked it out. */
    readonly originator?: string;
  }[];
  readonly size?: number;
  readonly format: string;
  readonly formatNote?: string;
  readonly storedIn?: string;
  /** Identifiers of events. */
  readonly events: readonly string[];
}

export interface PremisEvent {
  readonly identifier: string;
  readonly type: string;
  readonly at: number;
  readonly details: readonly string[];
  readonly outcome?: string;
  /** Names of agents, with what each did. */
  readonly agents: readonly { readonly name: string; readonly role?: string }[];
  readonly objects: readonly PremisIdentifier[];
}

/** Namespace declarations of an element that stands alone. */
export const PREMIS_BINDINGS = ` xmlns:premis="${PREMIS.namespace}" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance"`;

/** All of these: one element; `premis` and `xsi` must be bound around it, or by `bindings`. */
export function writePremisObject(object: PremisObject, bindings = ''): string {
  const fixities = object.fixities.map(
    ({ algorithm, digest, originator }) =>
      xml`<premis:fixity><premis:messageDigestAlgorithm>${algorithm}</premis:messageDigestAlgorithm><premis:messageDigest>${digest}</premis:messageDigest>${rawXml(optional('messageDigestOriginator', originator))}</premis:fixity>`,
  );
  const format = xml`<premis:format><premis:formatDesignation><premis:formatName>${object.format}</premis:formatName></premis:formatDesignation>${rawXml(optional('formatNote', object.formatNote))}</premis:format>`;
  const storage =
    object.storedIn === undefined
      ? ''
      : xml`<premis:storage><premis:contentLocation><premis:contentLocationType>archive file and offset</premis:contentLocationType><premis:contentLocationValue>${object.storedIn}</premis:contentLocationValue></premis:contentLocation></premis:storage>`;
  const events = object.events.map(
    (event) =>
      xml`<premis:linkingEventIdentifier><premis:linkingEventIdentifierType>local</premis:linkingEventIdentifierType><premis:linkingEventIdentifierValue>${event}</premis:linkingEventIdentifierValue></premis:linkingEventIdentifier>`,
  );
  const content = xml`${rawXml(identify('objectIdentifier', object.identifier))}<premis:objectCharacteristics>${rawXml(fixities)}${rawXml(optional('size', object.size))}${rawXml(format)}</premis:objectCharacteristics>${rawXml(storage, events)}`;
  return `<premis:object${bindings} xsi:type="premis:file">${content}</premis:object>`;
}

export function writePremisEvent(event: PremisEvent, bindings = ''): string {
  const details = event.details.map(
    (detail) =>
      xml`<premis:eventDetailInformation><premis:eventDetail>${detail}</premis:eventDetail></premis:eventDetailInformation>`,
  );
  const outcome =
    event.outcome === undefined
      ? ''
      : xml`<premis:eventOutcomeInformation><premis:eventOutcome>${event.outcome}</premis:eventOutcome></premis:eventOutcomeInformation>`;
  const agents = event.agents.map(
    ({ name, role }) =>
      xml`<premis:linkingAgentIdentifier><premis:linkingAgentIdentifierType>name</premis:linkingAgentIdentifierType><premis:linkingAgentIdentifierValue>${name}</premis:linkingAgentIdentifierValue>${rawXml(optional('linkingAgentRole', role))}</premis:linkingAgentIdentifier>`,
  );
  const objects = event.objects.map((object) => identify('linkingObjectIdentifier', object));
  const content = xml`${rawXml(identify('eventIdentifier', { type: 'local', value: event.identifier }))}<premis:eventType>${event.type}</premis:eventType><premis:eventDateTime>${new Date(event.at).toISOString()}</premis:eventDateTime>${rawXml(details, outcome, agents, objects)}`;
  return `<premis:event${bindings}>${content}</premis:event>`;
}

export function writePremisAgent(name: string, type: 'software' | 'organization' | 'person'): string {
  return xml`<premis:agent>${rawXml(identify('agentIdentifier', { type: 'name', value: name }))}<premis:agentName>${name}</premis:agentName><premis:agentType>${type}</premis:agentType></premis:agent>`;
}

export interface PremisRights {
  readonly identifier: string;
  /** A licence that was found, or whatever else the right rests on. */
  readonly licence?: string;
  readonly otherBasis?: string;
  readonly act: string;
  readonly restriction?: string;
}

export function writePremisRights(rights: PremisRights): string {
  const { licence, otherBasis = 'unknown', act, restriction } = rights;
  const basis =
    licence === undefined
      ? xml`<premis:rightsBasis>other</premis:rightsBasis><premis:otherRightsInformation><premis:otherRightsBasis>${otherBasis}</premis:otherRightsBasis></premis:otherRightsInformation>`
      : xml`<premis:rightsBasis>license</premis:rightsBasis><premis:licenseInformation><premis:licenseTerms>${licence}</premis:licenseTerms></premis:licenseInformation>`;
  return xml`<premis:rights><premis:rightsStatement>${rawXml(identify('rightsStatementIdentifier', { type: 'local', value: rights.identifier }))}${rawXml(basis)}<premis:rightsGranted><premis:act>${act}</premis:act>${rawXml(optional('restriction', restriction))}</premis:rightsGranted></premis:rightsStatement></premis:rights>`;
}

const identify = (element: string, { type, value }: PremisIdentifier): string =>
  xml`${rawXml(`<premis:${element}>`)}${rawXml(`<premis:${element}Type>`)}${type}${rawXml(`</premis:${element}Type>`)}${rawXml(`<premis:${element}Value>`)}${value}${rawXml(`</premis:${element}Value>`)}${rawXml(`</premis:${element}>`)}`;

const optional = (element: string, value: string | number | undefined): string =>
  value === undefined ? '' : xml`${rawXml(`<premis:${element}>`)}${value}${rawXml(`</premis:${element}>`)}`;
