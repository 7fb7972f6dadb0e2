/** The stored record of a capture: from its line in the index and the reading of its content. */

import type { WebCapture } from '../../formats/web-capture.ts';
import type { CaptureEntry } from '../../store/captures.ts';
import type { ContentReading, Extracted } from '../content/index.ts';
import { textForIndex } from '../content/text.ts';
import { describeContent } from './describe-content.ts';
import { decodeName } from './site-path.ts';

/** Characters of one capture's text that are kept for searching. */
const MAX_TEXT = 500_000;

export function describeCapture(
  capture: CaptureEntry,
  reading: ContentReading | undefined,
  capturedBy: string | undefined,
): WebCapture {
  const { at, status, mediaType, contentLength, digest, recordId, file, offset, length } = capture;
  const fileName = fileNameOf(capture.url);
  const text = reading && boundedText(textForIndex(reading)?.parts ?? []);
  return {
    webCapture: 1,
    url: identifierOf(capture.url),
    added: {
      capturedAt: new Date(at).toISOString(),
      ...(status !== undefined && { status }),
      ...(mediaType !== undefined && { contentType: mediaType }),
      ...(contentLength !== undefined && { contentLength }),
      ...(digest !== undefined && { digest }),
      ...(recordId !== undefined && { recordId }),
      ...(file !== undefined && { file }),
      ...(offset !== undefined && { offset }),
      ...(length !== undefined && { length }),
      ...(capturedBy !== undefined && { capturedBy }),
      ...(fileName !== undefined && { fileName }),
    },
    described: {
      type: 'Web capture',
      ...(reading && describeContent({ url: identifierOf(capture.url), capturedAt: at, reading })),
    },
    extracted: reading ? byName(reading.extracted) : {},
    ...(text && text.length > 0 && { text }),
  };
}

/** Of `urn:garner:package:{package}/{path}`; its parts are percent-encoded. */
function fileNameOf(url: string): string | undefined {
  const [, last] = /^urn:garner:package:[^/]+\/(?:.*\/)?([^/]+)$/.exec(url) ?? [];
  return last === undefined ? undefined : decodeName(last);
}

/** The URL as the URL Standard writes it, without fragment; what is no such URL stays as it is. */
export function identifierOf(url: string): string {
  const parsed = URL.parse(url);
  if (!parsed || !/^(?:https?|ftp):$/.test(parsed.protocol)) return url;
  parsed.hash = '';
  return parsed.href;
}

/** What stands in lists of names and values becomes members by name. */
function byName(extracted: Extracted): Record<string, unknown> {
  const { title, meta, dublinCore, openGraph, twitter, citation, headings, dates, languages, ...rest } =
    extracted;
  const grouped = {
    meta: group(meta.map(({ name, content }) => [name, content])),
    dublinCore: group(
      dublinCore.map(({ element, refinement, value }) => [
        refinement === undefined ? element : `${element}.${refinement}`,
        value,
      ]),
    ),
    openGraph: group(openGraph.map(({ name, value }) => [name, value])),
    twitter: group(twitter.map(({ name, value }) => [name, value])),
    citation: group(citation.map(({ name, value }) => [name, value])),
    headings: group(headings.map(({ level, text }) => [`h${level}`, text])),
    dates: group(dates.map(({ meaning, written }) => [meaning, written])),
    languages: languages.map(({ value }) => value),
  };
  return Object.fromEntries(
    Object.entries({ title, ...grouped, ...rest }).filter(
      ([, value]) => value !== undefined && !isEmpty(value),
    ),
  );
}

const isEmpty = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && Object.keys(value).length === 0;

function group(pairs: readonly (readonly [name: string, value: string])[]): Record<string, string[]> {
  const groups = new Map<string, string[]>();
  for (const [name, value] of pairs) {
    const known = groups.get(name);
    if (known) known.push(value);
    else groups.set(name, [value]);
  }
  return Object.fromEntries(groups);
}

function boundedText(parts: readonly string[]): string[] {
  const kept: string[] = [];
  let left = MAX_TEXT;
  for (const part of parts) {
    if (left <= 0) break;
    kept.push(part.slice(0, left));
    left -= part.length;
  }
  return kept;
}
