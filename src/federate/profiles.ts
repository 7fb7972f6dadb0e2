/** Profiles of one installation: of its items, found by DIS expressions, and of the groups that they are in. */
import { createHash } from 'node:crypto';
import type { Viewer } from '../core/access.ts';
import { genericXml } from '../formats/generic-xml.ts';
import { oodtProfile } from '../formats/oodt-profile/format.ts';
import type { Profile, ProfileElement } from '../formats/oodt-profile/profile.ts';
import type { FormatRegistry } from '../formats/registry.ts';
import type { QueryNode } from '../query/ast.ts';
import type { GarnerStore, Hit, SortSpec } from '../store/index.ts';
import { Aggregates } from './aggregate/aggregates.ts';
import { readGroupQuestion } from './aggregate/group-question.ts';
import { type GroupPath, groupQuery, SOURCE_LEVEL } from './aggregate/grouping.ts';
import { type NodeSettings, nodeProfile, nodeSections } from './aggregate/node-profile.ts';
import { possiblyMatches } from './aggregate/possibly-matches.ts';
import type { GainedAttribute } from './infer/inference.ts';
import { listInferenceRules } from './infer/rules.ts';
import { expandQuery } from './ontology/expand-query.ts';
import { buildProfile } from './profile/build-profile.ts';
import { createDublinCoreFields } from './profile/dublin-core-fields.ts';
import { findById } from './profile/find-by-id.ts';
import { createItemMeaning } from './profile/item-meaning.ts';
import { madeAttributes, madeSections } from './profile/made-attributes.ts';
import { compileProfileTest } from './profile/match-profile.ts';
import type { ProfileConfig } from './profile/profile-config.ts';
import { createProfileIds } from './profile/profile-id.ts';
import type { Vocabulary } from './vocabulary.ts';

export interface ProfilesDeps {
  readonly store: Pick<GarnerStore, 'harvest' | 'search' | 'runs' | 'items'>;
  readonly formats: FormatRegistry;
  readonly config: ProfileConfig;
  readonly repository: { readonly name: string; readonly identifier: string; readonly baseUrl: string };
  readonly dataFolder: string;
  /** Absent: names and terms mean what they say, and nothing is inferred. */
  readonly vocabulary?: Vocabulary;
}

export interface ProfileQuestion {
  readonly query: QueryNode;
  readonly sources?: readonly string[];
  readonly limit: number;
  /** Just what was asked, without synonyms and without what is more special. */
  readonly exact?: boolean;
  /** The `next` of the previous page. */
  readonly after?: string;
}

export interface ProfileAnswer {
  readonly total: number;
  readonly profiles: readonly Profile[];
  readonly next?: string;
}

/** Stable, and the same on every page. */
const ORDER: SortSpec = { by: 'updated', direction: 'asc' };
const PAGE = 500;
const BY_SOURCE = [SOURCE_LEVEL];

export type Profiles = ReturnType<typeof createProfiles>;

