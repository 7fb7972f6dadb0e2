/** Content negotiation by the Accept header (RFC 9110 §12.5.1), without parameters other than `q`. */

interface MediaRange {
  readonly type: string;
  readonly quality: number;
}

function parseAccept(header: string): MediaRange[] {
  return header.split(',').map((part) => {
    const [type = '', ...parameters] = part.split(';').map((piece) => piece.trim().toLowerCase());
    const q = parameters.find((parameter) => parameter.startsWith('q='));
    const quality = q === undefined ? 1 : Number(q.slice(2));
    return { type, quality: Number.isFinite(quality) ? quality : 0 };
  });
}

/** The offer that the client likes best; of equal ones the first offered. Without a fitting range the first. */
export function chooseMedia(header: string | undefined, offers: readonly [string, ...string[]]): string {
  if (!header) return offers[0];
  const ranges = parseAccept(header);
  let best: string = offers[0];
  let bestQuality = 0;
  for (const offer of offers) {
    const quality = qualityOf(offer, ranges);
    if (quality > bestQuality) [best, bestQuality] = [offer, quality];
  }
  return best;
}

/** How well the client likes a type, from 0 to 1; without a header anything is as good. */
export const likingOf = (header: string | undefined, type: string): number =>
  header ? qualityOf(type, parseAccept(header)) : 1;

/** The most specific range that fits counts. */
function qualityOf(type: string, ranges: readonly MediaRange[]): number {
  for (const pattern of [type, `${type.split('/')[0]}/*`, '*/*']) {
    const range = ranges.find((known) => known.type === pattern);
    if (range) return range.quality;
  }
  return 0;
}
