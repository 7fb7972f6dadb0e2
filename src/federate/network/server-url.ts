/** Addresses of profile servers in one form, so that a server is known again by whatever way it is reached. */

/** Undefined when it is no address that can be asked. */
export function canonicalServer(address: string): string | undefined {
  if (!URL.canParse(address)) return undefined;
  const url = new URL(address);
  if (url.protocol !== 'http:' && url.protocol !== 'https:') return undefined;
  url.hash = '';
  url.search = '';
  url.username = '';
  url.password = '';
  url.hostname = url.hostname.replace(/\.$/, '');
  url.pathname = url.pathname.replace(/\/+$/, '') || '/';
  return url.href;
}

/** What the configuration gives may be the address of a Garner as well as that of its profile server. */
export function peerServer(address: string): string | undefined {
  const canonical = canonicalServer(address);
  if (canonical === undefined) return undefined;
  const url = new URL(canonical);
  return url.pathname === '/' ? new URL('/prof', url).href : canonical;
}

export function serverQuestion(server: string, parameters: Readonly<Record<string, string>>): string {
  return `${server}?${new URLSearchParams(parameters)}`;
}
