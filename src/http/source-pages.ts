/** /sources/{name}: how good the records of a source are. */
import type { Context, Hono } from 'hono';
import { stream } from 'hono/streaming';
import type { Viewer } from '../core/access.ts';
import { GarnerError } from '../core/errors.ts';
import { writeCsvRow } from '../core/write-csv.ts';
import type { PortalAssets } from '../portal/assets.ts';
import { type MissingRecords, renderSourcePage } from '../portal/source-page.ts';
import type { KnownLoss } from '../store/index.ts';
import type {
  DuplicateGroup,
  ProblemRule,
  QualityReport,
  QualityReports,
  SourceQuality,
} from '../workflow/quality/index.ts';
import { type HttpEnv, signedInAs } from './context.ts';
import type { HttpDeps } from './deps.ts';
import { countedSources, readableRuns } from './readable.ts';
import { siteFor } from './site.ts';

/** How long a page waits for a new report before it shows the old one, or none. */
const WAIT_MS = 1500;
const SHOWN_LOSSES = 50;
const PAGE = 500;
const COLUMNS = [
  'source',
  'format',
  'name',
  'code',
  'message',
  'where',
  'line',
  'first run',
  'last run',
  'accepted',
];

export function addSourcePages(app: Hono<HttpEnv>, deps: HttpDeps, assets: PortalAssets): void {
  const { quality } = deps;
  app.get('/sources/:name', async (c) => {
    const name = await getSource(c, deps);
    const viewer = c.get('viewer');
    const isCounted = (await countedSources(deps, viewer))(name);
    const { report, fresh } =
      quality && isCounted ? await newest(quality, deps) : { report: undefined, fresh: true };
    const found = report?.sources[name];
    return c.html(
      renderSourcePage({
        site: siteFor(c, deps, assets),
        source: name,
        quality: found && (await asSeenBy(found, deps, viewer)),
        missing: isCounted ? await findMissing(name, deps, viewer) : undefined,
        madeAt: report?.madeAt,
        fresh,
        signedInAs: signedInAs(c),
      }),
    );
  });

  app.get('/sources/:name/missing.csv', async (c) => {
    const source = await getSource(c, deps);
    if (c.get('viewer').role === 'reader')
      throw new GarnerError('access.denied', 'what is missing is for curators and operators');
    c.header('content-type', 'text/csv; charset=utf-8; header=present');
    c.header('content-disposition', `attachment; filename="missing.csv"`);
    return stream(c, async (out) => {
      await out.write(writeCsvRow(COLUMNS));
      for (let after = 0; !out.aborted; ) {
        const losses = await deps.store.runs.listLosses({ source, after, limit: PAGE });
        await out.write(losses.map((loss) => writeLoss(source, loss)).join(''));
        if (losses.length < PAGE) return;
        after = losses.at(-1)?.id ?? after;
      }
    });
  });
}

const writeLoss = (source: string, loss: KnownLoss): string =>
  writeCsvRow([
    source,
    loss.list,
    loss.name,
    loss.code,
    loss.message,
    loss.where,
    loss.line?.toString(),
    String(loss.firstRun),
    String(loss.lastRun),
    loss.acceptedAt === undefined ? undefined : new Date(loss.acceptedAt).toISOString(),
  ]);

async function getSource(c: Context<HttpEnv>, deps: HttpDeps): Promise<string> {
  const name = c.req.param('name') ?? '';
  const known = (await deps.store.items.listSources()).some((source) => source.name === name);
  if (!known || !(await readableRuns(deps, c.get('viewer')))(name))
    throw new GarnerError('source.unknown', `there is no source "${name}"`);
  return name;
}

/** Names of files, and of records that nobody has seen, are for keepers. */
async function findMissing(source: string, { store }: HttpDeps, { role }: Viewer): Promise<MissingRecords> {
  const { open, accepted } = await store.runs.countLosses(source);
  const losses = role === 'reader' ? [] : await store.runs.listLosses({ source, limit: SHOWN_LOSSES });
  return { open, accepted, losses };
}

async function newest(
  quality: QualityReports,
  { log }: HttpDeps,
): Promise<{ report: QualityReport | undefined; fresh: boolean }> {
  const found = await quality.find();
  if (found.fresh) return found;
  const made = quality.make().catch((error: unknown) => {
    log('http.failed', { method: 'GET', path: '/sources', error });
  });
  const waited = new Promise<undefined>((resolve) => {
    setTimeout(() => resolve(undefined), WAIT_MS).unref();
  });
  const report = await Promise.race([made, waited]);
  return report ? { report, fresh: true } : found;
}

/** Readers learn of no item that they may not read: neither as an example nor as a duplicate. */
async function asSeenBy(
  quality: SourceQuality,
  { store }: Pick<HttpDeps, 'store'>,
  viewer: Viewer,
): Promise<SourceQuality> {
  if (viewer.role !== 'reader') return quality;
  const mayRead = async (source: string, identifier: string) =>
    (await store.items.findItem({ source, identifier }, viewer)) !== undefined;
  const groups: DuplicateGroup[] = [];
  for (const group of quality.duplicateGroups) {
    const seen = await Promise.all(
      group.members.map(({ source, identifier }) => mayRead(source, identifier)),
    );
    const members = group.members.filter((_, index) => seen[index]);
    if (members.length > 1) groups.push({ ...group, members, size: members.length });
  }
  const kinds = quality.duplicates.map(({ kind }) => {
    const own = groups.filter((group) => group.kind === kind);
    const across = own.filter(({ members }) => new Set(members.map(({ source }) => source)).size > 1);
    return { kind, groups: own.length, acrossSources: across.length };
  });
  const problems = await Promise.all(
    quality.problems.map(async (rule) => {
      const { identifier } = rule;
      if (identifier !== undefined && (await mayRead(quality.source, identifier))) return rule;
      return withoutExample(rule);
    }),
  );
  return {
    ...quality,
    problems,
    // Names of files, and of records that nobody has seen.
    keptOut: quality.keptOut.map(withoutExample),
    duplicates: kinds,
    duplicateGroups: groups,
  };
}

const withoutExample = ({ code, rule, items }: ProblemRule): ProblemRule => ({
  code,
  rule,
  items,
  example: rule,
});
