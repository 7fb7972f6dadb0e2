/**
 * The text of a capture for the full-text index: whole for pages and PDF files, nothing for what has no
 * words. Made from a reading, so that a capture is read once for its links and its words.
 */
import type { ContentReading } from './metadata/extracted.ts';

export interface CaptureText {
  readonly title?: string;
  /** Texts that are apart in the capture: a phrase does not reach from one into the next. */
  readonly parts: readonly string[];
  readonly language?: string;
  readonly wordCount: number;
}

/** Types whose text a person would search for; scripts, style sheets and data have none. */
const HAS_WORDS =
  /^(?:text\/(?:html|plain|markdown|csv)|application\/(?:xhtml\+xml|pdf|rss\+xml|atom\+xml))$/;

/** META tags that describe a page in words that need not stand in it. */
const DESCRIPTIVE = /^(?:description|keywords|abstract|author|subject|summary)$/i;

export function textForIndex(reading: ContentReading): CaptureText | undefined {
  const { type, extracted, text } = reading;
  if (!HAS_WORDS.test(type.type)) return undefined;
  const described = extracted.meta
    .filter(({ attribute, name }) => attribute === 'name' && DESCRIPTIVE.test(name))
    .map(({ content }) => content);
  const parts = [...described, ...text.split(/[\n\f]+/)]
    .map((part) => part.trim())
    .filter((part) => part !== '');
  const language = extracted.languages[0]?.value;
  return {
    ...(extracted.title !== undefined && { title: extracted.title }),
    parts,
    ...(language !== undefined && { language }),
    wordCount: extracted.wordCount,
  };
}
