/** The ranked list of candidates that a snapshot was crawled from, as a metadata set of its container. */
import { surtKey } from '../../archive/index.ts';
import { PackageXml } from './package-xml.ts';

export interface ListedCandidate {
  /** From 1. */
  readonly position: number;
  readonly url: string;
  /** All spellings. */
  readonly originals?: readonly string[];
  readonly weight: number;
  /** By engine. */
  readonly ranks: Readonly<Record<string, number>>;
  readonly title?: string;
}

export interface CandidateList {
  readonly runId: number;
  readonly queries: readonly string[];
  readonly depth: number;
  readonly method: string;
  readonly startedAt: number;
  readonly candidates: readonly ListedCandidate[];
}

/** One element without an XML declaration. */
export function writeCandidateList(list: CandidateList): string {
  const xml = new PackageXml();
  const queries = list.queries.map((query) => xml.text('query', query));
  const candidates = list.candidates.map(({ position, url, weight, ranks, title }) =>
    xml.element(
      'candidate',
      [
        xml.text('url', url),
        xml.text('title', title),
        ...Object.entries(ranks).map(([engine, rank]) => xml.text('rank', rank, { engine })),
      ].join(''),
      { position, weight },
    ),
  );
  return xml.root('candidates', [...queries, ...candidates].join(''), {
    run: list.runId,
    method: list.method,
    depth: list.depth,
    startedAt: new Date(list.startedAt).toISOString(),
  });
}

/** By any spelling of its address. */
export function indexCandidates(
  list: CandidateList | undefined,
): (url: string) => ListedCandidate | undefined {
  const known = new Map<string, ListedCandidate>();
  for (const candidate of list?.candidates ?? [])
    for (const url of [candidate.url, ...(candidate.originals ?? [])])
      if (!known.has(surtKey(url))) known.set(surtKey(url), candidate);
  return (url) => known.get(surtKey(url));
}
