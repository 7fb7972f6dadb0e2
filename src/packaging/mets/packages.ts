/** METS of whatever can be packaged, as streams of text. */
import { hash } from 'node:crypto';
import { OPERATOR, type Viewer } from '../../core/access.ts';
import { GarnerError } from '../../core/errors.ts';
import type { ItemRef } from '../../core/model.ts';
import { parseJson } from '../../formats/extract-json.ts';
import { METS, type MetsParts } from '../../formats/mets/mets-document.ts';
import { writeMets } from '../../formats/mets/write-mets.ts';
import { type WebCapture, webCapture } from '../../formats/web-capture.ts';
import { webSnapshot } from '../../formats/web-snapshot.ts';
import type { GarnerStore, HarvestRecord, StoredItem, VersionInfo } from '../../store/index.ts';
import type { SiteModel } from '../site-model/site-model.ts';
import type { SiteModels } from '../site-model/site-models.ts';
import { aggregateParts } from './aggregates.ts';
import { openCaptureModel } from './capture-model.ts';
import { type DescribePage, describePage } from './describe-page.ts';
import { createIds } from './ids.ts';
import { metsUrl, type PackageContext, type Publisher, type RepositoryEvent } from './package-context.ts';
import { pageParts } from './page-parts.ts';
import { siteParts } from './site-parts.ts';

export interface MetsDeps {
  readonly store: Pick<GarnerStore, 'items' | 'captures' | 'blobs'>;
  readonly dataFolder: string;
  readonly models: SiteModels;
  readonly publisher: Publisher;
  readonly describePage?: DescribePage;
}

export interface MetsChoice {
  /** Of a snapshot: only this page of it. */
  readonly page?: string | undefined;
  /** Of a snapshot: its pages by reference, each in a document of its own. */
  readonly pagesApart?: boolean;
  /** See `createIds`. */
  readonly idScope?: string;
}

type MetsStream = AsyncGenerator<string>;

const XML_DECLARATION = '<?xml version="1.0" encoding="UTF-8"?>\n';
const CHUNK = 64 * 1024;

/** Formats whose items can be given as METS. */
export const hasMets = ({ status, records }: Pick<StoredItem, 'status' | 'records'>): boolean =>
  status === 'live' &&
  records.some(
    ({ format, status: state }) =>
      state === 'live' && (format === webSnapshot.name || format === webCapture.name),
  );

export interface MetsPackages {
  /** One document with its XML declaration. Opened when it resolves, so that what is missing is told before. */
  write(item: StoredItem, choice: MetsChoice, viewer: Viewer): Promise<MetsStream>;
  /** For OAI-PMH: one element. */
  readonly forms: readonly {
    readonly prefix: string;
    readonly schema: string;
    readonly namespace: string;
    readonly madeOf: string;
    readonly content: 'raw';
    render(record: HarvestRecord): Promise<AsyncIterable<string>>;
  }[];
}

export function createMetsPackages(deps: MetsDeps): MetsPackages {
  const { store, models, publisher } = deps;

  async function contextOf(item: StoredItem, viewer: Viewer, idScope?: string): Promise<PackageContext> {
    const history = await store.items.listHistory(item, viewer);
    const times = history.map(({ at }) => at);
    return {
      publisher,
      item,
      createdAt: Math.min(...times, item.firstSeenAt),
      modifiedAt: Math.max(...times, item.firstSeenAt),
      isPublic: item.access.public === true,
      events: history.flatMap(eventOf),
      ids: createIds(idScope),
      describePage: deps.describePage ?? describePage,
    };
  }

  async function open(
    item: StoredItem,
    choice: MetsChoice,
    viewer: Viewer,
  ): Promise<{ model: SiteModel; parts: MetsParts }> {
    const context = await contextOf(item, viewer, choice.idScope);
    if (item.records.some(({ format, status }) => format === webSnapshot.name && status === 'live')) {
      const { model } = await models.openSnapshot(item, viewer);
      return { model, parts: snapshotParts(model, context, choice) };
    }
    const record = await readCapture(store, item, viewer);
    const model = await openCaptureModel(deps, item, record, viewer);
    const page = model.findFile(record.url);
    if (!page) throw new GarnerError('archive.record', `the capture of ${record.url} cannot be read`);
    const leafUrl = (identifier: string) => metsUrl(publisher, { source: item.source, identifier });
    return { model, parts: pageParts(model, page, context, leafUrl) };
  }

  async function render({ source, identifier, oaiIdentifier }: HarvestRecord): Promise<MetsStream> {
    // Whether it may be seen was decided where the list was made.
    const item = await store.items.findItem({ source, identifier }, OPERATOR);
    if (!item) throw new GarnerError('item.unknown', `there is no item ${identifier} in ${source}`);
    return stream(await open(item, { idScope: oaiIdentifier }, OPERATOR));
  }

  const form = { ...METS, content: 'raw', render } as const;
  return {
    write: async (item, choice, viewer) => stream(await open(item, choice, viewer), XML_DECLARATION),
    forms: [
      { ...form, madeOf: webSnapshot.name },
      { ...form, madeOf: webCapture.name },
    ],
  };
}

