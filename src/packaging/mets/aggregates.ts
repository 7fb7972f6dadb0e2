/**
 * Aggregators: METS documents that hold nothing but other METS documents. One MODS, no administrative
 * metadata, no files, no links; divisions that point on.
 */
import type { MetsDiv, MetsParts } from '../../formats/mets/mets-document.ts';
import { MODS, type SiteDescription, writeSiteMods } from '../../formats/mods-write.ts';
import { createIds } from './ids.ts';
import { AGGREGATOR_PROFILE, type Publisher } from './package-context.ts';

export interface Aggregate {
  /** Its own address. */
  readonly url: string;
  readonly title: string;
  /** What the whole is: `web site`, `harvest`, `collection`, `day`. */
  readonly type: string;
  readonly genre: string;
  readonly captured?: SiteDescription['captured'];
  readonly createdAt: number;
  readonly members: Iterable<AggregateMember>;
}

export interface AggregateMember {
  readonly type: string;
  readonly label: string;
  /** Where its METS is; its ID follows from that. */
  readonly url: string;
  /** Where this document leads instead: to a file beside it. */
  readonly place?: string | undefined;
}

export function aggregateParts(aggregate: Aggregate, publisher: Publisher): MetsParts {
  const { url, title, type, genre, captured } = aggregate;
  const ids = createIds();
  return {
    head: {
      objectId: url,
      label: title,
      type: `${type} aggregation`,
      profile: AGGREGATOR_PROFILE,
      created: new Date(aggregate.createdAt).toISOString().replace(/\.\d+Z$/, 'Z'),
      agents: [
        { role: 'CREATOR', type: 'OTHER', otherType: 'SOFTWARE', name: publisher.software },
        { role: 'CUSTODIAN', type: 'ORGANIZATION', name: publisher.name },
      ],
      documentId: url,
    },
    descriptions: [
      {
        id: ids.siteDescription,
        type: 'MODS',
        version: MODS.version,
        xml: writeSiteMods({
          title,
          genre,
          ...(captured && { captured }),
          languages: [],
          mediaTypes: [],
          abstracts: [],
          topics: [],
          places: [],
          host: { title: publisher.name, uri: `${publisher.baseUrl}/` },
        }),
      },
    ],
    admins: [],
    fileGroups: [],
    structures: [
      {
        type: 'logical',
        label: title,
        root: {
          id: ids.site,
          type,
          label: title,
          dmdIds: [ids.siteDescription],
          admIds: [],
          contentIds: [],
          pointers: [],
          files: [],
          divs: memberDivs(aggregate.members),
        },
      },
    ],
    links: [],
  };
}

function* memberDivs(members: Iterable<AggregateMember>): Generator<MetsDiv> {
  const ids = createIds();
  let order = 0;
  for (const { type, label, url, place = url } of members)
    yield {
      id: ids.of('page', url),
      type,
      order: ++order,
      label,
      dmdIds: [],
      admIds: [],
      contentIds: [],
      pointers: [{ type: 'URL', href: place }],
      files: [],
      divs: [],
    };
}
