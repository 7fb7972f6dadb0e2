/** Title, META tags, headings, language, dates and licences of a page, gathered during the one walk over it. */
import type { ContentLimits } from '../limits.ts';
import { parseUrl } from '../links/resolve.ts';
import { attributeOf, type HtmlElement, type HtmlListener, valueIn } from '../markup/walk-html.ts';
import { parseRobotsMeta, type RobotsDirective } from '../robots-directives.ts';
import type {
  Extracted,
  FoundDate,
  FoundLicence,
  FoundValue,
  Heading,
  JsonObject,
  MetaTag,
} from './extracted.ts';
import { dateOfMeta, dateOfTime, datesOfJsonLd } from './found-dates.ts';
import { licencesOfJsonLd, parseJsonLd } from './json-ld.ts';
import { citationOf, dublinCoreOf, openGraphOf, twitterOf } from './meta-vocabularies.ts';
import { joinSpace } from './plain-text.ts';

export type HtmlMetadata = Pick<
  Extracted,
  | 'title'
  | 'meta'
  | 'dublinCore'
  | 'openGraph'
  | 'twitter'
  | 'citation'
  | 'jsonLd'
  | 'languages'
  | 'headings'
  | 'dates'
  | 'licences'
>;

export interface HtmlMetadataCollector {
  readonly listener: HtmlListener;
  readonly robots: readonly RobotsDirective[];
  readonly problems: readonly string[];
  finish(): HtmlMetadata;
}

const META_NAMES = ['name', 'property', 'http-equiv', 'itemprop'] as const;
const HEADING = /^h([1-6])$/;

