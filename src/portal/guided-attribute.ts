/** One attribute of the guided search: values with counts, or a histogram and bounds, or a box to type in. */
import { html } from 'hono/html';
import type { GuidedAttribute } from '../federate/guided/form.ts';
import { countText } from './field-text.ts';
import type { GuidedPageParts } from './guided-page.ts';
import type { Html } from './page.ts';
import { binYears } from './year-bins.ts';

type Links = Pick<GuidedPageParts, 'expression' | 'hrefOf' | 'spanHrefOf' | 'elementHrefOf'>;

const SHOWN_VALUES = 8;
const MOST_BARS = 12;

export function renderAttribute(attribute: GuidedAttribute, links: Links): Html {
  const { name, values, moreValues, numbers, dates } = attribute;
  const id = `attribute-${name.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, '-')}`;
  const about = links.elementHrefOf(name);
  return html`<section class="facet" aria-labelledby="${id}">
  <h3 id="${id}">${about === undefined ? name : html`<a href="${about}">${name}</a>`}</h3>
  ${values.length === 0 ? '' : renderValues(attribute, links)}
  ${numbers ? html`${renderBars(numberBars(numbers), name, links)}${renderBounds(id, attribute, links, String(numbers.min), String(numbers.max), 'number')}` : ''}
  ${dates ? html`${renderBars(yearBars(dates.years), name, links)}${renderBounds(id, attribute, links, dates.first, dates.last, 'date')}` : ''}
  ${moreValues && !numbers && !dates ? renderTyped(id, name, links) : ''}
</section>`;
}

function renderValues({ name, values }: GuidedAttribute, { hrefOf }: Links): Html {
  const item = ({ value, count }: GuidedAttribute['values'][number]) =>
    html`<li><a class="value" href="${hrefOf(name, value)}"><span>${value}</span> <span class="count">${countText(count)}</span></a></li>`;
  const rest = values.slice(SHOWN_VALUES);
  return html`<ul>${values.slice(0, SHOWN_VALUES).map(item)}</ul>${
    rest.length === 0
      ? ''
      : html`<details><summary>${rest.length} more</summary><ul>${rest.map(item)}</ul></details>`
  }`;
}

interface Bar {
  readonly label: string;
  readonly from: string;
  /** Not included. */
  readonly below: string;
  readonly count: number;
}

function numberBars({ width, steps }: NonNullable<GuidedAttribute['numbers']>): Bar[] {
  const first = steps[0]?.from ?? 0;
  const last = steps.at(-1)?.from ?? first;
  const counts = new Map(steps.map(({ from, count }) => [from, count]));
  const bars: Bar[] = [];
  for (let from = first; from <= last && bars.length < 64; from += width) {
    const below = from + width;
    bars.push({
      label: `${from} to below ${below}`,
      from: String(from),
      below: String(below),
      count: counts.get(from) ?? 0,
    });
  }
  return bars;
}

function yearBars(years: readonly { readonly value: string; readonly count: number }[]): Bar[] {
  return binYears(years, MOST_BARS).map(({ from, to, count }) => ({
    label: from === to ? String(from) : `${from} to ${to}`,
    from: String(from).padStart(4, '0'),
    below: String(to + 1).padStart(4, '0'),
    count,
  }));
}

const BAR_HEIGHT = 48;
const BAR_WIDTH = 12;

/** Each bar is a choice. Heights stand in attributes of SVG, since pages allow no styles of their own. */
function renderBars(bars: readonly Bar[], name: string, { spanHrefOf }: Links): Html {
  const most = Math.max(1, ...bars.map(({ count }) => count));
  return html`<svg class="histogram" viewBox="0 0 ${bars.length * BAR_WIDTH} ${BAR_HEIGHT}" preserveAspectRatio="none" role="group" aria-label="How many, by ${name}">${bars.map(
    ({ label, from, below, count }, i) => {
      if (count === 0) return '';
      const height = Math.max(2, Math.round((count / most) * BAR_HEIGHT));
      const text = `${label}: ${countText(count)}`;
      return html`<a href="${spanHrefOf(name, from, below)}" aria-label="${text}"><title>${text}</title><rect x="${i * BAR_WIDTH + 1}" y="${BAR_HEIGHT - height}" width="${BAR_WIDTH - 2}" height="${height}"></rect></a>`;
    },
  )}</svg>`;
}

/** `YYYY-MM-DD` */
const DAY_LENGTH = 10;

function renderBounds(
  id: string,
  { name }: GuidedAttribute,
  { expression }: Links,
  min: string,
  max: string,
  kind: 'number' | 'date',
): Html {
  const box = (bound: 'from' | 'to', label: string, value: string) =>
    html`<label for="${id}-${bound}">${label}</label> <input id="${id}-${bound}" name="${bound}" ${kind === 'number' ? html`inputmode="decimal"` : ''} placeholder="${kind === 'date' ? value.slice(0, DAY_LENGTH) : value}" size="10" maxlength="40" autocomplete="off">`;
  return html`<form class="bounds" action="/guided" aria-label="${name} between">
    <input type="hidden" name="q" value="${expression}"><input type="hidden" name="attribute" value="${name}">
    ${box('from', 'from', min)} ${box('to', 'to', max)} <button>Choose</button>
  </form>`;
}

function renderTyped(id: string, name: string, { expression }: Links): Html {
  return html`<form class="bounds" action="/guided" aria-label="${name}">
    <input type="hidden" name="q" value="${expression}"><input type="hidden" name="attribute" value="${name}">
    <label for="${id}-is">is</label> <input id="${id}-is" name="is" size="18" maxlength="500" autocomplete="off"> <button>Choose</button>
  </form>`;
}
