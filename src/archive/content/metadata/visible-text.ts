/** The text of a page that a reader sees, and the part of it inside `<main>` and `<article>`. */
import { type HtmlElement, type HtmlListener, valueIn } from '../markup/walk-html.ts';
import { TextCollector } from './plain-text.ts';

const UNSEEN = new Set(
  'head title script style template noscript noframes noembed iframe object applet svg math datalist select canvas audio video'.split(
    ' ',
  ),
);
/** They do not break a line; those that are not seen stand in the middle of sentences, too. */
const INLINE = new Set(
  'a abbr acronym b bdi bdo big cite code del dfn em font i img ins kbd label mark nobr noscript q rp rt ruby s samp script small span strike strong style sub sup template time tt u var wbr'.split(
    ' ',
  ),
);

export interface VisibleText {
  readonly listener: HtmlListener;
  text(): string;
  mainText(): string | undefined;
  cut(): boolean;
}

export function collectVisibleText(limit: number): VisibleText {
  const all = new TextCollector(limit);
  const main = new TextCollector(limit);
  let hidden: HtmlElement | undefined;
  let mainElement: HtmlElement | undefined;
  let hasMain = false;
  const breakAt = (name: string) => {
    if (INLINE.has(name)) return;
    all.break();
    main.break();
  };
  return {
    listener: {
      open(element) {
        if (hidden) return;
        if (isHidden(element)) hidden = element;
        else if (!mainElement && isMain(element)) {
          mainElement = element;
          hasMain = true;
        }
        breakAt(element.name);
      },
      text(piece) {
        if (hidden) return;
        all.add(piece.text);
        if (mainElement) main.add(piece.text);
      },
      close(element) {
        if (element === hidden) hidden = undefined;
        if (hidden) return;
        if (element === mainElement) mainElement = undefined;
        breakAt(element.name);
      },
    },
    text: () => all.text,
    mainText: () => (hasMain ? main.text : undefined),
    cut: () => all.cut,
  };
}

const isMain = (element: HtmlElement): boolean =>
  element.name === 'main' || element.name === 'article' || valueIn(element, 'role') === 'main';

function isHidden(element: HtmlElement): boolean {
  // A drawing that is the whole file is what there is to see.
  if (UNSEEN.has(element.name)) return element.name !== 'svg' || element.depth > 0;
  if (element.attributes.length === 0) return false;
  if (element.attributes.some(({ name }) => name === 'hidden')) return true;
  const style = valueIn(element, 'style');
  return style !== undefined && /(?:^|[;\s])display\s{0,9}:\s{0,9}none/i.test(style.slice(0, 1000));
}
