/** A page for its links and its wishes to robots alone: about half the work of reading all of it. */
import type { ContentLimits } from './limits.ts';
import { htmlLinkListener } from './links/html-links.ts';
import { LinkList } from './links/link-list.ts';
import type { PageText } from './markup/page-text.ts';
import { attributeOf, type HtmlListener, walkHtml } from './markup/walk-html.ts';
import { NOTHING_EXTRACTED } from './metadata/extracted.ts';
import type { PageReading } from './read-html.ts';
import { parseRobotsMeta, type RobotsDirective } from './robots-directives.ts';

export function readHtmlLinks(page: PageText, url: string, limits: ContentLimits, xml = false): PageReading {
  const list = new LinkList(url, limits.links);
  const robots: RobotsDirective[] = [];
  const wishes: HtmlListener = {
    open(element) {
      if (element.name !== 'meta') return;
      const name = attributeOf(element, 'name')?.text;
      const content = attributeOf(element, 'content')?.text;
      if (name !== undefined && content !== undefined) robots.push(...(parseRobotsMeta(name, content) ?? []));
    },
  };
  walkHtml(page, [htmlLinkListener(page, list, { xml, maxAnchor: limits.value }), wishes], { xml });
  return {
    links: list.finish(),
    robots,
    extracted: NOTHING_EXTRACTED,
    text: '',
    problems: list.cut
      ? [{ code: 'content.cut', message: `only the first ${limits.links} links are listed` }]
      : [],
  };
}
