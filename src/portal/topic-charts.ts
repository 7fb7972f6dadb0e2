/** Pictures of a topic's list: bars of counts, and how far engines agree. Made on the server, without script. */
import { html } from 'hono/html';
import type { Share, TopicStatistics } from '../discover/index.ts';
import { countText } from './field-text.ts';
import type { Html } from './page.ts';

const BAR = { height: 18, gap: 6, label: 150, width: 260, count: 50 } as const;

/** Counts as bars with their numbers, most frequent first. */
export function renderShares(label: string, shares: readonly Share[], most: number): Html {
  const shown = shares.slice(0, most);
  const largest = Math.max(1, ...shown.map(({ count }) => count));
  const step = BAR.height + BAR.gap;
  const total = BAR.label + BAR.width + BAR.count;
  const text = shown.map(({ name, count }) => `${name}: ${count}`).join(', ');
  return html`<svg class="shares" viewBox="0 0 ${total} ${Math.max(1, shown.length) * step}" role="img" aria-label="${label}: ${text}">${shown.map(
    ({ name, count }, i) => {
      const length = Math.max(2, (count / largest) * BAR.width);
      const middle = i * step + BAR.height / 2;
      return html`<text class="end" x="${BAR.label - 8}" y="${middle}">${shorten(name)}</text><rect x="${BAR.label}" y="${i * step}" width="${length}" height="${BAR.height}" rx="3"/><text x="${BAR.label + length + 6}" y="${middle}">${countText(count)}</text>`;
    },
  )}</svg>`;
}

const LONGEST_NAME = 22;
const shorten = (name: string): string =>
  name.length > LONGEST_NAME ? `${name.slice(0, LONGEST_NAME - 1)}…` : name;

const CELL = 46;

/** Engines against engines: the area of a disc is how many addresses both gave. */
export function renderOverlap({ engines, shared }: TopicStatistics['overlap']): Html {
  const largest = Math.max(1, ...shared.flat());
  const names = BAR.label;
  const size = engines.length * CELL;
  const pairs = engines.flatMap((row, i) =>
    engines.slice(i + 1).map((column, j) => `${row} and ${column}: ${shared[i]?.[i + 1 + j] ?? 0}`),
  );
  const label = pairs.length === 0 ? 'One engine alone' : `Addresses in common: ${pairs.join(', ')}`;
  return html`<svg class="overlap" viewBox="0 0 ${names + size} ${size + 24}" width="${names + size}" height="${size + 24}" role="img" aria-label="${label}">${engines.map(
    (name, i) =>
      html`<text class="end" x="${names - 8}" y="${i * CELL + CELL / 2}">${shorten(name)}</text><text class="middle" x="${names + i * CELL + CELL / 2}" y="${size + 14}">${name.slice(0, 6)}</text>`,
  )}${shared.map((row, i) =>
    row.map((count, j) => {
      const radius = Math.sqrt(count / largest) * (CELL / 2 - 2);
      const x = names + j * CELL + CELL / 2;
      const y = i * CELL + CELL / 2;
      return html`<g class="${i === j ? 'own' : 'both'}"><title>${engines[i] ?? ''}, ${engines[j] ?? ''}: ${count}</title><circle cx="${x}" cy="${y}" r="${radius.toFixed(1)}"/><text class="middle" x="${x}" y="${y}">${countText(count)}</text></g>`;
    }),
  )}</svg>`;
}
