/** What a page leads to, and what it asks of robots. */
import { gunzipSync } from 'node:zlib';
import {
  type ContentReader,
  type ContentReading,
  type Link,
  parseRobotsHeaders,
  readContent,
  robotsRulesFor,
} from '../archive/content/index.ts';
import { contentAtOnce, contentStream, newBodyReport } from '../archive/http/decode-body.ts';
import { type HeaderList, headerValues, UNPACK_LIMITS } from '../archive/index.ts';
import { asGarnerError } from '../core/errors.ts';
import type { FetchAnswer } from './fetch/answer.ts';
import type { StoredContent } from './prior-capture.ts';

export interface AnswerReading {
  readonly links: readonly Link[];
  readonly follow: boolean;
  readonly archive: boolean;
  readonly content?: ContentReading;
  /** Why it could not be read to the end; it is archived all the same. */
  readonly problem?: { readonly code: string; readonly message: string };
}

export async function readAnswer(
  url: string,
  answer: Pick<FetchAnswer, 'headers' | 'body'>,
  robot: string,
  reader: ContentReader,
): Promise<AnswerReading> {
  const { bytes } = answer.body;
  if (!bytes || bytes.length === 0) return readHeader(answer.headers, robot);
  try {
    return await readPage(
      url,
      { headers: answer.headers, bytes: await unpack(answer.headers, bytes) },
      robot,
      reader,
    );
  } catch (cause) {
    const { code, message } = asGarnerError(cause);
    return { ...readHeader(answer.headers, robot), problem: { code, message } };
  }
}

function readHeader(headers: HeaderList, robot: string): AnswerReading {
  return { links: [], ...robotsRulesFor(parseRobotsHeaders(headerValues(headers, 'X-Robots-Tag')), robot) };
}

/** `bytes` without codings. */
export async function readPage(
  url: string,
  { headers, bytes }: StoredContent,
  robot: string,
  reader: ContentReader,
): Promise<AnswerReading> {
  const content = await readContent({ url, bytes, headers }, reader);
  const { follow, archive } = robotsRulesFor(content.robots, robot);
  const [problem] = content.problems;
  return {
    links: content.links,
    follow,
    archive,
    ...(reader.linksOnly !== true && { content }),
    ...(problem && { problem }),
  };
}

/** Without its content coding. */
export async function unpack(headers: HeaderList, bytes: Buffer): Promise<Buffer> {
  const report = newBodyReport();
  const whole = contentAtOnce(headers, bytes, UNPACK_LIMITS, report);
  if (whole) return whole;
  const parts: Buffer[] = [];
  const input = (async function* () {
    yield bytes;
  })();
  for await (const part of contentStream(headers, input, UNPACK_LIMITS, report)) parts.push(part);
  return Buffer.concat(parts);
}

/** Pages and further lists that a site map names; `.xml.gz` is a file of its own kind, not a coding. */
export async function readSitemap(
  url: string,
  answer: FetchAnswer,
): Promise<{ pages: string[]; sitemaps: string[] }> {
  const { bytes } = answer.body;
  if (!bytes || answer.status !== 200) return { pages: [], sitemaps: [] };
  let content = await unpack(answer.headers, bytes);
  if (content[0] === 0x1f && content[1] === 0x8b)
    content = gunzipSync(content, { maxOutputLength: UNPACK_LIMITS.maxBytes });
  const text = content.toString('utf8', 0, 2000);
  // A plain list is a site map, too (sitemaps.org, "Text file").
  if (!/<\w/.test(text))
    return {
      pages: content
        .toString('utf8')
        .split(/\r?\n/)
        .filter((line) => /^https?:/.test(line)),
      sitemaps: [],
    };
  const { links } = await readContent({
    url,
    bytes: content,
    headers: [['Content-Type', 'application/xml']],
  });
  return {
    pages: links.filter(({ kind }) => kind === 'page').map((link) => link.url),
    sitemaps: links.filter(({ rel }) => rel === 'sitemap').map((link) => link.url),
  };
}
