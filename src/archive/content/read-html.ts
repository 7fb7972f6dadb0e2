/** HTML, XHTML and SVG: links, metadata and text in one walk over the page. */
import type { RecordProblem } from '../../core/model.ts';
import { collectSvg } from './image/svg.ts';
import type { ContentLimits } from './limits.ts';
import type { Link } from './link.ts';
import { htmlLinkListener } from './links/html-links.ts';
import { LinkList } from './links/link-list.ts';
import type { PageText } from './markup/page-text.ts';
import { walkHtml } from './markup/walk-html.ts';
import type { Extracted } from './metadata/extracted.ts';
import { NOTHING_EXTRACTED } from './metadata/extracted.ts';
import { collectHtmlMetadata } from './metadata/html-metadata.ts';
import { collectMicrodata, collectRdfa } from './metadata/marked-items.ts';
import { countWords } from './metadata/plain-text.ts';
import { collectSavedFrom } from './metadata/saved-from.ts';
import { collectVisibleText } from './metadata/visible-text.ts';
import type { RobotsDirective } from './robots-directives.ts';

export interface PageReading {
  readonly links: readonly Link[];
  readonly robots: readonly RobotsDirective[];
  readonly extracted: Extracted;
  readonly text: string;
  readonly mainText?: string;
  readonly problems: readonly RecordProblem[];
}

export function readHtml(page: PageText, url: string, limits: ContentLimits, xml = false): PageReading {
  const list = new LinkList(url, limits.links);
  const base = () => list.base;
  const metadata = collectHtmlMetadata(base, limits);
  const microdata = collectMicrodata(base, limits);
  const rdfa = collectRdfa(base, limits);
  const visible = collectVisibleText(limits.text);
  const saved = collectSavedFrom(page, url);
  const drawing = collectSvg();
  walkHtml(
    page,
    [
      htmlLinkListener(page, list, { xml, maxAnchor: limits.value }),
      metadata.listener,
      microdata.listener,
      rdfa.listener,
      visible.listener,
      saved.listener,
      ...(xml ? [drawing.listener] : []),
    ],
    { xml },
  );
  const problems: RecordProblem[] = metadata.problems.map((message) => ({
    code: 'content.unreadable',
    message,
  }));
  if (list.cut)
    problems.push({ code: 'content.cut', message: `only the first ${limits.links} links are listed` });
  if (visible.cut()) problems.push({ code: 'content.cut', message: 'the visible text was cut' });
  const text = visible.text();
  const mainText = visible.mainText();
  const image = drawing.properties();
  return {
    links: list.finish(),
    robots: metadata.robots,
    extracted: {
      ...NOTHING_EXTRACTED,
      ...metadata.finish(),
      microdata: microdata.items(),
      rdfa: rdfa.items(),
      savedFrom: saved.found,
      wordCount: countWords(text),
      ...(image && { image }),
    },
    text,
    ...(mainText !== undefined && { mainText }),
    problems,
  };
}