export function collectHtmlMetadata(base: () => string, limits: ContentLimits): HtmlMetadataCollector {
  const meta: MetaTag[] = [];
  const headings: Heading[] = [];
  const dates: FoundDate[] = [];
  const licences: FoundLicence[] = [];
  const languages: FoundValue[] = [];
  const jsonLd: JsonObject[] = [];
  const robots: RobotsDirective[] = [];
  const problems: string[] = [];
  let title: string | undefined;
  /** The element whose text is wanted, one at a time; a heading may hold a time, so two. */
  let capturing: { readonly element: HtmlElement; text: string } | undefined;

  const push = <T>(list: T[], value: T | undefined) => {
    if (value !== undefined && list.length < limits.entries) list.push(value);
  };

  function readMeta(element: HtmlElement): void {
    const content = attributeOf(element, 'content');
    if (!content) return;
    for (const attribute of META_NAMES) {
      const name = valueIn(element, attribute);
      if (name === undefined) continue;
      const scheme = valueIn(element, 'scheme');
      const language = valueIn(element, 'lang') ?? valueIn(element, 'xml:lang');
      const tag: MetaTag = {
        attribute,
        name: name.slice(0, 200),
        content: joinSpace(content.text, limits.value),
        ...(scheme !== undefined && { scheme }),
        ...(language !== undefined && { language }),
      };
      push(meta, tag);
      push(dates, dateOfMeta(tag));
      noteLanguage(tag);
      noteLicence(tag);
      if (attribute !== 'http-equiv')
        for (const one of parseRobotsMeta(name, content.text) ?? []) push(robots, one);
    }
  }

  function noteLanguage({ attribute, name, content }: MetaTag): void {
    const key = name.toLowerCase();
    const said =
      attribute === 'http-equiv'
        ? key === 'content-language'
        : /^(?:language|dc[.:]language|dcterms[.:]language|og:locale)$/.test(key);
    if (said && content !== '')
      push(languages, { value: content.slice(0, 100), origin: `${attribute} ${name}` });
  }

  function noteLicence({ name, content }: MetaTag): void {
    if (
      !/^(?:dc[.:]rights(?:[.:]license)?|dcterms[.:](?:license|rights)|copyright|license|licence)$/i.test(
        name,
      )
    )
      return;
    if (content !== '') push(licences, licenceOf(content, `meta ${name}`));
  }

  function readRelLicence(element: HtmlElement): void {
    const rel = valueIn(element, 'rel')?.toLowerCase();
    if (rel === undefined || !/(?:^|\s|:)(?:license|licence|copyright)(?:\s|$)/.test(rel)) return;
    const href = valueIn(element, 'href');
    const url = href === undefined ? undefined : parseUrl(href, base())?.href;
    if (url !== undefined) push(licences, { url, origin: `${element.name} rel=${rel.slice(0, 40)}` });
  }

  const isJsonLd = (element: HtmlElement) =>
    element.name === 'script' && /^\s*application\/ld\+json\b/i.test(valueIn(element, 'type') ?? '');
  // A drawing inside a page has a title of its own.
  const isTitle = (element: HtmlElement) =>
    element.name === 'title' &&
    title === undefined &&
    (element.parent?.name !== 'svg' || element.depth === 1);

  function endCapture(element: HtmlElement, text: string): void {
    const level = HEADING.exec(element.name)?.[1];
    if (element.name === 'title') title = joinSpace(text, limits.value);
    else if (level !== undefined) {
      const heading = joinSpace(text, limits.value);
      if (heading !== '') push(headings, { level: headingLevel(level), text: heading });
    } else if (element.name === 'time')
      push(dates, dateOfTime(text, valueIn(element, 'itemprop'), isPubdate(element)));
    else {
      const reading = parseJsonLd(text);
      if ('problem' in reading) push(problems, reading.problem);
      else
        for (const object of reading.objects) {
          push(jsonLd, object);
          for (const date of datesOfJsonLd(object)) push(dates, date);
          for (const licence of licencesOfJsonLd(object)) push(licences, licence);
        }
    }
  }

  return {
    robots,
    problems,
    listener: {
      open(element) {
        if (element.name === 'meta') readMeta(element);
        if (element.name === 'html') {
          const language = valueIn(element, 'lang') ?? valueIn(element, 'xml:lang');
          if (language !== undefined) push(languages, { value: language.slice(0, 100), origin: 'html lang' });
        }
        if (element.name === 'a' || element.name === 'link') readRelLicence(element);
        if (element.name === 'time') {
          const datetime = valueIn(element, 'datetime');
          if (datetime !== undefined) {
            push(dates, dateOfTime(datetime, valueIn(element, 'itemprop'), isPubdate(element)));
            return;
          }
        }
        if (capturing) return;
        if (isTitle(element) || HEADING.test(element.name) || element.name === 'time' || isJsonLd(element))
          capturing = { element, text: '' };
      },
      text(piece, parent) {
        if (!capturing) return;
        if (parent !== capturing.element && (parent?.name === 'script' || parent?.name === 'style')) return;
        if (capturing.text.length < 1 << 21) capturing.text += piece.text;
      },
      close(element) {
        if (capturing?.element === element) {
          const { text } = capturing;
          capturing = undefined;
          endCapture(element, text);
        } else if (capturing && element.name === 'br') capturing.text += ' ';
      },
    },
    finish: () => ({
      ...(title !== undefined && title !== '' && { title }),
      meta,
      dublinCore: each(meta, dublinCoreOf),
      openGraph: each(meta, openGraphOf),
      twitter: each(meta, twitterOf),
      citation: each(meta, citationOf),
      jsonLd,
      languages,
      headings,
      dates,
      licences,
    }),
  };
}

const isPubdate = (element: HtmlElement): boolean => attributeOf(element, 'pubdate') !== undefined;

function headingLevel(digit: string): Heading['level'] {
  const level = Number(digit);
  return level === 1 || level === 2 || level === 3 || level === 4 || level === 5 ? level : 6;
}

const licenceOf = (content: string, origin: string): FoundLicence =>
  /^https?:\/\/\S+$/i.test(content) ? { url: content, origin } : { text: content, origin };

function each<T>(tags: readonly MetaTag[], read: (tag: MetaTag) => T | undefined): T[] {
  return tags.flatMap((tag) => read(tag) ?? []);
}
