/**
 * OAI provenance: where a harvested record came from, hop by hop, the last hop outermost. Harvesters keep
 * it in a version's origin under `provenance`; what is exposed again says it in an `about` element.
 */
import { xml } from '../xml/write.ts';

export const PROVENANCE_NAMESPACE = 'http://www.openarchives.org/OAI/2.0/provenance';
const SCHEMA = 'http://www.openarchives.org/OAI/2.0/provenance.xsd';

/** Names and values as the element has them. */
export interface OriginDescription {
  readonly baseURL: string;
  readonly identifier: string;
  readonly datestamp: string;
  readonly metadataNamespace: string;
  /** UTC, by the second. */
  readonly harvestDate: string;
  /** Whether the metadata was changed before it was exposed again. */
  readonly altered: boolean;
  readonly originDescription?: OriginDescription;
}

/** More hops than any chain of aggregators has; a ring would have no end. */
const MAX_HOPS = 32;
const DATE = /^\d{4}-\d\d-\d\d(?:T\d\d:\d\d:\d\d(?:\.\d+)?Z)?$/;

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null;

/** From the origin of a version; undefined when it tells of no harvest. Hops that are broken end the chain. */
export function findProvenance(origin: unknown): OriginDescription | undefined {
  return isObject(origin) ? readHop(origin.provenance, 1) : undefined;
}

function readHop(value: unknown, hop: number): OriginDescription | undefined {
  if (!isObject(value) || hop > MAX_HOPS) return undefined;
  const { baseURL, identifier, datestamp, metadataNamespace, harvestDate, altered } = value;
  if (typeof baseURL !== 'string' || typeof identifier !== 'string') return undefined;
  if (typeof datestamp !== 'string' || !DATE.test(datestamp)) return undefined;
  if (typeof harvestDate !== 'string' || !DATE.test(harvestDate)) return undefined;
  const earlier = readHop(value.originDescription, hop + 1);
  return {
    baseURL,
    identifier,
    datestamp,
    metadataNamespace: typeof metadataNamespace === 'string' ? metadataNamespace : '',
    harvestDate,
    altered: altered === true,
    ...(earlier && { originDescription: earlier }),
  };
}

/** The element that stands in `about`. */
export function writeProvenance(origin: OriginDescription): string {
  return (
    `<provenance xmlns="${PROVENANCE_NAMESPACE}" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" ` +
    `xsi:schemaLocation="${PROVENANCE_NAMESPACE} ${SCHEMA}">${writeHop(origin)}</provenance>`
  );
}

function writeHop(hop: OriginDescription): string {
  const { baseURL, identifier, datestamp, metadataNamespace, harvestDate, altered } = hop;
  return (
    xml`<originDescription harvestDate="${harvestDate}" altered="${altered}"><baseURL>${baseURL}</baseURL><identifier>${identifier}</identifier><datestamp>${datestamp}</datestamp><metadataNamespace>${metadataNamespace}</metadataNamespace>` +
    (hop.originDescription ? writeHop(hop.originDescription) : '') +
    '</originDescription>'
  );
}
