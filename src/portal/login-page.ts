/** Sign in with a token, for items that are not public. */
import { html } from 'hono/html';
import { type Html, renderPage, type Site } from './page.ts';

export function renderLoginPage(site: Site, signedInAs: string | undefined, failed: boolean): Html {
  const main = html`<div class="wrap narrow-text">
  <h1>${signedInAs === undefined ? 'Sign in' : 'Signed in'}</h1>
  ${failed ? html`<p class="note" role="alert">That token is not known here.</p>` : ''}
  ${
    signedInAs === undefined
      ? html`<p>A token opens items that are not public. You get one from the keeper of this collection.</p>
  <form class="stack" method="post" action="/login">
    <label for="token">Token</label>
    <input id="token" name="token" type="password" required autocomplete="current-password" maxlength="500">
    <button class="primary">Sign in</button>
  </form>`
      : html`<p>You are reading as <strong>${signedInAs}</strong>.</p>
  <form method="post" action="/logout"><button>Sign out</button></form>`
  }
</div>`;
  return renderPage({ site, title: 'Sign in', main, query: '', signedInAs });
}
