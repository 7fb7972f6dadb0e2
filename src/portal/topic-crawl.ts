/** What follows on a topic's list: what is being crawled, what failed, and the snapshot. */
import { html } from 'hono/html';
import { itemPath } from '../core/identifiers.ts';
import type { CrawlProgress } from '../crawl/progress.ts';
import type { SeedOutcome, TopicCrawl, TopicRun } from '../discover/index.ts';
import { renderCrawlProgress } from './crawl-progress.ts';
import { countText } from './field-text.ts';
import type { Html } from './page.ts';

export interface TopicCrawlParts {
  readonly run: TopicRun;
  readonly crawl: TopicCrawl;
  /** While it goes on. */
  readonly progress: CrawlProgress | undefined;
  /** By key. */
  readonly outcomes: ReadonlyMap<string, SeedOutcome>;
  readonly going: boolean;
}

export function renderTopicCrawl({ run, crawl, progress, outcomes, going }: TopicCrawlParts): Html {
  const { seeds, snapshot, message, runId } = crawl;
  const failed = seeds.flatMap(({ key, url }) => {
    const outcome = outcomes.get(key);
    return outcome && isFailure(outcome) ? [{ url, ...outcome }] : [];
  });
  const ranked = seeds.filter(({ hop }) => !hop).length;
  const done = seeds.filter(({ key }) => outcomes.get(key)?.state === 'done').length;
  return html`<section aria-labelledby="archive"><h2 id="archive">Archive</h2>
  <p>${stateText(crawl, going)} Accepted are ${countText(ranked)} of ${countText(run.candidates.length)} candidates${ranked === seeds.length ? '' : ` and ${countText(seeds.length - ranked)} addresses found in documents`}, of which ${countText(done)} were answered${failed.length === 0 ? '' : ` and ${countText(failed.length)} failed or were left out`}${runId === undefined ? '' : html`; <a href="/runs/${runId}">run ${runId}</a>`}.${message === undefined ? '' : ` ${message}.`}</p>
  ${snapshot === undefined ? '' : html`<p>Snapshot: <a href="${itemPath(run.acronym, snapshot)}">${snapshot}</a>, in the set <a href="/oai?verb=ListIdentifiers&metadataPrefix=oai_dc&set=${run.acronym}">${run.acronym}</a> of OAI-PMH</p>`}
  ${going && progress ? renderCrawlProgress(progress) : ''}
  ${
    failed.length === 0
      ? ''
      : html`<h3>Not archived</h3>
  <ul>${failed.map(({ url, status, reason }) => html`<li>${url} <span class="muted">${[status, reason].filter((part) => part !== undefined).join(', ')}</span></li>`)}</ul>`
  }</section>`;
}

const isFailure = ({ state, status = 0 }: SeedOutcome): boolean =>
  state === 'failed' || state === 'excluded' || status >= 400;

function stateText({ state }: TopicCrawl, going: boolean): string {
  switch (state) {
    case 'waiting':
      return 'The crawl has not begun yet.';
    case 'crawling':
      return going ? 'The crawl is going on.' : 'The crawl was stopped; the next run goes on with it.';
    case 'crawled':
      return 'The crawl is done; its pages are being read.';
    case 'done':
      return 'The crawl is done.';
    case 'failed':
      return 'Nothing could be archived.';
  }
}
