/** What one robot may fetch of one origin. */
import { normalisePath, type RobotsFile, type RobotsRule } from './parse-robots.ts';

export interface RobotsVerdict {
  isAllowed(url: URL): boolean;
  readonly crawlDelayMs?: number;
}

/** Groups that name the robot, all together; without any, those for everybody (RFC 9309 §2.2.1). */
export function rulesFor(file: RobotsFile, productToken: string): RobotsVerdict {
  const token = productToken.toLowerCase();
  const named = file.groups.filter(({ agents }) => agents.includes(token));
  const groups = named.length > 0 ? named : file.groups.filter(({ agents }) => agents.includes('*'));
  const rules = groups.flatMap((group) => group.rules.map((rule) => ({ ...rule, matches: matcherOf(rule) })));
  const delays = groups.flatMap(({ crawlDelayMs }) => crawlDelayMs ?? []);
  return {
    isAllowed(url) {
      const path = normalisePath(url.pathname + url.search);
      if (path === '/robots.txt') return true;
      // The longest match counts; of equal ones the permission (RFC 9309 §2.2.2).
      let best: RobotsRule | undefined;
      for (const rule of rules) {
        const longer = !best || rule.path.length > best.path.length;
        if ((longer || (rule.allow && rule.path.length === best?.path.length)) && rule.matches(path))
          best = rule;
      }
      return best?.allow ?? true;
    },
    ...(delays.length > 0 && { crawlDelayMs: Math.max(...delays) }),
  };
}

export const ALLOW_ALL: RobotsVerdict = { isAllowed: () => true };

/** Piece by piece, without a regular expression: a hostile pattern must not take exponential time. */
function matcherOf({ path }: RobotsRule): (target: string) => boolean {
  const anchored = path.endsWith('$');
  const pieces = (anchored ? path.slice(0, -1) : path).split(/\*+/);
  const [first = '', ...rest] = pieces;
  return (target) => {
    if (!target.startsWith(first)) return false;
    if (rest.length === 0) return !anchored || target.length === first.length;
    let at = first.length;
    for (const [i, piece] of rest.entries()) {
      if (anchored && i === rest.length - 1)
        return target.length - piece.length >= at && target.endsWith(piece);
      const found = target.indexOf(piece, at);
      if (found < 0) return false;
      at = found + piece.length;
    }
    return true;
  };
}
