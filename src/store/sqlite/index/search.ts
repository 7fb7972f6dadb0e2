/** Search on SQLite: every answer comes from one snapshot of the store. */
import type { DatabaseSync } from 'node:sqlite';
import type { Viewer } from '../../../core/access.ts';
import { GarnerError } from '../../../core/errors.ts';
import type { FieldSpec, ItemRef } from '../../../core/model.ts';
import { createCatalogue, getField } from '../../../query/catalogue.ts';
import type { Hit, SearchAnswer, SearchIndex, SearchRequest, SortSpec, Suggestion } from '../../search.ts';
import { AccessFilter, type AllowedRules, mayRead } from '../access-filter.ts';
import { readSnapshot } from '../database.ts';
import { PostingWords } from '../words/posting-words.ts';
import { WordReader } from '../words/word-reader.ts';
import { Columns } from './columns.ts';
import { type Cursor, invalidCursor, readCursor, writeCursor } from './cursor.ts';
import type { DocSet } from './doc-set.ts';
import { type Evaluation, estimatePlan, evaluatePlan, hasScores } from './evaluate.ts';
import { ExactTitles } from './exact-title.ts';
import { countFacet } from './facets.ts';
import { type IndexedField, readAttributes, readFields } from './field-registry.ts';
import { createHighlighter } from './highlight.ts';
import { HitReader } from './hits.ts';
import { NameTables } from './name-tables.ts';
import { planQuery } from './query-plan.ts';
import { similarQuery } from './similar.ts';
import { sortDocs } from './sort-docs.ts';
import { suggest } from './suggest.ts';
import { takeFirst } from './top-docs.ts';
import { ValueLookup } from './value-lookup.ts';
import { VisibleDocs } from './visible-docs.ts';
import type { WordIndex } from './word-index.ts';
import { wordWeights } from './word-weights.ts';
import { WorkBudget } from './work-budget.ts';

const NEWEST: SortSpec = { by: 'updated', direction: 'desc' };
const MAX_LIMIT = 10_000;
/** Beyond, cursors are the way. */
const MAX_OFFSET = 10_000;
const UNRANKED = 'so many documents match that they are shown newest first, not by relevance';

export function createSearchIndex(db: DatabaseSync, fields: readonly FieldSpec[]): SearchIndex {
  const search = new SqliteSearch(db, fields);
  return {
    search: async (request, viewer) => search.answer(() => search.search(request, viewer)),
    suggest: async (prefix, options, viewer) => search.answer(() => search.suggest(prefix, options, viewer)),
    listSimilar: async (ref, limit, viewer) => search.answer(() => search.listSimilar(ref, limit, viewer)),
  };
}

/** One page of an answer. */
interface Page {
  readonly keys: readonly number[];
  readonly next?: Cursor | undefined;
  readonly scores?: Float32Array | undefined;
}

class SqliteSearch {
  readonly #db: DatabaseSync;
  readonly #specs: ReadonlyMap<string, FieldSpec>;
  readonly #catalogue;
  readonly #columns: Columns;
  readonly #wordReader: WordReader;
  readonly #visible: VisibleDocs;
  readonly #access: AccessFilter;
  readonly #values: ValueLookup;
  readonly #names: NameTables;
  readonly #hits: HitReader;
  readonly #titles: ExactTitles;
  #configured: ReadonlyMap<string, IndexedField> = new Map();
  /** The configured ones, and those of attributes as of the commit `#fieldsSeq`. */
  readonly #fields = new Map<string, IndexedField>();
  #fieldsSeq = -1;
  #lastAttribute = 0;
  #words: WordIndex | undefined;

  constructor(db: DatabaseSync, fields: readonly FieldSpec[]) {
    this.#db = db;
    this.#specs = new Map(fields.toReversed().map((spec) => [spec.name, spec]));
    this.#catalogue = createCatalogue(fields);
    this.#columns = new Columns(db);
    this.#wordReader = new WordReader(db);
    this.#visible = new VisibleDocs(this.#columns);
    this.#access = new AccessFilter(db);
    this.#values = new ValueLookup(db);
    this.#names = new NameTables(db);
    this.#hits = new HitReader(db, this.#columns);
    this.#titles = new ExactTitles(db);
  }

