/** The style sheet and the client module, named by their content so that browsers may keep them. */
import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { stripTypeScriptTypes } from 'node:module';

export interface Asset {
  readonly href: string;
  readonly type: string;
  readonly body: string;
}

export interface PortalAssets {
  readonly style: Asset;
  readonly script: Asset;
  /** For pages about runs. */
  readonly live: Asset;
}

export function loadAssets(): PortalAssets {
  return {
    style: nameByContent('style', 'css', 'text/css; charset=utf-8', readBeside('./style.css')),
    script: nameByContent('suggest', 'js', 'text/javascript; charset=utf-8', readScript('suggest')),
    live: nameByContent('live', 'js', 'text/javascript; charset=utf-8', readScript('live')),
  };
}

const readBeside = (name: string): string => readFileSync(new URL(name, import.meta.url), 'utf8');

/** In the published package the module is JavaScript already. */
function readScript(name: string): string {
  const source = new URL(`./client/${name}.ts`, import.meta.url);
  return existsSync(source)
    ? stripTypeScriptTypes(readFileSync(source, 'utf8'))
    : readFileSync(new URL(`./client/${name}.js`, import.meta.url), 'utf8');
}

function nameByContent(name: string, ending: string, type: string, body: string): Asset {
  const digest = createHash('sha256').update(body).digest('hex').slice(0, 12);
  return { href: `/assets/${name}.${digest}.${ending}`, type, body };
}

const GRAINS = [
  [16, 7, 0],
  [12, 11, -32],
  [20, 11, 32],
  [12, 16.5, -32],
  [20, 16.5, 32],
] as const;

export const FAVICON = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="7" fill="#1d5445"/><path d="M16 28V11" stroke="#f5efe0" stroke-width="2" stroke-linecap="round"/><g fill="#e9b955">${GRAINS.map(
  ([x, y, turn]) => `<ellipse cx="${x}" cy="${y}" rx="2.1" ry="3.9" transform="rotate(${turn} ${x} ${y})"/>`,
).join('')}</g></svg>`;
