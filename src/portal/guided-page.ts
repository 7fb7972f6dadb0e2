/** Guided search: choices that lead from everything to single resources, with the expression they make. */
import { html } from 'hono/html';
import type { GuidedAttribute, GuidedForm } from '../federate/guided/form.ts';
import type { FoundProfile } from '../federate/network/merge.ts';
import type { ServerStatus } from '../federate/network/server-status.ts';
import { type ExpressionNote, renderExpressionNote } from './expression-note.ts';
import { countText } from './field-text.ts';
import { renderAttribute } from './guided-attribute.ts';
import { type Html, renderPage, type Site } from './page.ts';
import { renderFoundProfiles, renderMissing, renderServers } from './profile-results.ts';

/** One choice that was made: what it says, and where the reader stands after and without it. */
export interface GuidedStep {
  readonly text: string;
  readonly untilHref: string;
  readonly withoutHref: string;
}

export interface GuidedPageParts {
  readonly site: Site;
  readonly expression: string;
  /** What is wrong with the expression; with a mistake in it nothing was asked. */
  readonly note?: ExpressionNote | undefined;
  readonly isMistaken: boolean;
  readonly steps: readonly GuidedStep[];
  readonly form: GuidedForm;
  /** Attributes that lead further. */
  readonly attributes: readonly GuidedAttribute[];
  readonly hrefOf: (name: string, value: string) => string;
  /** Of an attribute's years or numbers between two. */
  readonly spanHrefOf: (name: string, from: string, below: string) => string;
  readonly elementHrefOf: (name: string) => string | undefined;
  /** Absent: they are not asked for yet. */
  readonly found?: readonly FoundProfile[];
  readonly profilesHref: string;
  readonly allHref: string;
  readonly servers: readonly Omit<ServerStatus, 'unverified'>[];
  /** Profiles are still being gathered: attributes and values may be missing. */
  readonly isGathering: boolean;
  readonly signedInAs?: string | undefined;
}

/** An attribute that fewer than this share of the matches have waits behind the others. */
const COMMON_SHARE = 0.5;

export function renderGuidedPage(page: GuidedPageParts): Html {
  const { site, expression, steps, form, attributes, found, profilesHref, servers, signedInAs } = page;
  const common = attributes
    .toSorted(listedFirst)
    .filter(({ present }) => present >= form.total * COMMON_SHARE);
  const special = attributes.toSorted(listedFirst).filter((attribute) => !common.includes(attribute));
  const total = `${countText(form.total)} ${form.total === 1 ? 'resource' : 'resources'}`;
  const main = html`<div class="wrap guided">
  <h1>Guided search</h1>
  ${renderSteps(steps)}
  <form class="search-form" action="/guided" role="search" aria-label="Expression">
    <label for="guided-q">Expression</label>
    <div class="search-row">
      <input id="guided-q" name="q" value="${expression}" placeholder="TARGET_NAME = IO AND EXPOSURE_DURATION &gt; 60" autocomplete="off" spellcheck="false" maxlength="10000">
      <button>Apply</button>
    </div>
  </form>
  ${page.note ? renderExpressionNote(expression, page.note) : ''}
  ${
    page.isMistaken
      ? ''
      : html`<p role="status" class="results-head"><span><strong>${total}</strong>${renderMissing(servers)}</span>${
          found === undefined && form.total > 0
            ? html` <a class="button" href="${profilesHref}">Show ${form.total === 1 ? 'the profile' : 'the profiles'}</a>`
            : ''
        }</p>`
  }
  ${page.isGathering ? html`<p class="empty">Profiles are still being gathered: there will be more to choose from in a while.</p>` : ''}
  ${found === undefined ? '' : renderFoundProfiles(found, form.total, servers)}
  ${found !== undefined && found.length < form.total ? html`<p><a href="${page.allHref}">More of them on one page</a></p>` : ''}
  ${common.length === 0 ? '' : html`<h2>${steps.length === 0 ? 'Begin with' : 'Narrow down by'}</h2>`}
  <div class="guided-attributes">${common.map((attribute) => renderAttribute(attribute, page))}</div>
  ${
    special.length === 0
      ? ''
      : html`<details class="guided-special"${common.length === 0 ? html` open` : ''}><summary>Attributes of some of them (${special.length})</summary>
  <div class="guided-attributes">${special.map((attribute) => renderAttribute(attribute, page))}</div></details>`
  }
  ${form.total === 0 && !page.isMistaken ? html`<p class="empty">Nothing matches. Take a choice back, or change the expression.</p>` : ''}
  ${renderServers(servers)}
</div>`;
  return renderPage({ site, title: 'Guided search', main, place: 'guided', query: '', signedInAs });
}

/** What can be chosen at a glance comes before bounds, and those before what must be typed. */
function listedFirst(a: GuidedAttribute, b: GuidedAttribute): number {
  const place = ({ values, numbers, dates }: GuidedAttribute) =>
    values.length > 0 ? 0 : numbers || dates ? 1 : 2;
  return place(a) - place(b);
}

function renderSteps(steps: readonly GuidedStep[]): Html {
  return html`<nav aria-label="Choices"><ol class="crumbs">
    <li>${steps.length === 0 ? html`<span aria-current="step">Everything</span>` : html`<a href="/guided">Everything</a>`}</li>
    ${steps.map(({ text, untilHref, withoutHref }, i) => {
      const isLast = i === steps.length - 1;
      return html`<li>${isLast ? html`<span aria-current="step">${text}</span>` : html`<a href="${untilHref}">${text}</a>`}
      <a class="cross" href="${withoutHref}" aria-label="Take back ${text}">×</a></li>`;
    })}
  </ol></nav>`;
}
