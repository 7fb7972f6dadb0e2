/** Keeps a page up to date while runs go on: when the server says that one changed, the marked parts are asked for again. */

const LEAST_PAUSE_MS = 700;

const regions = [...document.querySelectorAll('[data-live]')];
let waiting = false;
let askedAt = 0;

async function refresh(): Promise<void> {
  askedAt = performance.now();
  const answer = await fetch(location.href, { headers: { accept: 'text/html' } });
  if (!answer.ok) return;
  const page = new DOMParser().parseFromString(await answer.text(), 'text/html');
  for (const region of regions) {
    const fresh = region.id === '' ? null : page.getElementById(region.id);
    if (!fresh || fresh.innerHTML === region.innerHTML) continue;
    const focused = region.contains(document.activeElement)
      ? document.activeElement?.getAttribute('href')
      : null;
    region.replaceChildren(...fresh.childNodes);
    // Whoever stood on a link still does.
    if (focused)
      for (const link of region.querySelectorAll('a'))
        if (link.getAttribute('href') === focused) link.focus();
  }
}

function refreshSoon(): void {
  if (waiting) return;
  waiting = true;
  const pause = Math.max(0, askedAt + LEAST_PAUSE_MS - performance.now());
  window.setTimeout(() => {
    waiting = false;
    // Offline, or the server is being restarted: the next event brings it up to date.
    refresh().catch(() => {});
  }, pause);
}

if (regions.length > 0) {
  const events = new EventSource('/runs/events');
  events.addEventListener('runs', refreshSoon);
  // Between this page and the connection, or while that was lost, something may have been missed.
  events.addEventListener('ready', refreshSoon);
  addEventListener('pagehide', () => events.close());
}

export {};
