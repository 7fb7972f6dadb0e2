/** Answers of a catalogue service (OGC 07-006r1): what they are, and what they say of themselves. */
import { GarnerError } from '../../core/errors.ts';
import { parseSmallTree } from '../../xml/small-tree.ts';

export interface SearchResults {
  /** Records that fit in all; undefined when the catalogue does not say. */
  readonly matched: number | undefined;
  /** Position of the next page's first record, from 1; 0 when this is the last. */
  readonly nextRecord: number | undefined;
}

/** Attributes stand in the first bytes, before any record. */
const HEAD_BYTES = 256 * 1024;
const RESULTS_TAG = /<(?:[\w.-]+:)?SearchResults\b[^>]*>/;
const EXCEPTION_TAG = /<(?:[\w.-]+:)?(?:ExceptionReport|ServiceExceptionReport)\b/;
const ATTRIBUTE = /\s([\w.:-]+)\s*=\s*(?:"([^"]*)"|'([^']*)')/g;

/** Throws `source.answer` when it is an exception report, a page for people, or anything else. */
export function readSearchResults(answer: Uint8Array, url: string): SearchResults {
  const head = Buffer.from(answer.buffer, answer.byteOffset, Math.min(answer.length, HEAD_BYTES)).toString();
  const tag = RESULTS_TAG.exec(head)?.[0];
  if (tag === undefined) throw notResults(answer, head, url);
  const attributes = new Map<string, string>();
  for (const [, name = '', double, single] of tag.matchAll(ATTRIBUTE))
    attributes.set(name, double ?? single ?? '');
  return {
    matched: readCount(attributes.get('numberOfRecordsMatched')),
    nextRecord: readCount(attributes.get('nextRecord')),
  };
}

function readCount(text: string | undefined): number | undefined {
  return text !== undefined && /^\s*\d{1,15}\s*$/.test(text) ? Number(text) : undefined;
}

export function notResults(answer: Uint8Array, head: string, url: string): GarnerError {
  if (EXCEPTION_TAG.test(head)) {
    const report = parseSmallTree(answer);
    const code = report?.children.find(({ name }) => name === 'Exception')?.attributes.get('exceptionCode');
    const said = (report?.text ?? '').replace(/\s+/g, ' ').trim().slice(0, 300);
    return new GarnerError(
      'source.answer',
      `the catalogue refuses: ${[code, said].filter(Boolean).join(': ')}`,
      {
        details: { url, refused: true, ...(code !== undefined && { exceptionCode: code }) },
      },
    );
  }
  const beginning = head.replace(/\s+/g, ' ').trim().slice(0, 80);
  return new GarnerError('source.answer', `no answer of a catalogue at ${url}: ${beginning || 'nothing'}`, {
    details: { url },
  });
}