export function createProfiles({ store, formats, config, repository, dataFolder, vocabulary }: ProfilesDeps) {
  const { baseUrl } = repository;
  const ids = createProfileIds(config, baseUrl);
  const context = config.context ?? repository.identifier;
  const made = madeSections({ context, resClass: config.resClass });
  const fields = formats.fieldSpecs();
  const rules = vocabulary ? listInferenceRules(vocabulary) : [];
  const { levels = BY_SOURCE } = config;
  const dublinCore = createDublinCoreFields({
    formats: formats.list(),
    templates: config.templates,
    specs: new Map(fields.map((field) => [field.name, field])),
  });
  const meaning = createItemMeaning({ fields, dublinCore, made: madeAttributes(made), rules });
  const aggregates = new Aggregates(store, {
    dataFolder,
    meaning,
    digest: digestOf([fields, made, rules, formats.list().map(({ name }) => [name, dublinCore.of(name)])]),
    levels,
    valueLimit: config.valueLimit,
  });
  const nodeSettings: NodeSettings = {
    ids,
    baseUrl,
    context,
    name: repository.name,
    numberOf: (path) => aggregates.numberOf(path),
  };
  const parentId = (hit: Hit): readonly string[] => {
    const path = aggregates.pathOf({ ...hit, format: hit.schema });
    return [ids.ofGroup(aggregates.numberOf(path) ?? 0, path)];
  };

  const profileOf = (hit: Hit): Profile => {
    const format = formats.find(hit.schema) ?? formats.get(genericXml.name);
    const { prof, res, elements } = buildProfile(hit, format, { dublinCore, ids, baseUrl, made });
    return {
      prof: { profParentId: parentId(hit), ...prof },
      res,
      elements: [...elements, ...meaning.gainedBy({ ...hit, format: hit.schema }).map(gainedElement)],
    };
  };

  const expand = (query: QueryNode, exact: boolean | undefined): QueryNode =>
    vocabulary && exact !== true ? expandQuery(query, vocabulary.expansions()) : query;

  /** A question with all that is meant by its terms, as the store can answer it. */
  const toStore = (query: QueryNode): Promise<QueryNode> =>
    findById(meaning.lower(query), { items: store.items, ids, baseUrl });

  /** Profiles of items that match, with what each says of itself. */
  const find = async (question: ProfileQuestion, viewer: Viewer): Promise<ProfileAnswer> => {
    const { exact, query: asked, ...page } = question;
    const query = await toStore(expand(asked, exact));
    const { total, hits, next } = await store.search.search(
      { ...page, query, sort: ORDER, raw: true },
      viewer,
    );
    return { total, profiles: hits.map(profileOf), ...(next !== undefined && { next }) };
  };

  /** All of them, page by page. */
  async function* list(
    question: Omit<ProfileQuestion, 'limit' | 'after'>,
    viewer: Viewer,
  ): AsyncGenerator<Profile> {
    let after: string | undefined;
    do {
      const page = await find({ ...question, limit: PAGE, ...(after !== undefined && { after }) }, viewer);
      yield* page.profiles;
      after = page.next;
    } while (after !== undefined);
  }

  const idsOfProducts = async (path: GroupPath, viewer: Viewer): Promise<string[]> => {
    const { query, ...scope } = groupQuery(levels, path);
    const question = { ...scope, query: meaning.lower(query), sort: ORDER, limit: config.valueLimit };
    const { hits } = await store.search.search(question, viewer);
    return hits
      .filter(
        (hit) => JSON.stringify(aggregates.pathOf({ ...hit, format: hit.schema })) === JSON.stringify(path),
      )
      .map((hit) => idOf(hit));
  };

  const idOf = (hit: Hit): string => {
    const own = hit.schema === oodtProfile.name ? hit.fields['attr.profid']?.[0] : undefined;
    return typeof own === 'string' ? own : ids.ofItem(hit);
  };

  /** Of a group of products, of groups, or of everything; undefined when there is none at the path. */
  const findGathered = async (path: GroupPath, viewer: Viewer): Promise<Profile | undefined> => {
    const node = aggregates.find(path);
    if (!node) return undefined;
    const listed = node.children.length === 0 && node.aggregate.products <= config.valueLimit;
    const products = listed ? await idsOfProducts(path, viewer) : [];
    return nodeProfile(node, nodeSettings, products);
  };

  /** Of groups, when the question is about them: see `group-question.ts`. */
  async function* listGroups(
    { query: asked, exact }: Pick<ProfileQuestion, 'query' | 'exact'>,
    viewer: Viewer,
  ): AsyncGenerator<Profile> {
    const question = readGroupQuestion(expand(asked, exact));
    if (!question) return;
    const isMeant = compileProfileTest(question.own);
    for (const node of aggregates.list()) {
      if (!isMeant({ ...nodeSections(node, nodeSettings), elements: [] })) continue;
      if (!possiblyMatches(node.aggregate, question.products)) continue;
      const profile = await findGathered(node.path, viewer);
      if (profile) yield profile;
    }
  }

  /** From the root down, every group before what is in it. */
  async function* listGathered(viewer: Viewer, path: GroupPath = []): AsyncGenerator<Profile> {
    const profile = await findGathered(path, viewer);
    if (profile) yield profile;
    for (const child of aggregates.find(path)?.children ?? []) yield* listGathered(viewer, child);
  }

  /** Of groups that may hold a match, every group before what is in it; a group without one is left with all below. */
  async function* listPossible(
    { query: asked, exact }: Pick<ProfileQuestion, 'query' | 'exact'>,
    viewer: Viewer,
  ): AsyncGenerator<Profile> {
    yield* listPossibleBelow([], expand(asked, exact), viewer);
  }

  async function* listPossibleBelow(
    path: GroupPath,
    query: QueryNode,
    viewer: Viewer,
  ): AsyncGenerator<Profile> {
    const node = aggregates.find(path);
    if (!node || !possiblyMatches(node.aggregate, query)) return;
    const profile = await findGathered(path, viewer);
    if (profile) yield profile;
    for (const child of node.children) yield* listPossibleBelow(child, query, viewer);
  }

  return {
    aggregates,
    meaning,
    toStore,
    find,
    list,
    listPossible,
    listGroups,
    expand,
    profileOf,
    findGathered,
    listGathered,
    close: () => aggregates.close(),
  };
}

const digestOf = (settings: unknown): string =>
  createHash('sha256').update(JSON.stringify(settings)).digest('hex');

const gainedElement = ({ name, values, path }: GainedAttribute): ProfileElement => ({
  elemName: [name],
  elemEnumFlag: ['T'],
  elemValue: values.map(({ text }) => text),
  elemComment: [`inferred: ${path}`],
});