  /** On one snapshot, with the columns in its state. */
  answer<T>(work: () => T): T {
    // Inside somebody's write transaction all that is seen may yet be rolled back.
    const provisional = this.#db.isTransaction;
    try {
      return readSnapshot(this.#db, () => {
        this.#columns.refresh();
        this.#wordReader.refresh();
        this.#refreshAttributes();
        return work();
      });
    } finally {
      if (provisional) {
        this.#columns.forget();
        this.#wordReader.forget();
        this.#hits.reset();
        this.#forgetAttributes();
      }
    }
  }

  search(request: SearchRequest, viewer: Viewer): SearchAnswer {
    checkBounds(request);
    const allowed = this.#access.allowed(viewer);
    const cursor = request.after === undefined ? undefined : readCursor(request.after);
    const notes: string[] = [];
    const index = this.#wordIndex();
    const evaluation = this.#evaluation(allowed, index);
    const plan = planQuery(request.query, this.#catalogue, this.#fields, index, (text) => notes.push(text));
    const scope = this.#scope(request, allowed);

    const wantsRanking = request.sort === undefined || request.sort.by === 'relevance';
    const wantsHits = request.limit > 0 || cursor !== undefined;
    let ranked = wantsRanking && wantsHits && cursor?.kind !== 'field' && hasScores(plan);
    if (ranked && !evaluation.budget.fits(estimatePlan(index, plan, true).ms)) {
      ranked = false;
      notes.push(UNRANKED);
    }
    const { ms, costliest } = estimatePlan(index, plan, ranked);
    evaluation.budget.spend(ms, costliest);
    const scores = ranked ? new Float32Array(this.#columns.size) : undefined;
    const matches = evaluatePlan(evaluation, plan, scores).and(scope);
    const keys = matches.keys();

    const page = scores
      ? this.#rankedPage(request, keys, scores, cursor)
      : this.#sortedPage(request, wantsRanking ? NEWEST : (request.sort ?? NEWEST), keys, cursor);
    return {
      total: keys.length,
      hits: this.#readHits(request, page),
      facets: this.#countFacets(request, keys, allowed),
      ...(page.next ? { next: writeCursor(page.next) } : {}),
      notes,
    };
  }

  suggest(prefix: string, options: { field?: string; limit: number }, viewer: Viewer): Suggestion[] {
    if (options.field !== undefined) getField(this.#catalogue, options.field);
    const index = this.#wordIndex();
    const reader = {
      db: this.#db,
      columns: this.#columns,
      values: this.#values,
      index,
      specs: this.#specs,
      fields: this.#fields,
    };
    return suggest(reader, prefix, options, this.#visible.readable(this.#access.allowed(viewer)));
  }

  listSimilar({ source, identifier }: ItemRef, limit: number, viewer: Viewer): Hit[] {
    const visible = this.#visible.readable(this.#access.allowed(viewer));
    const row = this.#db
      .prepare(
        'SELECT item.key FROM item JOIN source ON source.id = item.source_id WHERE source.name = ? AND identifier = ?',
      )
      .get(source, identifier);
    const self = Number(row?.key ?? -1);
    if (!visible.has(self)) {
      throw new GarnerError('item.unknown', `there is no item ${identifier} in ${source}`, {
        details: { source, identifier },
      });
    }
    const index = this.#wordIndex();
    const query = similarQuery(this.#hits.storedFields(self), index, visible.count());
    if (!query) return [];
    new WorkBudget().spend(index.estimateMs(query, true), 'the search for similar items');
    const scores = new Float32Array(this.#columns.size);
    const found = index.rank(query, scores, 1).and(visible).keys();
    const others = found.filter((key) => key !== self);
    const first = takeFirst(others.length, limit, (a, b) => {
      const difference = scores[others[b]!]! - scores[others[a]!]!;
      return difference < 0 || (difference === 0 && a < b);
    });
    return first.map((i) => this.#hits.read(others[i]!, { score: scores[others[i]!] }).hit);
  }

  /** Made anew when a writer has registered fields that were not known before. */
  #wordIndex(): WordIndex {
    if (this.#words && this.#configured.size === this.#specs.size) return this.#words;
    this.#configured = readFields(this.#db, [...this.#specs.values()]);
    for (const [name, field] of this.#configured) this.#fields.set(name, field);
    this.#words = new PostingWords(this.#db, this.#wordReader, {
      weights: wordWeights(this.#configured.values()),
      size: () => this.#columns.size,
    });
    return this.#words;
  }

  #refreshAttributes(): void {
    if (this.#fieldsSeq === this.#columns.seq) return;
    this.#fieldsSeq = this.#columns.seq;
    for (const field of readAttributes(this.#db, this.#lastAttribute)) {
      this.#fields.set(field.spec.name, field);
      this.#lastAttribute = field.id;
    }
  }

  #forgetAttributes(): void {
    this.#fields.clear();
    for (const [name, field] of this.#configured) this.#fields.set(name, field);
    this.#fieldsSeq = -1;
    this.#lastAttribute = 0;
  }

  #evaluation(allowed: AllowedRules, index: WordIndex): Evaluation {
    return {
      reader: {
        db: this.#db,
        columns: this.#columns,
        values: this.#values,
        names: this.#names,
        hits: this.#hits,
      },
      index,
      catalogue: this.#catalogue,
      fields: this.#fields,
      allowed,
      live: this.#visible.live(),
      budget: new WorkBudget(),
    };
  }

  #scope({ sources, view }: SearchRequest, allowed: AllowedRules): DocSet {
    let scope = this.#visible.readable(allowed);
    if (sources) {
      const ids = new Map(this.#names.list('source').map(({ name, id }) => [name, id]));
      scope = scope.and(this.#visible.ofSources(new Set(sources.map((name) => getSource(ids, name)))));
    }
    if (view !== undefined) {
      const row = this.#names.list('view').find(({ name }) => name === view);
      if (!row || (row.accessId !== undefined && !mayRead(allowed, row.accessId))) {
        throw new GarnerError('view.unknown', `there is no view "${view}"`, { details: { view } });
      }
      scope = scope.and(this.#visible.ofView(row.id));
    }
    return scope;
  }

  /** Exact titles first, then by score, then by key. */
  #rankedPage(
    request: SearchRequest,
    keys: Uint32Array,
    scores: Float32Array,
    cursor: Cursor | undefined,
  ): Page {
    if (cursor?.kind === 'field') throw invalidCursor();
    const { seq } = this.#columns;
    if (cursor && cursor.seq !== seq) {
      throw new GarnerError(
        'cursor.expired',
        'the index changed since the first page of this ranking; start again or sort by a field',
        { details: { seq: cursor.seq, now: seq } },
      );
    }
    const exact = this.#titles.find(request.query);
    const start = (cursor?.offset ?? 0) + (request.offset ?? 0);
    const end = start + request.limit;
    const inOrder = new Float32Array(keys.length);
    for (let i = 0; i < keys.length; i++) inOrder[i] = scores[keys[i]!]!;
    const isExact = exact.size === 0 ? undefined : Uint8Array.from(keys, (key) => Number(exact.has(key)));
    const first = takeFirst(keys.length, end + 1, (a, b) => {
      const difference = (isExact ? isExact[b]! - isExact[a]! : 0) || inOrder[b]! - inOrder[a]!;
      return difference < 0 || (difference === 0 && a < b);
    });
    const next: Cursor | undefined = first.length > end ? { kind: 'rank', seq, offset: end } : undefined;
    return { keys: first.slice(start, end).map((i) => keys[i]!), next, scores };
  }

  #sortedPage(request: SearchRequest, sort: SortSpec, keys: Uint32Array, cursor: Cursor | undefined): Page {
    if (cursor?.kind === 'rank') {
      // A ranking that became too broad to compute again.
      throw new GarnerError(
        'cursor.expired',
        'this ranking can no longer be continued; start from the first page',
      );
    }
    if (cursor && (cursor.sort.by !== sort.by || cursor.sort.direction !== sort.direction))
      throw invalidCursor();
    if (sort.by !== 'updated' && sort.by !== 'title') getField(this.#catalogue, sort.by);
    const start = request.offset ?? 0;
    const end = start + request.limit;
    // Only counts are wanted.
    if (end === 0) return { keys: [], next: undefined };
    const reader = {
      db: this.#db,
      columns: this.#columns,
      values: this.#values,
      names: this.#names,
      fields: this.#fields,
      hits: this.#hits,
    };
    const sorted = sortDocs(reader, sort, keys, end + 1, cursor);
    const last = sorted.keys[end - 1];
    const next: Cursor | undefined =
      sorted.keys.length > end && last !== undefined
        ? { kind: 'field', sort, value: sorted.sortValue(last), key: last }
        : undefined;
    return { keys: sorted.keys.slice(start, end), next };
  }

  #readHits(request: SearchRequest, { keys, scores }: Page): Hit[] {
    const highlight = request.highlight ? createHighlighter(request.query, this.#specs) : undefined;
    return keys.map((key) => {
      const { hit, stored } = this.#hits.read(key, {
        fields: request.fields,
        raw: request.raw,
        score: scores?.[key],
      });
      return highlight ? { ...hit, highlights: highlight(stored) } : hit;
    });
  }

  #countFacets(request: SearchRequest, keys: Uint32Array, allowed: AllowedRules): SearchAnswer['facets'] {
    const reader = {
      columns: this.#columns,
      values: this.#values,
      names: this.#names,
      catalogue: this.#catalogue,
      specs: this.#specs,
      fields: this.#fields,
    };
    return Object.fromEntries(
      (request.facets ?? []).map((facet) => [facet.field, countFacet(reader, facet, keys, allowed)]),
    );
  }
}

function getSource(ids: ReadonlyMap<string, number>, name: string): number {
  const id = ids.get(name);
  if (id === undefined) {
    throw new GarnerError('source.unknown', `there is no source "${name}"`, { details: { source: name } });
  }
  return id;
}

function checkBounds({ limit, offset = 0 }: SearchRequest): void {
  if (!Number.isInteger(limit) || limit < 0 || limit > MAX_LIMIT) {
    throw new GarnerError('request.invalid', `limit must be a whole number from 0 to ${MAX_LIMIT}`, {
      details: { limit },
    });
  }
  if (!Number.isInteger(offset) || offset < 0 || offset > MAX_OFFSET) {
    throw new GarnerError(
      'request.invalid',
      `offset must be a whole number from 0 to ${MAX_OFFSET}; beyond, page on with the cursor`,
      { details: { offset } },
    );
  }
}
