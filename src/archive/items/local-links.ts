/** Links in archived content that lead to where its neighbours lie now; all other bytes stay as they came. */
import type { Link } from '../content/index.ts';

/** Where characters are more than a byte, or bytes change their meaning, no ASCII can be put in. */
export const takesAscii = (encoding: string | undefined): boolean =>
  !/^(?:utf-16|iso-2022)/i.test(encoding ?? '');

/** `nameOf`: ASCII, to stand in the link's place; undefined leaves it alone. */
export function spliceLinks(
  bytes: Buffer,
  links: readonly Link[],
  nameOf: (link: Link) => string | undefined,
): Buffer {
  const splices = links
    .flatMap((link) => {
      const name = link.position && link.heuristic === undefined ? nameOf(link) : undefined;
      return name !== undefined && link.position ? [{ ...link.position, name }] : [];
    })
    .sort((a, b) => a.at - b.at);
  const pieces: Buffer[] = [];
  let done = 0;
  for (const { at, length, name } of splices) {
    if (at < done) continue;
    pieces.push(bytes.subarray(done, at), Buffer.from(name, 'latin1'));
    done = at + length;
  }
  return Buffer.concat([...pieces, bytes.subarray(done)]);
}
