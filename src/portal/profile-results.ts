/** Profiles that were found in the network, with links to their data, and how it went with each server. */
import { html } from 'hono/html';
import type { FoundProfile } from '../federate/network/merge.ts';
import { isMissing, type ServerState, type ServerStatus } from '../federate/network/server-status.ts';
import type { Profile } from '../formats/oodt-profile/profile.ts';
import { countText } from './field-text.ts';
import type { Html } from './page.ts';
import { shorten } from './snippet.ts';

const SHOWN_ELEMENTS = 12;

export function renderFoundProfiles(
  found: readonly FoundProfile[],
  total: number,
  servers: readonly Pick<ServerStatus, 'server' | 'title'>[],
): Html {
  const titles = new Map(servers.map(({ server, title }) => [server, title]));
  const listed =
    total > found.length ? html`<p class="note">The first ${countText(found.length)} of them.</p>` : '';
  return html`<section aria-label="Profiles">${listed}<ol class="hits profiles">${found.map((one) => renderProfile(one, titles))}</ol></section>`;
}

function renderProfile(
  { profile, server, verified }: FoundProfile,
  titles: ReadonlyMap<string, string>,
): Html {
  const { res } = profile;
  const locations = res.resLocation ?? [];
  const title = res.Title?.[0] ?? res.Identifier?.[0] ?? '';
  const shown = profile.elements.slice(0, SHOWN_ELEMENTS);
  return html`<li class="hit"><article>
    <h3>${title}</h3>
    <p class="facts">${(res.Format ?? []).map((format) => html`<span>${format}</span>`)}
      ${server === '' ? '' : html`<span class="badge">${titles.get(server) ?? new URL(server).host}</span>`}
      ${verified ? '' : html`<span class="badge">does not seem to fit</span>`}</p>
    ${shown.length === 0 ? '' : html`<dl class="profile-elements">${shown.map((element) => html`<div><dt>${element.elemName?.[0] ?? ''}</dt><dd>${elementText(element)}</dd></div>`)}</dl>`}
    ${locations.length === 0 ? '' : html`<p>${locations.map((location) => renderLocation(location, title))}</p>`}
  </article></li>`;
}

function renderLocation(location: string, title: string): Html {
  return /^https?:\/\//i.test(location)
    ? html`<a href="${location}" rel="nofollow noopener" aria-label="Data of ${title}">Data</a> `
    : html`<span>${shorten(location, 100)}</span> `;
}

function elementText({
  elemValue,
  elemMinValue,
  elemMaxValue,
  elemUnit,
}: Profile['elements'][number]): string {
  const unit = elemUnit?.[0] === undefined ? '' : ` ${elemUnit[0]}`;
  const text =
    elemValue?.join(', ') ?? (elemMinValue ? `${elemMinValue[0]} to ${elemMaxValue?.[0] ?? ''}` : 'any');
  return shorten(text, 100) + unit;
}

const STATE_TEXTS: Readonly<Record<ServerState, string>> = {
  answered: 'answered',
  more: 'answered, and has more',
  pruned: 'has nothing of it, not asked',
  failed: 'failed',
  timeout: 'did not answer in time',
  resting: 'failed before, left alone for a while',
  refused: 'stands where this server may not go',
  'too-far': 'too many steps away',
  'not-reached': 'not reached in time',
};

type ShownStatus = Omit<ServerStatus, 'unverified'> & { readonly unverified?: number };

/** Beside the number of results, which may be too small. */
export function renderMissing(servers: readonly ShownStatus[]): Html | '' {
  const missing = servers.filter(isMissing).length;
  return missing === 0 ? '' : html` (<a href="#servers">${serversText(missing)} could not be asked</a>)`;
}

const sentenceStart = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

const serversText = (count: number): string => (count === 1 ? 'one server' : `${countText(count)} servers`);

/** Nothing when there are no others. What may be missing is said before the table. */
export function renderServers(servers: readonly ShownStatus[]): Html | '' {
  if (!servers.some(({ server }) => server !== '')) return '';
  const missing = servers.filter(isMissing).length;
  const asked = servers.filter(({ state }) => state !== 'pruned').length;
  return html`<section aria-labelledby="servers">
  <h2 id="servers">Servers</h2>
  ${missing === 0 ? '' : html`<p class="note">${sentenceStart(serversText(missing))} could not be asked: something may be missing.</p>`}
  <details${missing === 0 ? '' : html` open`}><summary>${countText(asked)} asked of ${countText(servers.length)}</summary>
  <div class="scroll" role="region" aria-labelledby="servers" tabindex="0"><table>
    <thead><tr><th scope="col">Server</th><th scope="col">State</th><th scope="col">Found</th><th scope="col">Steps</th><th scope="col">Time</th></tr></thead>
    <tbody>${servers.map(
      ({ server, title, state, found, hops, tookMs, message, unverified = 0 }) => html`<tr>
      <th scope="row">${title}${server === '' ? ' (here)' : ''}</th>
      <td>${STATE_TEXTS[state]}${message === undefined ? '' : html`<br><span class="muted">${shorten(message, 160)}</span>`}${unverified === 0 ? '' : html`<br><span class="muted">${countText(unverified)} do not seem to fit</span>`}</td>
      <td class="number">${countText(found)}</td><td class="number">${hops}</td><td class="number">${countText(tookMs)} ms</td></tr>`,
    )}</tbody></table></div></details>
</section>`;
}