function snapshotParts(model: SiteModel, context: PackageContext, choice: MetsChoice): MetsParts {
  const { page: url, pagesApart } = choice;
  const { facts } = model;
  if (url !== undefined) {
    const page = model.findFile(url);
    if (!page) {
      model[Symbol.dispose]();
      throw new GarnerError('item.unknown', `the snapshot has no page ${url}`);
    }
    return pageParts(model, page, context);
  }
  if (pagesApart !== true) return siteParts(model, context);
  const { publisher, item, createdAt } = context;
  return aggregateParts(
    {
      url: `${metsUrl(publisher, item)}&pages=apart`,
      title: facts.title,
      type: 'harvest',
      genre: 'Web site',
      createdAt,
      ...(facts.startedAt !== undefined && {
        captured: { startAt: facts.startedAt, endAt: facts.endedAt ?? facts.startedAt },
      }),
      members: pageMembers(model, context),
    },
    publisher,
  );
}

function* pageMembers(model: SiteModel, { publisher, item, describePage: describe }: PackageContext) {
  for (const page of model.pages())
    yield { type: 'web page', label: describe(page).title, url: metsUrl(publisher, item, page.url) };
}

/** Repository-driven changes; those of the creator are captures. */
const EVENTS: Readonly<Record<VersionInfo['change'], string>> = {
  added: 'ingestion',
  updated: 'modification',
  deleted: 'withdrawal',
  restored: 'restoration',
  'rolled-back': 'rollback',
};

const eventOf = ({ at, change, format, version, note }: VersionInfo): RepositoryEvent[] => [
  {
    at,
    type: EVENTS[change],
    detail: `version ${version} of the record in ${format}${note === undefined ? '' : `: ${note}`}`,
  },
];

async function readCapture(
  { items }: Pick<GarnerStore, 'items'>,
  item: ItemRef,
  viewer: Viewer,
): Promise<WebCapture> {
  const content = await items.findContent(item, { format: webCapture.name }, viewer);
  const value = content && parseJson(content.bytes);
  if (isCapture(value)) return value;
  throw new GarnerError('item.unknown', `"${item.identifier}" is neither a snapshot nor a capture`);
}

const isCapture = (value: unknown): value is WebCapture =>
  typeof value === 'object' && value !== null && 'webCapture' in value && 'added' in value;

/** Closes the model when it was read, or when nobody reads on. */
async function* stream(
  { model, parts }: { readonly model: SiteModel; readonly parts: MetsParts },
  before = '',
): MetsStream {
  try {
    yield* inChunks(writeMets(parts), before);
  } finally {
    model[Symbol.dispose]();
  }
}

/** Few large pieces go through streams faster than many small ones. */
export function* inChunks(pieces: Iterable<string>, before = ''): Generator<string> {
  let chunk = before;
  for (const piece of pieces) {
    chunk += piece;
    if (chunk.length < CHUNK) continue;
    yield chunk;
    chunk = '';
  }
  if (chunk !== '') yield chunk;
}

/** Small documents, such as aggregators, at once. */
export const metsText = (parts: MetsParts): string => XML_DECLARATION + [...writeMets(parts)].join('');

/** For the tag of an answer. */
export const metsTag = (text: string): string => hash('sha256', text, 'hex').slice(0, 32);
