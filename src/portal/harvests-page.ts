/** The harvests of an archive in both orders, each site over time and each day over the sites: METS for people. */
import { html } from 'hono/html';
import { itemPath } from '../core/identifiers.ts';
import { AGGREGATE_PATHS, dayOf } from '../packaging/mets/collections.ts';
import type { SnapshotEntry } from '../packaging/mets/list-snapshots.ts';
import { countText, instantText } from './field-text.ts';
import { type Html, renderPage, type Site } from './page.ts';

export type HarvestsOrder =
  | { readonly of: 'sites' }
  | { readonly of: 'days' }
  | { readonly of: 'site'; readonly source: string; readonly series: string }
  | { readonly of: 'day'; readonly day: string };

export interface HarvestsPageParts {
  readonly site: Site;
  readonly order: HarvestsOrder;
  /** All that the reader may see, oldest first. */
  readonly entries: readonly SnapshotEntry[];
  /** Of the same as METS. */
  readonly metsPath: string;
  readonly signedInAs?: string | undefined;
}

interface Shown {
  readonly heading: string;
  readonly lead: string;
  readonly columns: readonly string[];
  readonly rows: readonly (readonly (Html | string)[])[];
}

export function renderHarvestsPage({ site, order, entries, metsPath, signedInAs }: HarvestsPageParts): Html {
  const { heading, lead, columns, rows } = show(order, entries);
  const main = html`<div class="wrap">
  <p class="crumbs"><a href="${AGGREGATE_PATHS.sites}">Sites</a> · <a href="${AGGREGATE_PATHS.days}">Days</a></p>
  <h1>${heading}</h1>
  <p>${lead} <a href="${metsPath}">The same as METS</a></p>
  <div class="scroll" role="region" aria-label="${heading}" tabindex="0"><table>
    <thead><tr>${columns.map((column) => html`<th scope="col">${column}</th>`)}</tr></thead>
    <tbody>${rows.map((cells) => html`<tr>${cells.map((cell) => html`<td>${cell}</td>`)}</tr>`)}</tbody>
  </table></div>
</div>`;
  return renderPage({ site, title: heading, main, query: '', signedInAs });
}

function show(order: HarvestsOrder, entries: readonly SnapshotEntry[]): Shown {
  if (order.of === 'sites') return showSites(entries);
  if (order.of === 'days') return showDays(entries);
  if (order.of === 'day') return showDay(entries, order.day);
  const own = entries.filter(({ source, series }) => source === order.source && series === order.series);
  return {
    heading: order.series,
    lead: `${harvests(own.length)}, the newest first.`,
    columns: ['Begun', 'Ended', 'Package', 'Identifier'],
    rows: own
      .toReversed()
      .map((entry, index) => [
        html`${itemLink(entry, instantText(entry.startedAt))}${index === 0 ? html` <span class="muted">newest</span>` : ''}`,
        instantText(entry.endedAt),
        metsLink(entry),
        html`<code>${entry.identifier}</code>`,
      ]),
  };
}

function showSites(entries: readonly SnapshotEntry[]): Shown {
  const sites = Map.groupBy(entries, ({ source, series }) => AGGREGATE_PATHS.site(source, series));
  return {
    heading: 'Archived sites',
    lead: 'Every site and topic that was harvested.',
    columns: ['Site', 'Harvests', 'Newest'],
    rows: Array.from(sites, ([path, own]) => {
      const newest = own.at(-1);
      return [
        html`<a href="${path}">${newest?.series ?? path}</a>`,
        countText(own.length),
        newest ? itemLink(newest, instantText(newest.startedAt)) : '',
      ];
    }),
  };
}

function showDays(entries: readonly SnapshotEntry[]): Shown {
  const days = Map.groupBy(entries, ({ startedAt }) => dayOf(startedAt));
  return {
    heading: 'Days of harvests',
    lead: 'Every day on which something was harvested, the last first.',
    columns: ['Day', 'Harvests'],
    rows: Array.from(days)
      .toReversed()
      .map(([day, own]) => [html`<a href="${AGGREGATE_PATHS.day(day)}">${day}</a>`, countText(own.length)]),
  };
}

function showDay(entries: readonly SnapshotEntry[], day: string): Shown {
  const own = entries.filter(({ startedAt }) => dayOf(startedAt) === day);
  return {
    heading: `Harvests of ${day}`,
    lead: `${harvests(own.length)}.`,
    columns: ['Begun', 'Site', 'Package', 'Identifier'],
    rows: own.map((entry) => [
      itemLink(entry, instantText(entry.startedAt)),
      html`<a href="${AGGREGATE_PATHS.site(entry.source, entry.series)}">${entry.series}</a>`,
      metsLink(entry),
      html`<code>${entry.identifier}</code>`,
    ]),
  };
}

const harvests = (count: number): string => `${countText(count)} ${count === 1 ? 'harvest' : 'harvests'}`;

const itemLink = ({ source, identifier }: SnapshotEntry, text: string): Html =>
  html`<a href="${itemPath(source, identifier)}">${text}</a>`;

const metsLink = ({ source, identifier }: SnapshotEntry): Html =>
  html`<a href="${itemPath(source, identifier, '/packages/')}?format=mets">METS<span class="hidden"> of ${identifier}</span></a>`;
