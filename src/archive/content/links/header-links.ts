/** Links of the HTTP response itself: Location, Refresh, Content-Location and Link (RFC 8288). */
import { headerValue, headerValues } from '../../read/header-list.ts';
import type { CaptureContent } from '../capture-content.ts';
import type { Link, LinkKind } from '../link.ts';
import { kindOfRel } from './link-rel.ts';
import { parseRefresh } from './meta-refresh.ts';
import { parseUrl } from './resolve.ts';

const MAX_LINKS = 200;

export function listHeaderLinks({ url: base, headers = [] }: CaptureContent): Link[] {
  const links: Link[] = [];
  const add = (written: string, kind: LinkKind, rel: string) => {
    const url = parseUrl(written.trim(), base);
    if (!url || links.length >= MAX_LINKS) return;
    url.hash = '';
    links.push({ url: url.href, written, kind, rel });
  };
  const location = headerValue(headers, 'location');
  if (location !== undefined) add(location, 'redirect', 'location');
  const refresh = headerValue(headers, 'refresh') ?? '';
  const target = refresh === '' ? undefined : parseRefresh(refresh);
  if (target?.from !== undefined) add(refresh.slice(target.from, target.to), 'redirect', 'refresh');
  for (const value of headerValues(headers, 'link').slice(0, MAX_LINKS))
    for (const { written, parameters } of parseLinkHeader(value)) {
      const rel = parameters.get('rel') ?? '';
      const kind = kindOfRel(rel, parameters.get('type'), parameters.get('as'));
      if (kind) add(written, kind, rel);
    }
  return links;
}

interface HeaderLink {
  readonly written: string;
  readonly parameters: ReadonlyMap<string, string>;
}

const PARAMETER =
  /;\s{0,20}([\w*!#$%&'+.^`|~-]{1,100})(?:\s{0,20}=\s{0,20}(?:"([^"]{0,2000})"|([^",;\s]{0,2000})))?\s{0,20}/y;

function* parseLinkHeader(value: string): Generator<HeaderLink> {
  for (let open = value.indexOf('<'); open >= 0; ) {
    const close = value.indexOf('>', open);
    if (close < 0) return;
    const parameters = new Map<string, string>();
    let at = close + 1;
    for (;;) {
      PARAMETER.lastIndex = at;
      const match = PARAMETER.exec(value);
      if (!match) break;
      const name = (match[1] ?? '').toLowerCase();
      if (!parameters.has(name)) parameters.set(name, match[2] ?? match[3] ?? '');
      at = PARAMETER.lastIndex;
    }
    yield { written: value.slice(open + 1, close), parameters };
    open = value.indexOf('<', at);
  }
}
