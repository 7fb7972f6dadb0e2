/** The provider's own account of where it has a record from (OAI guideline on provenance). */
import type { OriginDescription } from '../../formats/provenance.ts';
import { childText, type SmallElement } from '../../xml/small-tree.ts';

const MAX_HOPS = 30;

/** From an `about` element; undefined when it holds no provenance that can be understood. */
export function readProvenance(about: SmallElement | undefined): OriginDescription | undefined {
  const container = about?.children.find(({ name }) => name === 'provenance');
  return container && readHop(container, MAX_HOPS);
}

function readHop(parent: SmallElement, left: number): OriginDescription | undefined {
  const hop = parent.children.find(({ name }) => name === 'originDescription');
  const baseURL = hop && childText(hop, 'baseURL');
  const identifier = hop && childText(hop, 'identifier');
  const datestamp = hop && childText(hop, 'datestamp');
  const harvestDate = hop?.attributes.get('harvestDate')?.trim();
  if (!hop || !baseURL || !identifier || !datestamp || !harvestDate) return undefined;
  const earlier = left > 0 ? readHop(hop, left - 1) : undefined;
  return {
    baseURL,
    identifier,
    datestamp,
    metadataNamespace: childText(hop, 'metadataNamespace') ?? '',
    harvestDate,
    altered: hop.attributes.get('altered')?.trim() === 'true',
    ...(earlier && { originDescription: earlier }),
  };
}
