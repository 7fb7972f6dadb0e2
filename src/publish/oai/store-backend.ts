/** The store as an OAI-PMH repository: all of it, one source or one view, as one viewer may see it. */
import type { Viewer } from '../../core/access.ts';
import { GarnerError } from '../../core/errors.ts';
import { oaiDc } from '../../formats/oai-dc-format.ts';
import { findProvenance, writeProvenance } from '../../formats/provenance.ts';
import type { FormatRegistry } from '../../formats/registry.ts';
import type {
  GarnerStore,
  HarvestPage,
  HarvestPosition,
  HarvestRecord,
  HarvestScope,
} from '../../store/index.ts';
import type { OaiBackend, OaiListPage, OaiListRequest, OaiMetadataFormat, OaiRecord } from './backend.ts';
import {
  type Branding,
  describeBranding,
  describeFriends,
  describeIdentifiers,
  describePolicies,
  type Policies,
} from './descriptions.ts';
import type { FormRecord, ItemForm } from './item-form.ts';
import { describeSet, listAllSets, narrowBySet, type SetText, specsOf } from './sets.ts';
import { dublinCoreForm, storedForm } from './stored-forms.ts';

/** What the repository says of itself beyond its records. */
export interface RepositoryFacts {
  readonly name: string;
  readonly adminEmail: string;
  /** The domain-like name inside of minted identifiers. */
  readonly identifier: string;
  readonly friends?: readonly string[] | undefined;
  readonly branding?: Branding | undefined;
  readonly policies?: Policies | undefined;
  readonly sets?: Readonly<Record<string, SetText>> | undefined;
}

export interface StoreBackendParts {
  readonly store: Pick<GarnerStore, 'harvest' | 'items'>;
  readonly formats: FormatRegistry;
  /** Made formats beside Dublin Core and the stored ones. */
  readonly forms?: readonly ItemForm[];
  readonly repository: RepositoryFacts;
  readonly scope?: Omit<HarvestScope, 'set'>;
  readonly viewer: Viewer;
}

/** Of content; larger records still come, one at a time. */
const CHUNK_BYTES = 2 ** 20;

