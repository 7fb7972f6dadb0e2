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
import type { RelateRecord } from '../relate-record.ts';
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
import { type FormPage, mergePages } from './merge-pages.ts';
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
  /** What records are related to beyond what they say; absent: nothing. */
  readonly relate?: RelateRecord;
  readonly viewer: Viewer;
}

/** Of content; larger records still come, one at a time. */
const CHUNK_BYTES = 2 ** 20;

export function createStoreBackend(parts: StoreBackendParts): OaiBackend {
  const { store, formats, forms = [], repository, scope = {}, viewer } = parts;
  const { harvest } = store;
  const dublinCore = dublinCoreForm(
    formats,
    async (oaiIdentifier, format) => {
      const page = await harvest.findPage(
        oaiIdentifier,
        { ...scope, format, content: 'transformed' },
        viewer,
      );
      return page.bytes.length === 0 ? undefined : page.bytes;
    },
    parts.relate,
  );

  /** One prefix may be made of several stored formats, and be one itself. */
  function findForms(prefix: string): readonly ItemForm[] {
    if (prefix === dublinCore.prefix) return [dublinCore];
    const format = formats.find(prefix);
    const stored = format && storedForm(format);
    return [...forms.filter((form) => form.prefix === prefix), ...(stored ? [stored] : [])];
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

  function show(form: ItemForm, page: HarvestPage, record: HarvestRecord, withMetadata: boolean): OaiRecord {
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
      metadata: () => form.render(withBytes(page, record), viewer),
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

  const anyOf = async (made: readonly ItemForm[], identifier?: string): Promise<ItemForm | undefined> => {
    for (const form of made) if (await hasAny(form, identifier)) return form;
    return undefined;
  };

  async function listRecords(request: OaiListRequest): Promise<OaiListPage | 'no-format'> {
    const made = findForms(request.prefix);
    if (made.length === 0) return 'no-format';
    const nothing = async () =>
      made.some(({ madeOf }) => madeOf === undefined) || (await anyOf(made))
        ? { records: [], more: false }
        : 'no-format';
    const within = narrowBySet(scope, request.set);
    if (!within || !(await isKnownSource(within.source))) return nothing();
    let after = request.after === undefined ? undefined : parsePosition(request.after);
    for (;;) {
      const pages = await Promise.all(
        made.map(async (form): Promise<FormPage> => {
          const range = {
            ...within,
            ...contentOf(form, request.withMetadata),
            ...(request.fromAt !== undefined && { fromAt: request.fromAt }),
            ...(request.untilAt !== undefined && { untilAt: request.untilAt }),
            ...(after && { after }),
            limit: request.limit,
            maxBytes: CHUNK_BYTES,
          };
          return { form, page: await harvest.listPage(range, viewer) };
        }),
      );
      const merged = mergePages(pages, request.limit);
      const records: OaiRecord[] = [];
      for (const { form, page, record } of merged.entries)
        if (isListed(form, page, record)) records.push(show(form, page, record, request.withMetadata));
      after = merged.entries.at(-1)?.record;
      const { more, completeUntilAt } = merged;
      if (records.length > 0) return { records, more, completeUntilAt };
      // A page of which nothing fits is followed by the next.
      if (more && after) continue;
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
        if (name === dublinCore.prefix) continue;
        const form = await anyOf(findForms(name), identifier);
        if (form) offered.push(form);
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
      let found: OaiRecord | undefined;
      for (const form of findForms(prefix)) {
        const page = await harvest.findPage(identifier, { ...scope, ...contentOf(form, true) }, viewer);
        const [record] = page.records;
        if (!record || !isListed(form, page, record)) continue;
        const shown = show(form, page, record, true);
        // What is withdrawn in one stored format may be there in another.
        if (!shown.deleted) return shown;
        found ??= shown;
      }
      if (found) return found;
      return (await isItem(identifier)) ? 'no-format' : undefined;
    },

    listRecords,

    countRecords: async ({ prefix, set, fromAt, untilAt }) => {
      const made = findForms(prefix);
      const within = narrowBySet(scope, set);
      if (made.length === 0 || !within) return undefined;
      let total = 0;
      for (const { madeOf } of made) {
        const range = {
          ...within,
          ...(madeOf !== undefined && { format: madeOf }),
          ...(fromAt !== undefined && { fromAt }),
          ...(untilAt !== undefined && { untilAt }),
        };
        total += await harvest.countRecords(range, viewer);
      }
      return total;
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
