/** Pages of a WACZ file (`pages/pages.jsonl`): where a reader may begin. */
import type { Instant } from '../../core/model.ts';

export interface WaczPage {
  readonly url: string;
  readonly at?: Instant;
  readonly id?: string;
  readonly title?: string;
  readonly text?: string;
}

const HEADER = { format: 'json-pages-1.0', id: 'pages', title: 'All Pages' };

export function writePages(pages: Iterable<WaczPage>): string {
  // Those without a title have their address for it: to some readers a line that shares no key with the first is empty.
  const lines = Array.from(pages, ({ at, title, ...page }) =>
    JSON.stringify({
      ...page,
      title: title ?? page.url,
      ...(at !== undefined && { ts: new Date(at).toISOString() }),
    }),
  );
  return `${[JSON.stringify(HEADER), ...lines].join('\n')}\n`;
}

/** Undefined for the header and for lines that are no page. */
export function parsePageLine(line: string): WaczPage | undefined {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch {
    return undefined;
  }
  if (typeof value !== 'object' || value === null || !('url' in value) || typeof value.url !== 'string')
    return undefined;
  const text = (name: 'id' | 'title' | 'text'): string | undefined => {
    const field: unknown = Reflect.get(value, name);
    return typeof field === 'string' ? field : undefined;
  };
  const time: unknown = Reflect.get(value, 'ts');
  const at = typeof time === 'string' ? Date.parse(time) : Number.NaN;
  const [id, title, words] = [text('id'), text('title'), text('text')];
  return {
    url: value.url,
    ...(!Number.isNaN(at) && { at }),
    ...(id !== undefined && { id }),
    ...(title !== undefined && { title }),
    ...(words !== undefined && { text: words }),
  };
}
