/** XML that is no page: its links, the title of a feed, and its text. */
import type { ContentLimits } from './limits.ts';
import { LinkList } from './links/link-list.ts';
import { xmlLinkListener } from './links/xml-links.ts';
import type { PageText } from './markup/page-text.ts';
import { type HtmlListener, walkHtml } from './markup/walk-html.ts';
import { NOTHING_EXTRACTED } from './metadata/extracted.ts';
import { countWords, joinSpace, TextCollector } from './metadata/plain-text.ts';
import type { PageReading } from './read-html.ts';

export function readXml(page: PageText, url: string, limits: ContentLimits): PageReading {
  const list = new LinkList(url, limits.links);
  const text = new TextCollector(limits.text);
  let title: string | undefined;
  const words: HtmlListener = {
    open: () => text.break(),
    text(piece, parent) {
      text.add(piece.text);
      if (title === undefined && parent && /^(?:\w+:)?title$/.test(parent.name) && piece.text.trim() !== '')
        title = joinSpace(piece.text, limits.value);
    },
    close: () => text.break(),
  };
  walkHtml(page, [xmlLinkListener(page, list, limits.value), words], { xml: true });
  return {
    links: list.finish(),
    robots: [],
    extracted: {
      ...NOTHING_EXTRACTED,
      ...(title !== undefined && { title }),
      wordCount: countWords(text.text),
    },
    text: text.text,
    problems: list.cut
      ? [{ code: 'content.cut', message: `only the first ${limits.links} links are listed` }]
      : [],
  };
}
