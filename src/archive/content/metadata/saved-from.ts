/** Where a page says that it was saved from: remarks that browsers and mirroring programs leave, and `<base>`. */
import { parseUrl } from '../links/resolve.ts';
import type { PageText } from '../markup/page-text.ts';
import { type HtmlListener, valueIn } from '../markup/walk-html.ts';
import type { FoundValue } from './extracted.ts';

/** `saved from url=(0041)http://…`: the digits count the characters of the address. */
const SAVED = /saved from url=\(\d{1,6}\)\s*(\S{1,2000})/i;
/** `Mirrored from www.example.org/page.html by HTTrack …`. */
const MIRRORED = /mirrored from\s+(\S{1,2000})\s+by\s/i;
const MOST_FOUND = 10;
/** Longer comments hold scripts and styles. */
const LONGEST_COMMENT = 4000;

export interface SavedFromCollector {
  readonly listener: HtmlListener;
  readonly found: readonly FoundValue[];
}

export function collectSavedFrom({ raw }: Pick<PageText, 'raw'>, url: string): SavedFromCollector {
  const found: FoundValue[] = [];
  const host = URL.parse(url)?.host;
  const note = (address: string | undefined, origin: string): void => {
    if (address === undefined || found.length >= MOST_FOUND) return;
    if (URL.parse(address)?.host !== host && !found.some(({ value }) => value === address))
      found.push({ value: address, origin });
  };
  return {
    found,
    listener: {
      comment(start, end) {
        if (end - start > LONGEST_COMMENT) return;
        const comment = raw.slice(start, end);
        const saved = SAVED.exec(comment)?.[1];
        if (saved !== undefined) note(webAddress(saved), 'comment saved from');
        const mirrored = MIRRORED.exec(comment)?.[1];
        if (mirrored !== undefined) note(webAddress(mirrored), 'comment mirrored from');
      },
      open(element) {
        if (element.name !== 'base') return;
        const href = valueIn(element, 'href');
        if (href !== undefined) note(parseUrl(href, url)?.href, 'base');
      },
    },
  };
}

/** Mirroring programs leave the scheme out; `about:internet` and paths of a disk are no addresses. */
function webAddress(written: string): string | undefined {
  const address = /^[a-z][a-z\d+.-]*:/i.test(written) ? written : `http://${written}`;
  return /^https?:/i.test(address) ? URL.parse(address)?.href : undefined;
}
