/** Products of Garner's own items: what was archived of a page, records as they came, addresses of what lives elsewhere. */
import type { Viewer } from '../../core/access.ts';
import { oodtProfile } from '../../formats/oodt-profile/format.ts';
import type { Profile } from '../../formats/oodt-profile/profile.ts';
import type { FormatRegistry } from '../../formats/registry.ts';
import { webCapture } from '../../formats/web-capture.ts';
import { webFile } from '../../formats/web-file.ts';
import { webSnapshot } from '../../formats/web-snapshot.ts';
import type { GarnerStore, Hit, SortSpec } from '../../store/index.ts';
import type { Profiles } from '../profiles.ts';
import { captureForm } from './capture-form.ts';
import type { Product, ProductHandler } from './product.ts';
import { recordForms } from './record-forms.ts';

export interface StoreHandlerDeps {
  readonly store: Pick<GarnerStore, 'search' | 'captures'>;
  readonly formats: FormatRegistry;
  readonly profiles: Pick<Profiles, 'expand' | 'toStore' | 'profileOf'>;
  readonly baseUrl: string;
  /** Of the archive files; absent: of captures there is only what is known of them. */
  readonly dataFolder?: string;
}

/** The name by which `FROM` asks for items only. */
const NAME = 'items';
/** That of profiles: the same question gives the same product first. */
const ORDER: SortSpec = { by: 'updated', direction: 'asc' };
const MEDIA_TYPE = /^[\w-]+\/[\w.+-]+$/;
const FIRST_PAGE = 10;
const PAGE = 200;

export function createStoreHandler(deps: StoreHandlerDeps): ProductHandler {
  const { store, profiles } = deps;
  return {
    name: NAME,
    async *find({ query: asked, from, exact }, viewer) {
      const query = await profiles.toStore(profiles.expand(asked, exact));
      const sources = from.filter((name) => name !== NAME);
      let limit = FIRST_PAGE;
      let after: string | undefined;
      do {
        const page = await store.search.search(
          {
            query,
            sort: ORDER,
            limit,
            raw: true,
            ...(sources.length > 0 && { sources }),
            ...(after !== undefined && { after }),
          },
          viewer,
        );
        for (const hit of page.hits) yield await productOf(deps, hit, viewer);
        after = page.next;
        limit = PAGE;
      } while (after !== undefined);
    },
  };
}

async function productOf(deps: StoreHandlerDeps, hit: Hit, viewer: Viewer): Promise<Product> {
  const profile = deps.profiles.profileOf(hit);
  const forms = recordForms(hit, profile, deps.formats);
  const location = locationOf(deps, hit, profile);
  const content = hit.schema === webCapture.name ? await captureForm(deps, hit, viewer) : undefined;
  return {
    name: hit.identifier,
    forms: content ? [content, ...forms] : forms,
    ...(location && { location }),
  };
}

/** Files of a published site are at the site, products of an imported profile where it says, a snapshot where it is put together. */
function locationOf({ baseUrl }: StoreHandlerDeps, hit: Hit, { res }: Profile): Product['location'] {
  if (hit.schema === webSnapshot.name) {
    const parameters = new URLSearchParams({ source: hit.source, identifier: hit.identifier, as: 'wacz' });
    return { url: `${baseUrl}/snapshots?${parameters}`, mediaType: 'application/wacz' };
  }
  const isElsewhere = hit.schema === webFile.name || hit.schema === oodtProfile.name;
  if (!isElsewhere) return undefined;
  const url = hit.schema === webFile.name ? hit.fields.link?.[0] : res.resLocation?.[0];
  if (typeof url !== 'string' || !/^https?:\/\//i.test(url) || !URL.canParse(url)) return undefined;
  const mediaType = hit.fields.mediaType?.find(
    (value) => typeof value === 'string' && MEDIA_TYPE.test(value),
  );
  return { url: new URL(url).href, ...(typeof mediaType === 'string' && { mediaType }) };
}