export function createStoreBackend(parts: StoreBackendParts): OaiBackend {
  const { store, formats, forms = [], repository, scope = {}, viewer } = parts;
  const { harvest } = store;
  const dublinCore = dublinCoreForm(formats, async (oaiIdentifier, format) => {
    const page = await harvest.findPage(oaiIdentifier, { ...scope, format, content: 'transformed' }, viewer);
    return page.bytes.length === 0 ? undefined : page.bytes;
  });

  function findForm(prefix: string): ItemForm | undefined {
    if (prefix === dublinCore.prefix) return dublinCore;
    const made = forms.find((form) => form.prefix === prefix);
    if (made) return made;
    const format = formats.find(prefix);
    return format && storedForm(format);
  }

  const contentOf = (form: ItemForm, withMetadata: boolean) => ({
    ...(form.madeOf !== undefined && { format: form.madeOf }),
    ...(form === dublinCore && { prefer: oaiDc.name }),
    // Whoever must look into records to know whether they fit needs them for headers, too.
    ...((withMetadata || form.fits) && { content: form.content }),
  });

  const withBytes = (page: HarvestPage, record: HarvestRecord): FormRecord => ({
    ...record,
    bytes: page.bytes.subarray(record.start, record.start + record.size),
  });

  const isListed = (form: ItemForm, page: HarvestPage, record: HarvestRecord): boolean =>
    record.status === 'deleted' || !form.fits || form.fits(withBytes(page, record));

  async function show(
    form: ItemForm,
    page: HarvestPage,
    record: HarvestRecord,
    withMetadata: boolean,
  ): Promise<OaiRecord> {
    const header = {
      identifier: record.oaiIdentifier,
      datestampAt: record.datestampAt,
      sets: specsOf(record),
      deleted: record.status === 'deleted',
      position: writePosition(record),
    };
    if (header.deleted || !withMetadata) return header;
    const about = writeAbout(record, form);
    return {
      ...header,
      metadata: await form.render(withBytes(page, record)),
      ...(about !== undefined && { abouts: [about] }),
    };
  }

  const hasAny = async (form: ItemForm, identifier?: string): Promise<boolean> => {
    const wanted = { ...scope, ...contentOf(form, form.fits !== undefined) };
    const page =
      identifier === undefined
        ? await harvest.listPage({ ...wanted, limit: 1 }, viewer)
        : await harvest.findPage(identifier, wanted, viewer);
    const [record] = page.records;
    return record !== undefined && (identifier === undefined || isListed(form, page, record));
  };

  const isItem = async (identifier: string): Promise<boolean> =>
    (await harvest.findPage(identifier, scope, viewer)).records.length > 0;

  async function listRecords(request: OaiListRequest): Promise<OaiListPage | 'no-format'> {
    const form = findForm(request.prefix);
    if (!form) return 'no-format';
    const nothing = async () =>
      form.madeOf === undefined || (await hasAny(form)) ? { records: [], more: false } : 'no-format';
    const within = narrowBySet(scope, request.set);
    if (!within || !(await isKnownSource(within.source))) return nothing();
    let after = request.after === undefined ? undefined : parsePosition(request.after);
    for (;;) {
      const page = await harvest.listPage(
        {
          ...within,
          ...contentOf(form, request.withMetadata),
          ...(request.fromAt !== undefined && { fromAt: request.fromAt }),
          ...(request.untilAt !== undefined && { untilAt: request.untilAt }),
          ...(after && { after }),
          limit: request.limit,
          maxBytes: CHUNK_BYTES,
        },
        viewer,
      );
      const records: OaiRecord[] = [];
      for (const record of page.records)
        if (isListed(form, page, record)) records.push(await show(form, page, record, request.withMetadata));
      after = page.records.at(-1);
      if (records.length > 0) return { records, more: page.more, completeUntilAt: page.completeUntilAt };
      // A page of which nothing fits is followed by the next.
      if (page.more && after) continue;
      return request.after === undefined ? nothing() : { records, more: false };
    }
  }

  const isKnownSource = async (source: string | undefined): Promise<boolean> =>
    source === undefined ||
    source === scope.source ||
    (await store.items.listSources()).some(({ name }) => name === source);

  return {
    identify: async () => {
      const { earliestAt, onlyMinted } = await harvest.describe();
      const [first] = onlyMinted ? (await harvest.listPage({ ...scope, limit: 1 }, viewer)).records : [];
      return {
        repositoryName: repository.name,
        adminEmails: [repository.adminEmail],
        earliestDatestampAt: earliestAt,
        deletedRecord: 'persistent',
        descriptions: [
          ...(onlyMinted
            ? [
                describeIdentifiers(
                  repository.identifier,
                  first?.oaiIdentifier ?? `oai:${repository.identifier}:example`,
                ),
              ]
            : []),
          ...(repository.policies ? [describePolicies(repository.policies)] : []),
          ...(repository.friends?.length ? [describeFriends(repository.friends)] : []),
          ...(repository.branding ? [describeBranding(repository.branding)] : []),
        ],
      };
    },

    listFormats: async (identifier) => {
      if (identifier !== undefined && !(await isItem(identifier))) return undefined;
      const stored = await harvest.listFormats(scope, viewer, identifier);
      const offered: OaiMetadataFormat[] = [dublinCore];
      for (const name of new Set([...stored, ...forms.map(({ prefix }) => prefix)])) {
        const form = name === dublinCore.prefix ? undefined : findForm(name);
        if (form && (await hasAny(form, identifier))) offered.push(form);
      }
      return offered;
    },

    listSets: async (after, limit) => {
      const sets = await listAllSets(store, scope, viewer, {
        ...(after !== undefined && { after }),
        limit: limit + 1,
      });
      const texts = repository.sets ?? {};
      return {
        sets: sets.slice(0, limit).map(({ spec }) => describeSet(spec, texts)),
        more: sets.length > limit,
      };
    },

    findRecord: async (identifier, prefix) => {
      const form = findForm(prefix);
      if (form) {
        const page = await harvest.findPage(identifier, { ...scope, ...contentOf(form, true) }, viewer);
        const [record] = page.records;
        if (record && isListed(form, page, record)) return show(form, page, record, true);
      }
      return (await isItem(identifier)) ? 'no-format' : undefined;
    },

    listRecords,

    countRecords: async ({ prefix, set, fromAt, untilAt }) => {
      const form = findForm(prefix);
      const within = narrowBySet(scope, set);
      if (!form || !within) return undefined;
      return harvest.countRecords(
        {
          ...within,
          ...(form.madeOf !== undefined && { format: form.madeOf }),
          ...(fromAt !== undefined && { fromAt }),
          ...(untilAt !== undefined && { untilAt }),
        },
        viewer,
      );
    },
  };
}

/** Where a harvested record came from; what was made of it here is altered. */
function writeAbout({ origin, format }: HarvestRecord, form: ItemForm): string | undefined {
  if (origin === undefined || !origin.includes('"provenance"')) return undefined;
  const found = findProvenance(JSON.parse(origin));
  return found && writeProvenance({ ...found, altered: found.altered || format !== form.prefix });
}

const writePosition = ({ datestampAt, key }: HarvestPosition): string => `${datestampAt / 1000}.${key}`;

function parsePosition(text: string): HarvestPosition {
  const [, second, key] = /^(\d{1,12})\.(\d{1,15})$/.exec(text) ?? [];
  if (second === undefined || key === undefined)
    throw new GarnerError('cursor.invalid', 'the position in the list is not one of ours');
  return { datestampAt: Number(second) * 1000, key: Number(key) };
}
