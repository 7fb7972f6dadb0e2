/**
 * A client whose secrets stay at home: lists, catalogues and pages may lead to any host, and only the one
 * that the source names is shown its headers and passwords.
 */
import { createHttpClient, type HttpClient, type HttpPolicy } from '../http/index.ts';

export function createBoundClient(policy: HttpPolicy, homeUrl: string): HttpClient {
  const home = new URL(homeUrl);
  const { auth: _, headers: __, ...open } = policy;
  const own = createHttpClient(policy);
  const foreign = createHttpClient(open);
  const clientFor = (url: string): HttpClient => (isHome(home, url) ? own : foreign);
  return {
    request: (request) => clientFor(request.url).request(request),
    read: (request, maxBytes) => clientFor(request.url).read(request, maxBytes),
    close: () => {
      own.close();
      foreign.close();
    },
  };
}

/** The same origin, or the same host now behind TLS. */
function isHome(home: URL, text: string): boolean {
  if (!URL.canParse(text)) return false;
  const url = new URL(text);
  return (
    url.origin === home.origin ||
    (url.protocol === 'https:' && url.hostname === home.hostname && home.port === '' && url.port === '')
  );
}
